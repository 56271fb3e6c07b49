import DecodeClient
import Geometry
import Glibc
import Motion
import Pictures
import SceneModel

/// Gets the pixels of the pictures that are wanted, through the decoder process.
///
/// One picture is decoded at a time, the most urgent first. A more urgent one that comes to be
/// wanted meanwhile takes the decoder away from the other, which is begun again after it.
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

    private struct Entry {
        var revision: Int
        var bitmap: Bitmap
        /// Whether these are the last pixels that come of it.
        var isComplete: Bool
    }

    private let client: DecodeClient
    private let list: PictureList
    /// What is being decoded.
    private var request: Request?
    /// What is wanted, the most urgent first.
    private var wanted: [Int] = []
    private var failed: Set<Int> = []
    private var lastID = 0
    private var revision = 0
    private var entries: [Int: Entry] = [:]
    /// How large pictures will be shown, in device pixels; nil until the surface is known.
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

    /// Whether pixels of wanted pictures are still to come.
    var isBusy: Bool { request != nil }

    var descriptors: [Int32] { client.pollDescriptors }

    /// On the real clock.
    var deadline: Moment? { client.deadline }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        guard let entry = entries[source.picture], entry.revision == source.revision else {
            return nil
        }
        return entry.bitmap
    }

    /// Wants these pictures, the most urgent first, and no others any more.
    ///
    /// Those of which there are pixels already are among the outcomes at once.
    func want(_ indices: [Int]) -> [Outcome] {
        let added = indices.filter { !wanted.contains($0) }
        wanted = indices
        failed.formIntersection(indices)
        if let request, next != request.index {
            client.cancel(request.id, now: clock())
            self.request = nil
        }
        let ready = added.compactMap { index in
            entries[index].map { entry in
                Outcome.pixels(
                    index: index, size: entry.bitmap.size, revision: entry.revision)
            }
        }
        return ready + startNext()
    }

    /// The most urgent picture that is not there yet.
    private var next: Int? {
        wanted.first { !failed.contains($0) && entries[$0]?.isComplete != true }
    }

    private func startNext() -> [Outcome] {
        var outcomes: [Outcome] = []
        while request == nil, let index = next {
            do throws(DecodeFailure) {
                let descriptor = try open(list.entries[index])
                lastID += 1
                request = Request(id: lastID, index: index)
                client.open(lastID, descriptor: descriptor, now: clock())
            } catch {
                failed.insert(index)
                outcomes.append(.failure(index: index, text: "\(error)"))
            }
        }
        return outcomes
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
        guard let target, var current = request, !current.isDecoding else { return }
        current.isDecoding = true
        request = current
        client.decode(current.id, target: target, now: clock())
    }

    /// Keeps only the pixels of these pictures.
    func keepOnly(_ indices: Set<Int>) {
        entries = entries.filter { indices.contains($0.key) }
    }

    func handleReadable(_ descriptor: Int32) -> [Outcome] {
        client.handleReadable(descriptor, now: clock()).flatMap { outcomes(of: $0) }
    }

    func handleDeadline() -> [Outcome] {
        client.handleDeadline(now: clock()).flatMap { outcomes(of: $0) }
    }

    private func outcomes(of event: DecodeEvent) -> [Outcome] {
        guard let current = request, current.id == event.id else { return [] }
        switch event {
        case .info:
            decodeIfKnown()
            return []
        case .pixels(_, let bitmap, _):
            request?.hasPixels = true
            revision += 1
            entries[current.index] = Entry(
                revision: revision, bitmap: bitmap, isComplete: false)
            return [.pixels(index: current.index, size: bitmap.size, revision: revision)]
        case .finished(_, let notice):
            return end(current, notice: notice)
        case .failed(_, let failure):
            let text = "\(failure)"
            guard !current.hasPixels else { return end(current, notice: text) }
            request = nil
            failed.insert(current.index)
            return [.failure(index: current.index, text: text)] + startNext()
        }
    }

    /// No more comes of this picture: on to the next.
    private func end(_ ended: Request, notice: String?) -> [Outcome] {
        request = nil
        entries[ended.index]?.isComplete = true
        let said = notice.map { [Outcome.notice(index: ended.index, text: $0)] } ?? []
        return said + startNext()
    }
}
