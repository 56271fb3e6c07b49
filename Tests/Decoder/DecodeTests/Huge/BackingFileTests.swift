import CLinux
import DecodeClient
import ImageWire
import Geometry
import Glibc
import ImageTypes
import RasterPipeline
import SystemCalls
import TestKit
import Testing

@testable import Codecs

/// Backing files on the disk for large pictures, and the memory they save.
@Suite struct BackingFileTests {
    /// Without a backing file the picture is decoded in memory, unless it is too large.
    @Test(arguments: [false, true])
    func withoutABackingFileThePictureIsDecodedInMemory(isTooLarge: Bool) throws {
        let picture = TestPicture.photograph(1203, 901)
        let client = try DiskBackedComparison.client(
            pixels: isTooLarge ? 1_050_000 : PictureLimits.pixels)
        client.start(.picture, 1, descriptor: Decoding.file(picture.png()), now: Decoding.now())
        client.decode(1, target: picture.size, now: Decoding.now())
        var bitmap: Bitmap?
        var end: Result<String?, DecodeFailure>?
        while end == nil {
            for event in Decoding.events(of: client) {
                switch event {
                case .info(_, let info):
                    #expect(info.backingFileBytes > 0)
                    client.refuseBackingFile(1)
                case .pixels(_, let pixels, _): bitmap = pixels
                case .finished(_, let message): end = .success(message)
                case .failed(_, let reason): end = .failure(reason)
                default: break
                }
            }
        }
        #expect((bitmap == nil) == isTooLarge)
        if isTooLarge {
            #expect(
                end == .failure(.unreadable(reason: "there is no room on the disk for it")))
        } else {
            #expect(end == .success(nil))
            #expect(try #require(bitmap).levels[0].size == picture.size)
        }
    }

    /// The viewer computes the backing file's size; the decoder requests 0 to 16 scratch bytes a pixel.
    @Test(arguments: [0, 1, 16, 17])
    func scratchIsLimited(scratch: Int) throws {
        let size = PixelSize(width: 12000, height: 10000)
        var info = PictureInfo(size: size, orientation: .upright, format: "PNG")
        info.isTiled = true
        info.backingFileBytes = 1
        info.scratch = scratch
        var bytes = DecodeReply.info(id: 1, info).bytes
        guard scratch <= 16 else {
            #expect(throws: WireError.self) { try DecodeReply(bytes) }
            return
        }
        guard case .info(1, let read) = try DecodeReply(bytes) else {
            Issue.record("no info")
            return
        }
        let pixels = size.width * size.height
        #expect(read.scratch == scratch && read.backingFileBytes >= pixels * (5 + scratch))
        #expect(read.backingFileBytes == PixelLayout.backingFileBytes(for: size, scratch: scratch))
        // Scratch without a backing file is invalid; the flags, the detail, the scratch, the stars and the
        // number of regions come last.
        bytes[bytes.count - 5] &= ~4
        if scratch > 0 {
            #expect(throws: WireError.self) { try DecodeReply(bytes) }
        }
    }

    /// The viewer computes the size of the backing file, and rejects pictures that are too large.
    @Test(arguments: [
        (PixelSize(width: 20000, height: 20000), true),
        (PixelSize(width: 3, height: 1 << 24), true),
        (PixelSize(width: 1, height: 1 << 28), false),
        (PixelSize(width: 1 << 16, height: 1 << 16), false),
    ])
    func backingFilesAreLimited(size: PixelSize, isAllowed: Bool) throws {
        var info = PictureInfo(size: size, orientation: .upright, format: "PNG")
        info.isTiled = true
        info.backingFileBytes = 1
        let bytes = DecodeReply.info(id: 1, info).bytes
        if isAllowed {
            guard case .info(1, let read) = try DecodeReply(bytes) else {
                Issue.record("no info")
                return
            }
            #expect(
                read.backingFileBytes > size.width * size.height * 5
                    && read.backingFileBytes <= 16 << 30)
        } else {
            #expect(throws: WireError.self) { try DecodeReply(bytes) }
        }
        info.isTiled = false
        #expect(throws: WireError.self) { try DecodeReply(DecodeReply.info(id: 1, info).bytes) }
    }

    /// A backing file on a file system in memory saves nothing and is refused.
    @Test func noBackingFileIsMadeInMemory() {
        #expect(throws: SystemError(code: EOPNOTSUPP)) {
            try reporting { clinux_create_unnamed_file("/dev/shm", 4096) }
        }
        let backingFile = clinux_create_unnamed_file("/var/tmp", 4096)
        #expect(backingFile >= 0)
        close(backingFile)
    }

    /// Measures resident memory in the middle of a decode.
    private final class Observer: DecodeSink {
        /// The resident bytes of the mappings of the backing file; nil if it is not mapped.
        private(set) var resident: Int?
        private let inode: String
        private(set) var memory: Int32 = -1
        private var calls = 0

        init(of file: Int32) {
            var info = stat()
            fstat(file, &info)
            inode = "\(info.st_ino)"
        }

        func shouldContinue() -> Bool {
            calls += 1
            if calls == 6 { resident = measured }
            return true
        }

        func deliver(_ memory: Int32, isFinal: Bool) { self.memory = memory }
        deinit { close(memory) }

        private var measured: Int? {
            let text = String(decoding: Reference.contents("/proc/self/smaps"), as: UTF8.self)
            let lines = text.split(separator: "\n")
            // A mapping begins with a line of address, permissions, offset, device, inode, path.
            let mappings = lines.indices.filter {
                lines[$0].split(separator: " ").dropFirst(4).first.map(String.init) == inode
            }
            guard !mappings.isEmpty else { return nil }
            let sizes = mappings.compactMap {
                lines[$0...].first { $0.hasPrefix("Rss:") }?.split(separator: " ").dropFirst().first
            }
            return sizes.compactMap { Int($0) }.reduce(0, +) << 10
        }
    }

    /// On a real disk, memory is released while rows are written, reduced and copied, and all pixels stay
    /// correct.
    @Test func releasedMemoryKeepsThePixels() throws {
        let picture = TestPicture.photograph(1203, 901)
        try picture.png().withUnsafeBytes { bytes in
            let still = try StillDecoder(try PNGCodec(bytes), fileLength: bytes.count)
            let diskBacked = DiskBackedPicture(still, scratch: 0, releaseInterval: 1 << 15)
            let backingFile = clinux_create_unnamed_file(
                "/var/tmp", Int64(diskBacked.info.backingFileBytes))
            try #require(backingFile >= 0)
            diskBacked.receive(backingFile: backingFile)
            let observer = Observer(of: backingFile)
            #expect(try diskBacked.decode(for: picture.size, to: observer) == nil)
            // Without the release nearly all pages would be resident.
            #expect(try #require(observer.resident) < diskBacked.info.backingFileBytes / 4)
            let sink = TileSink()
            var whole = still
            #expect(try whole.decode(for: picture.size, to: sink) == nil)
            for mipLevel in 0..<4 {
                let held = try TileSink.pixels(sink.memory[0], still.info, level: mipLevel)
                #expect(try TileSink.pixels(observer.memory, still.info, level: mipLevel) == held)
                let part = PictureTile(
                    mipLevel: mipLevel, rect: PixelRect(picture.size.reduced(by: mipLevel)))
                #expect(try sink.pixels(of: part, diskBacked) == held)
            }
        }
    }

    /// After a mapped file is truncated, reads past its end return zeros instead of raising SIGBUS.
    @Test func aMappedFileMayShrink() throws {
        let length = 3 << 20
        let file = Decoding.file([UInt8](repeating: 7, count: length))
        defer { close(file) }
        let base = try #require(clinux_map_file(file, length))
        defer { clinux_unmap_file() }
        let bytes = UnsafeRawBufferPointer(start: base, count: length)
        #expect(bytes[0] == 7 && bytes[length - 1] == 7)
        #expect(clinux_map_file(file, length) == nil)
        ftruncate(file, 1 << 20)
        clinux_release_file_pages()
        #expect(bytes[(1 << 20) - 1] == 7)
        #expect(bytes[2 << 20] == 0 && bytes[length - 1] == 0)
    }
}
