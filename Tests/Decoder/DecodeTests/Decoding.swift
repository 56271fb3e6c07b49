import CLinux
import DecodeClient
import FileAccess
import Geometry
import Glibc
import Motion
import ImageTypes
import TestKit

/// Decodes a file in the real decoder process, as the viewer does.
struct Decoding {
    var info: PictureInfo?
    var bitmaps: [Bitmap] = []
    var message: String?
    var failure: DecodeFailure?

    init(
        _ bytes: [UInt8], target: PixelSize = PixelSize(width: 4000, height: 4000),
        decoder: String = Binaries.decoder, patience: Double = 20_000
    ) throws {
        let client = try DecodeClient(DecoderLauncher(DecoderProgram(decoder)), patience: patience)
        self.init(client, id: 1, bytes, target: target)
    }

    init(
        _ client: DecodeClient, id: Int, _ bytes: [UInt8],
        target: PixelSize = PixelSize(width: 4000, height: 4000), acceptsPlanes: Bool = false
    ) {
        run(client, id, .descriptor(Self.file(bytes)), target, acceptsPlanes)
    }

    /// Decodes the file at a path, which the client's file server opens.
    init(_ client: DecodeClient, id: Int, path: String) {
        run(client, id, .file(Array(path.utf8)), PixelSize(width: 4000, height: 4000))
    }

    init(
        _ client: DecodeClient, id: Int, descriptor: Int32,
        target: PixelSize = PixelSize(width: 4000, height: 4000)
    ) {
        run(client, id, .descriptor(descriptor), target)
    }

    private mutating func run(
        _ client: DecodeClient, _ id: Int, _ source: PictureSource, _ target: PixelSize,
        _ acceptsPlanes: Bool = false
    ) {
        client.start(.picture, id, source, now: Self.now())
        client.decode(id, target: target, acceptsPlanes: acceptsPlanes, now: Self.now())
        while true {
            for event in Self.events(of: client) {
                switch event {
                case .info(_, let info):
                    self.info = info
                    if info.backingFileBytes > 0 {
                        client.sendBackingFile(
                            id, descriptor: Self.backingFile(info.backingFileBytes))
                    }
                case .pixels(_, let bitmap, _): bitmaps.append(bitmap)
                case .finished(_, let message):
                    self.message = message
                    return
                case .opened, .waiting, .gain, .frame, .tile, .metadata, .edited: break
                case .failed(_, let failure):
                    self.failure = failure
                    return
                }
            }
        }
    }

    /// A memfd of `bytes` zero bytes, used as a backing file.
    static func backingFile(_ bytes: Int) -> Int32 {
        let memory = clinux_memfd_create("backingFile")
        ftruncate(memory, bytes)
        return memory
    }

    /// A memfd with these bytes.
    static func file(_ bytes: [UInt8]) -> Int32 {
        let memory = clinux_memfd_create("picture")
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(max(1, write(memory, Array(rest), rest.count)))
        }
        return memory
    }

    /// The events of the decoder after one turn of a poll loop, which waits at most 20 ms.
    static func events(of client: DecodeClient) -> [DecodeEvent] {
        var polls = client.pollDescriptors.map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        poll(&polls, nfds_t(polls.count), 20)
        var events = client.handleDeadline(now: now())
        for poll in polls { events += client.handleReadable(poll.fd, now: now()) }
        return events
    }

    static func now() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(milliseconds: Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6)
    }
}

extension Bitmap {
    /// A pixel of a mip level as alpha, red, green, blue, premultiplied, 0 to 255.
    func pixel(_ x: Int, _ y: Int, level: Int = 0) -> (a: Int, r: Int, g: Int, b: Int) {
        let place = levels[level]
        let word = memory.bytes.load(
            fromByteOffset: place.offset + y * place.stride + x * 4, as: UInt32.self)
        return (
            Int(word >> 24), Int(word >> 16 & 255), Int(word >> 8 & 255), Int(word & 255)
        )
    }

    /// The largest difference of any colour channel of the finest level; 256 if the sizes differ.
    func largestDifference(from picture: TestPicture) -> Int {
        guard size == picture.size else { return 256 }
        var largest = 0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (_, r, g, b) = pixel(x, y)
                let wanted = picture.color(x, y)
                largest = max(largest, abs(r - wanted.r), abs(g - wanted.g), abs(b - wanted.b))
            }
        }
        return largest
    }
}

extension Bitmap {
    /// The largest difference of any premultiplied channel of the finest level, in 8-bit steps.
    ///
    /// Returns 256 if the sizes differ.
    func largestDifference(from reference: ReferencePixels) -> Float {
        guard size == reference.size else { return 256 }
        var largest: Float = 0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (a, r, g, b) = pixel(x, y)
                var wanted = reference.color(x, y)
                for channel in 0..<3 { wanted[channel] *= wanted[3] }
                let seen = SIMD4(Float(r), Float(g), Float(b), Float(a))
                let difference = seen - wanted * 255
                largest = max(largest, difference.max(), -difference.min())
            }
        }
        return largest
    }
}
