import Folders
import DecodeClient
import Geometry
import Glibc
import Motion
import ImageTypes

/// Reads the headers of pictures in the background: when they were taken, where the order or the
/// headings want that, and how large they are, where the layout of the grid wants it.
///
/// Headers are read by a decoder of its own, in its sandbox. Dates are wanted of all pictures, in the
/// listing's order; sizes first of those that are nearest to what is seen.
final class HeaderReader {
    private let album: Album
    private let client: DecodeClient
    private let clock: () -> Moment
    private let wantsDates: Bool
    /// Whether what was found is reported while more is looked for.
    private let reportsPartly: Bool
    let wantsSizes: Bool
    /// Entries that were asked about, with the revision of then.
    private var known: [Int: Int] = [:]
    /// Entries whose headers are read next, the nearest last; and those that can wait.
    private var nearest: [Int] = []
    private var waiting: [Int] = []
    private var current: Int?
    private var dates: [Int: Timestamp] = [:]
    /// Of entries, upright, in pixels.
    private(set) var sizes: [Int: PixelSize] = [:]
    private var newSizes: [Int] = []
    private var lastReport = Moment.zero

    /// How often what was found is told while more is looked for, in milliseconds: each time the
    /// grid is sorted or laid out anew.
    private static let reportPause = 500.0

    init(
        _ album: Album, wantsDates: Bool, wantsSizes: Bool, reportsPartly: Bool,
        limits: DecodeLimits, clock: @escaping () -> Moment
    ) throws(DecodeClientError) {
        self.album = album
        self.wantsDates = wantsDates
        self.wantsSizes = wantsSizes
        self.reportsPartly = reportsPartly
        self.clock = clock
        client = try DecodeClient(
            decoderPath: PictureLoader.decoderPath(), niceness: wantsSizes ? 0 : 10,
            limits: limits)
    }

    var descriptors: [Int32] { client.pollDescriptors }

    /// On the real clock.
    var deadline: Moment? { client.deadline }

    var isBusy: Bool {
        current != nil || !nearest.isEmpty || wantsDates && !waiting.isEmpty || !newSizes.isEmpty
    }

    /// Looks at what the listing has that was not looked at yet.
    func follow() {
        guard wantsDates else { return }
        waiting = album.listing.entries.filter(isUnknown).map(\.id)
        // The last is taken first from an array: keep the listing's order.
        waiting.reverse()
        next()
    }

    /// Looks at these pictures first, the nearest first; they take the place of those of before.
    func want(_ indexes: [Int]) {
        guard wantsSizes else { return }
        let entries = indexes.filter { $0 < album.count }.map { album.listing.entries[$0] }
        nearest = entries.filter(isUnknown).map(\.id).reversed()
        next()
    }

    private func isUnknown(_ entry: Entry) -> Bool {
        entry.descriptor == nil && known[entry.id] != entry.revision
    }

    private func next() {
        while current == nil, let id = nearest.popLast() ?? waiting.popLast() {
            guard let entry = album.entry(id), isUnknown(entry) else { continue }
            known[id] = entry.revision
            guard let path = album.path(id), let descriptor = try? PictureFile.open(path.bytes)
            else { continue }
            current = id
            client.describe(id, descriptor: descriptor, now: clock())
        }
        reportDates()
    }

    func handleReadable(_ descriptor: Int32) {
        for event in client.handleReadable(descriptor, now: clock()) { take(event) }
    }

    func handleDeadline() {
        for event in client.handleDeadline(now: clock()) { take(event) }
    }

    private func take(_ event: DecodeEvent) {
        guard event.id == current else { return }
        switch event {
        case .info(let id, let info):
            if wantsDates { dates[id] = info.taken.map { Timestamp(seconds: $0) } }
            if wantsSizes, sizes[id] != info.size {
                sizes[id] = info.size
                newSizes.append(id)
            }
        case .pixels, .frame, .part, .metadata: break
        case .finished, .failed:
            current = nil
            next()
        }
    }

    private func isReportDue() -> Bool {
        reportsPartly && clock().seconds(since: lastReport) * 1000 > Self.reportPause
    }

    private func reportDates() {
        guard !dates.isEmpty, isReportDue() || current == nil else { return }
        lastReport = clock()
        album.setTaken(dates)
        dates = [:]
    }

    /// The sizes that have come to be known since the last time, by the pictures' indexes: those near to
    /// what is seen together, so that the layout changes once.
    func takeSizes() -> [(index: Int, size: PixelSize)] {
        guard !newSizes.isEmpty, nearest.isEmpty && current == nil || isReportDue() else {
            return []
        }
        lastReport = clock()
        defer { newSizes = [] }
        return newSizes.compactMap { id in
            guard let index = album.listing.index(of: id), let size = sizes[id] else { return nil }
            return (index, size)
        }
    }
}
