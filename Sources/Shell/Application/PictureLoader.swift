import CLinux
import Folders
import DecodeClient
import Geometry
import Glibc
import Motion
import ImageTypes
import SceneModel
import Threads

/// Gets the pixels of the pictures that are wanted, through the decoder process.
///
/// One picture is decoded at a time, the most urgent first. A more urgent one that comes to be
/// wanted meanwhile takes the decoder away from the other, which is begun again after it.
final class PictureLoader {
    /// What became of a picture, by the id of its entry.
    enum Outcome {
        /// Its size is known; pixels follow.
        case size(id: Int, PixelSize)
        case pixels(id: Int, size: PixelSize, revision: Int)
        /// Only an overview came; its decoder, which has this number for it, gives parts of it.
        case tiled(id: Int, DecodeClient, number: Int, overview: Int, detail: Int)
        case notice(id: Int, text: String)
        case failure(id: Int, text: String)
    }

    private struct Request {
        /// The decoder's number for it.
        var number: Int
        var id: Int
        var isDecoding = false
        var isAnimated = false
        var isTiled = false
        var detail = 0
    }

    private struct Pixels {
        var revision: Int
        var bitmap: Bitmap
        /// Whether these are the last pixels that come of it.
        var isComplete: Bool
        var isAnimated: Bool
    }

    private var client: DecodeClient
    private let album: Album
    let limits: DecodeLimits
    let screen: ScreenProfile?
    /// What is being decoded.
    private var request: Request?
    /// What is wanted, the most urgent first.
    private var wanted: [Int] = []
    private var failed: Set<Int> = []
    /// Before this, what is being decoded is left to its end.
    private var nextCancel = Moment.zero
    /// How long after one picture was called off another is not, in milliseconds.
    ///
    /// While keys are held down, wishes change faster than pictures are decoded: called off each
    /// time, none would ever come.
    private static let cancelPause = 400.0
    private var lastNumber = 0
    private var revision = 0
    private var pixels: [Int: Pixels] = [:]
    /// The pictures that have come and were not made ready to be looked at.
    private var fresh: Set<Int> = []
    /// How large pictures will be shown, in device pixels; nil until the surface is known.
    private var target: PixelSize?

    /// The real clock, which the decoder's patience is measured on.
    let clock: () -> Moment

    /// Starts the decoder, so that it is ready when the first picture is.
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

    /// Behind what moves, before what the grid decodes.
    private static let niceness: Int32 = 5

    private static func startDecoder(
        _ limits: DecodeLimits, _ screen: ScreenProfile?
    ) throws(DecodeClientError) -> DecodeClient {
        try DecodeClient(
            decoderPath: decoderPath(), niceness: niceness, limits: limits, screen: screen)
    }

    /// The decoder lies beside the viewer.
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

    /// Whether pixels of wanted pictures are still to come.
    var isBusy: Bool { request != nil }

    var descriptors: [Int32] { client.pollDescriptors }

    /// On the real clock.
    var deadline: Moment? { client.deadline }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        guard let entry = pixels[source.picture], entry.revision == source.revision else {
            return nil
        }
        return entry.bitmap
    }

    /// Wants these pictures, by their ids, the most urgent first, and no others any more.
    ///
    /// Those of which there are pixels already are among the outcomes at once.
    func want(_ ids: [Int]) -> [Outcome] {
        let added = ids.filter { !wanted.contains($0) }
        wanted = ids
        failed.formIntersection(ids)
        if let request, next != request.id, clock() >= nextCancel {
            client.cancel(request.number, now: clock())
            nextCancel = clock().advanced(byMilliseconds: Self.cancelPause)
            self.request = nil
        }
        return added.flatMap { shown($0) } + startNext()
    }

    /// The most urgent picture that is not there yet.
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

    /// Whether a picture is there that moves.
    func isAnimated(_ id: Int) -> Bool {
        pixels[id].map { $0.isAnimated && $0.isComplete } ?? false
    }

    /// Opens a picture's file.
    func open(_ id: Int) throws(DecodeFailure) -> Int32 {
        guard let entry = album.entry(id), let path = album.path(id) else {
            throw .unreadable(reason: PictureFile.words(ENOENT))
        }
        guard let input = entry.descriptor else { return try PictureFile.open(path.bytes) }
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
        guard let target, var current = request, !current.isDecoding else { return }
        current.isDecoding = true
        request = current
        client.decode(current.number, target: target, now: clock())
    }

    /// The pixels that there are of a picture, to be shown instead of something else.
    func shown(_ id: Int) -> [Outcome] {
        pixels[id].map {
            [.pixels(id: id, size: $0.bitmap.size, revision: $0.revision)]
        } ?? []
    }

    /// Decodes a picture of which there are pixels once more; those stay until others come.
    func decodeAgain(_ id: Int) -> [Outcome] {
        pixels[id]?.isComplete = false
        return startNext()
    }

    /// A picture of more bytes is not looked at all at once.
    private static let mostPrefaulted = 1 << 29

    /// Makes what has come readable at once, on a thread of its own: the first time that so many pages are
    /// looked at takes as long as a frame.
    func prefault() {
        guard !fresh.isEmpty else { return }
        let memories = fresh.compactMap { pixels[$0]?.bitmap.memory }
            .filter { $0.bytes.count <= Self.mostPrefaulted }
        fresh = []
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

    /// The pictures have changed: what is there of them is out of date.
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
                    try giveRoom(info.room, current)
                } catch {
                    guard !info.size.isLarger(than: limits.pixels) else {
                        client.cancel(current.number, now: clock())
                        return fail(current, error)
                    }
                    Diagnostics.info("\(error); it is held in memory")
                    client.refuseRoom(current.number)
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
            return end(current, notice: notice, isConversing: current.isTiled)
        case .failed(_, let failure): return fail(current, failure)
        }
    }

    private func giveRoom(_ bytes: Int, _ current: Request) throws(DecodeFailure) {
        let room = try DiskSpace.make(bytes: bytes, limit: limits.disk)
        client.giveRoom(current.number, descriptor: room)
        guard let path = album.path(current.id) else { return }
        Diagnostics.info("\(path): \(DiskSpace.size(bytes)) on the disk while it is shown")
    }

    private func fail(_ ended: Request, _ failure: DecodeFailure) -> [Outcome] {
        // What there is of it stays, be it from before.
        guard pixels[ended.id] == nil else {
            return end(ended, notice: "\(failure)", isConversing: false)
        }
        request = nil
        failed.insert(ended.id)
        return [.failure(id: ended.id, text: "\(failure)")] + startNext()
    }

    /// No more comes of this picture: on to the next.
    private func end(_ ended: Request, notice: String?, isConversing: Bool) -> [Outcome] {
        request = nil
        pixels[ended.id]?.isComplete = true
        fresh.insert(ended.id)
        let said = notice.map { [Outcome.notice(id: ended.id, text: $0)] } ?? []
        return said + (isConversing ? handOver(ended) : []) + startNext()
    }

    /// The decoder of a tiled picture stays with it; another takes its place.
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
                    overview: pixels.bitmap.levels[0].exponent, detail: ended.detail)
            ]
        } catch {
            // Nobody asks for parts: it is to do other pictures.
            client.cancel(ended.number, now: clock())
            return [.notice(id: ended.id, text: "no finer detail: \(error)")]
        }
    }
}
