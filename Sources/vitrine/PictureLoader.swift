import DecodeClient
import Geometry
import Glibc
import Motion
import Pictures
import SceneModel

/// Gets the pixels of the pictures that are wanted, through the decoder process.
final class PictureLoader {
    /// What became of a picture, by its place in the list.
    enum Outcome {
        case pixels(index: Int, size: PixelSize, revision: Int)
        case notice(index: Int, text: String)
        case failure(index: Int, text: String)
    }

    private struct Request {
        var id: Int
        var index: Int
        var isDecoding = false
        var hasPixels = false
    }

    private let client: DecodeClient
    private let list: PictureList
    private var request: Request?
    private var lastID = 0
    private var revision = 0
    private var bitmaps: [Int: (revision: Int, bitmap: Bitmap)] = [:]
    /// How large the picture will be shown, in device pixels; nil until the surface is known.
    private var target: PixelSize?

    /// The real clock, which the decoder's patience is measured on.
    private let clock: () -> Moment

    /// Starts the decoder, so that it is ready when the first picture is.
    init(_ list: PictureList, clock: @escaping () -> Moment) throws(DecodeClientError) {
        self.list = list
        self.clock = clock
        client = try DecodeClient(decoderPath: Self.decoderPath())
    }

    /// The decoder lies beside the viewer.
    private static func decoderPath() -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink("/proc/self/exe", $0, text.count) } ?? 0
            }
        }
        let path = buffer.prefix(max(0, count))
        let folder = path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
        return String(decoding: folder, as: UTF8.self) + "/vitrine-decode"
    }

    /// Whether pixels of the wanted picture are still to come.
    var isBusy: Bool { request != nil }

    var descriptors: [Int32] { client.pollDescriptors }

    /// On the real clock.
    var deadline: Moment? { client.deadline }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        guard let entry = bitmaps[source.picture], entry.revision == source.revision else {
            return nil
        }
        return entry.bitmap
    }

    /// Wants the picture at `index`, and no other any more.
    func load(_ index: Int) -> [Outcome] {
        if let old = request, old.index == index { return [] }
        if let old = request { client.cancel(old.id, now: clock()) }
        request = nil
        if let ready = bitmaps[index] {
            return [.pixels(index: index, size: ready.bitmap.size, revision: ready.revision)]
        }
        let entry = list.entries[index]
        do throws(DecodeFailure) {
            let descriptor = try open(entry)
            lastID += 1
            request = Request(id: lastID, index: index)
            client.open(lastID, descriptor: descriptor, now: clock())
            return []
        } catch {
            return [.failure(index: index, text: "\(error)")]
        }
    }

    private func open(_ entry: PictureList.Entry) throws(DecodeFailure) -> Int32 {
        guard let input = entry.descriptor else { return try PictureFile.open(entry.path.bytes) }
        let copy = dup(input)
        guard copy >= 0 else { throw .unreadable(reason: PictureFile.words(errno)) }
        lseek(copy, 0, SEEK_SET)
        return copy
    }

    /// Tells how large pictures will be shown.
    func setTarget(_ size: PixelSize) {
        target = size
        decodeIfKnown()
    }

    private func decodeIfKnown() {
        guard let target, var wanted = request, !wanted.isDecoding else { return }
        wanted.isDecoding = true
        request = wanted
        client.decode(wanted.id, target: target, now: clock())
    }

    /// Keeps only what is on the surface and what is wanted.
    func keepOnly(_ indices: Set<Int>) {
        bitmaps = bitmaps.filter { indices.contains($0.key) }
    }

    func handleReadable(_ descriptor: Int32) -> [Outcome] {
        client.handleReadable(descriptor, now: clock()).flatMap { outcomes(of: $0) }
    }

    func handleDeadline() -> [Outcome] {
        client.handleDeadline(now: clock()).flatMap { outcomes(of: $0) }
    }

    private func outcomes(of event: DecodeEvent) -> [Outcome] {
        switch event {
        case .info(let id, _):
            guard request?.id == id else { return [] }
            decodeIfKnown()
            return []
        case .pixels(let id, let bitmap, _):
            guard let wanted = request, wanted.id == id else { return [] }
            request?.hasPixels = true
            revision += 1
            bitmaps[wanted.index] = (revision, bitmap)
            return [.pixels(index: wanted.index, size: bitmap.size, revision: revision)]
        case .finished(let id, let notice):
            guard let wanted = request, wanted.id == id else { return [] }
            request = nil
            return notice.map { [.notice(index: wanted.index, text: $0)] } ?? []
        case .failed(let id, let failure):
            guard let wanted = request, wanted.id == id else { return [] }
            request = nil
            let text = "\(failure)"
            return wanted.hasPixels
                ? [.notice(index: wanted.index, text: text)]
                : [.failure(index: wanted.index, text: text)]
        }
    }
}
