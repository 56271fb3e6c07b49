import CLinux
import Folders
import DecodeClient
import Geometry
import Glibc
import Motion
import ImageTypes
import SceneModel
import Threads

/// Loads the pixels of requested pictures through the decoder process.
///
/// One picture is decoded at a time, the most urgent first. A more urgent request cancels the current
/// one, which is decoded again later.
final class PictureLoader {
    /// A result of loading; `id` is the id of the picture's entry.
    enum Outcome {
        /// The picture's size in pixels is known; its pixels follow.
        case size(id: Int, PixelSize)
        case pixels(id: Int, size: PixelSize, revision: Int)
        /// Only an overview was decoded; the decoder delivers tiles for the request `number`.
        case tiled(id: Int, DecodeClient, number: Int, overview: Int, detail: Int)
        case notice(id: Int, text: String)
        case failure(id: Int, text: String)
    }

    private struct Request {
        /// The number of the request in the decoder.
        var number: Int
        /// The id of the picture's entry.
        var id: Int
        var isDecoding = false
        var isAnimated = false
        var isTiled = false
        var detail = 0
    }

    private struct Pixels {
        var revision: Int
        var bitmap: Bitmap
        /// Whether no further pixels of this picture follow.
        var isComplete: Bool
        var isAnimated: Bool
    }

    private var client: DecodeClient
    private let album: Album
    let limits: DecodeLimits
    let screen: ScreenProfile?
    /// The picture that is being decoded.
    private var request: Request?
    /// The ids of the requested pictures, the most urgent first.
    private var wanted: [Int] = []
    private var failed: Set<Int> = []
    /// The earliest moment at which the current request may be cancelled.
    private var nextCancel = Moment.zero
    /// The shortest time between two cancellations, in milliseconds.
    ///
    /// While a key is held down, requests change faster than pictures are decoded; if each change
    /// cancelled the current picture, none would ever be finished.
    private static let cancelInterval = 400.0
    private var lastNumber = 0
    private var revision = 0
    private var pixels: [Int: Pixels] = [:]
    /// The ids of decoded pictures whose pixels were not prefaulted yet.
    private var unprefaulted: Set<Int> = []
    /// The size at which pictures are shown, in device pixels; nil until the surface size is known.
    private var target: PixelSize?

    /// The real clock, which measures the timeouts of the decoder.
    let clock: () -> Moment

    /// Starts the decoder, so that it is ready for the first picture.
    init(
        _ album: Album, limits: DecodeLimits, screen: ScreenProfile?,
        clock: @escaping () -> Moment
    ) throws(DecodeClientError) {
        self.album = album
        self.limits = limits
        self.screen = screen
        self.clock = clock
        client = try Self.startDecoder(limits, screen)
    }

    /// The nice value of the decoder: below painting of frames, above thumbnails.
    private static let niceness: Int32 = 5

    private static func startDecoder(
        _ limits: DecodeLimits, _ screen: ScreenProfile?
    ) throws(DecodeClientError) -> DecodeClient {
        try DecodeClient(
            decoderPath: decoderPath(), niceness: niceness, limits: limits, screen: screen)
    }

    /// The path of the decoder program, in the folder of the viewer program.
    static func decoderPath() -> String {
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

    /// Whether pixels of requested pictures are still being decoded.
    var isBusy: Bool { request != nil }

    var descriptors: [Int32] { client.pollDescriptors }

    /// The decoder's deadline, on the real clock.
    var deadline: Moment? { client.deadline }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        guard let entry = pixels[source.picture], entry.revision == source.revision else {
            return nil
        }
        return entry.bitmap
    }

    /// Requests the pictures `ids`, the most urgent first; replaces the previous request.
    ///
    /// The result contains the pictures that have pixels already.
    func want(_ ids: [Int]) -> [Outcome] {
        let added = ids.filter { !wanted.contains($0) }
        wanted = ids
        failed.formIntersection(ids)
        if let request, next != request.id, clock() >= nextCancel {
            client.cancel(request.number, now: clock())
            nextCancel = clock().advanced(byMilliseconds: Self.cancelInterval)
            self.request = nil
        }
        return added.flatMap { shown($0) } + startNext()
    }

    /// The most urgent requested picture that is not complete.
    private var next: Int? {
        wanted.first { !failed.contains($0) && pixels[$0]?.isComplete != true }
    }

    private func startNext() -> [Outcome] {
        var outcomes: [Outcome] = []
        while request == nil, let id = next {
            do throws(DecodeFailure) {
                let descriptor = try open(id)
                lastNumber += 1
                request = Request(number: lastNumber, id: id)
                client.open(lastNumber, descriptor: descriptor, now: clock())
            } catch {
                failed.insert(id)
                outcomes.append(.failure(id: id, text: "\(error)"))
            }
        }
        return outcomes
    }

    /// Whether the picture is completely decoded and is an animation.
    func isAnimated(_ id: Int) -> Bool {
        pixels[id].map { $0.isAnimated && $0.isComplete } ?? false
    }

    /// Opens a picture's file and returns its descriptor.
    func open(_ id: Int) throws(DecodeFailure) -> Int32 {
        guard let entry = album.entry(id), let path = album.path(id) else {
            throw .unreadable(reason: PictureFile.message(ENOENT))
        }
        guard let input = entry.descriptor else { return try PictureFile.open(path.bytes) }
        let copy = dup(input)
        guard copy >= 0 else { throw .unreadable(reason: PictureFile.message(errno)) }
        lseek(copy, 0, SEEK_SET)
        return copy
    }

    /// Sets the size at which pictures are shown, in device pixels.
    func setTarget(_ size: PixelSize) {
        target = size
        decodeIfKnown()
    }

    private func decodeIfKnown() {
        guard let target, var current = request, !current.isDecoding else { return }
        current.isDecoding = true
        request = current
        client.decode(current.number, target: target, now: clock())
    }

    /// The existing pixels of a picture as outcomes; empty if there are none.
    func shown(_ id: Int) -> [Outcome] {
        pixels[id].map {
            [.pixels(id: id, size: $0.bitmap.size, revision: $0.revision)]
        } ?? []
    }

    /// Decodes a picture again; its existing pixels stay until new ones arrive.
    func decodeAgain(_ id: Int) -> [Outcome] {
        pixels[id]?.isComplete = false
        return startNext()
    }

    /// The largest memory of a picture that is prefaulted, in bytes; more is never visible at once.
    private static let mostPrefaulted = 1 << 29

    /// Prefaults new pixels on another thread, because the page faults of the first access take as long as
    /// a frame.
    func prefault() {
        guard !unprefaulted.isEmpty else { return }
        let memories = unprefaulted.compactMap { pixels[$0]?.bitmap.memory }
            .filter { $0.bytes.count <= Self.mostPrefaulted }
        unprefaulted = []
        guard !memories.isEmpty else { return }
        Thread.start {
            for memory in memories {
                clinux_populate_for_reading(memory.bytes.baseAddress, memory.bytes.count)
            }
        }
    }

    /// Keeps only the pixels of these pictures.
    func keepOnly(_ ids: Set<Int>) {
        pixels = pixels.filter { ids.contains($0.key) }
    }

    /// Drops the pixels and requests of these pictures, because their files have changed.
    func forget(_ ids: Set<Int>) {
        guard !ids.isEmpty else { return }
        pixels = pixels.filter { !ids.contains($0.key) }
        failed.subtract(ids)
        wanted.removeAll { ids.contains($0) }
        guard let request, ids.contains(request.id) else { return }
        client.cancel(request.number, now: clock())
        self.request = nil
    }

    func handleReadable(_ descriptor: Int32) -> [Outcome] {
        client.handleReadable(descriptor, now: clock()).flatMap { outcomes(of: $0) }
    }

    func handleDeadline() -> [Outcome] {
        client.handleDeadline(now: clock()).flatMap { outcomes(of: $0) }
    }

    private func outcomes(of event: DecodeEvent) -> [Outcome] {
        guard let current = request, current.number == event.id else { return [] }
        switch event {
        case .info(_, let info):
            request?.isAnimated = info.isAnimated
            request?.isTiled = info.isTiled
            request?.detail = info.detail
            if info.room > 0 {
                do {
                    try provideDiskSpace(info.room, current)
                } catch {
                    guard !info.size.isLarger(than: limits.pixels) else {
                        client.cancel(current.number, now: clock())
                        return fail(current, error)
                    }
                    Diagnostics.info("\(error); it is kept in memory instead")
                    client.refuseBackingFile(current.number)
                }
            }
            decodeIfKnown()
            return [.size(id: current.id, info.size)]
        case .pixels(_, let bitmap, _):
            revision += 1
            pixels[current.id] = Pixels(
                revision: revision, bitmap: bitmap, isComplete: false,
                isAnimated: current.isAnimated)
            return [.pixels(id: current.id, size: bitmap.size, revision: revision)]
        case .frame, .part, .metadata: return []
        case .finished(_, let notice):
            return end(current, notice: notice, keepsDecoder: current.isTiled)
        case .failed(_, let failure): return fail(current, failure)
        }
    }

    private func provideDiskSpace(_ bytes: Int, _ current: Request) throws(DecodeFailure) {
        let descriptor = try DiskSpace.make(bytes: bytes, limit: limits.disk)
        client.sendBackingFile(current.number, descriptor: descriptor)
        guard let path = album.path(current.id) else { return }
        Diagnostics.info("\(path): uses \(DiskSpace.size(bytes)) of disk space while it is shown")
    }

    private func fail(_ ended: Request, _ failure: DecodeFailure) -> [Outcome] {
        // Existing pixels stay, even those of an earlier request.
        guard pixels[ended.id] == nil else {
            return end(ended, notice: "\(failure)", keepsDecoder: false)
        }
        request = nil
        failed.insert(ended.id)
        return [.failure(id: ended.id, text: "\(failure)")] + startNext()
    }

    /// Finishes a request and starts the next one.
    ///
    /// With `keepsDecoder` the decoder stays with the tiled picture.
    private func end(_ ended: Request, notice: String?, keepsDecoder: Bool) -> [Outcome] {
        request = nil
        pixels[ended.id]?.isComplete = true
        unprefaulted.insert(ended.id)
        let notices = notice.map { [Outcome.notice(id: ended.id, text: $0)] } ?? []
        return notices + (keepsDecoder ? handOver(ended) : []) + startNext()
    }

    /// Hands the decoder over to the tile loader of a tiled picture, and starts a new decoder.
    private func handOver(_ ended: Request) -> [Outcome] {
        do {
            guard let pixels = pixels[ended.id] else {
                client.cancel(ended.number, now: clock())
                return []
            }
            let next = try Self.startDecoder(limits, screen)
            defer { client = next }
            return [
                .tiled(
                    id: ended.id, client, number: ended.number,
                    overview: pixels.bitmap.levels[0].mipLevel, detail: ended.detail)
            ]
        } catch {
            // No new decoder: keep this one for other pictures, so no tiles are loaded.
            client.cancel(ended.number, now: clock())
            return [.notice(id: ended.id, text: "no finer detail: \(error)")]
        }
    }
}
