import Folders
import DecodeClient
import Geometry
import Glibc
import Motion
import ImageTypes

/// Reads the headers of pictures in the background, for dates and sizes.
///
/// The order or the headings may need the dates of all pictures, which are read in the listing's order.
/// The justified layout needs sizes, which are read for the pictures nearest to the visible ones first.
/// Headers are read by a separate sandboxed decoder process.
final class HeaderReader {
    private let album: Album
    private let client: DecodeClient
    private let clock: () -> Moment
    private let wantsDates: Bool
    /// Whether results are reported before all headers are read.
    private let reportsPartly: Bool
    let wantsSizes: Bool
    /// The revisions of entries whose headers were requested, by the entries' ids.
    private var requested: [Int: Int] = [:]
    /// Entries whose headers are read next, the nearest last, and entries that are read after them.
    private var nearest: [Int] = []
    private var waiting: [Int] = []
    private var current: Int?
    private var dates: [Int: Timestamp] = [:]
    /// Sizes of the upright pictures in pixels, by the entries' ids.
    private(set) var sizes: [Int: PixelSize] = [:]
    private var newSizes: [Int] = []
    private var lastReport = Moment.zero

    /// The shortest time between two partial reports, in milliseconds: each report sorts the listing or
    /// lays out the grid again.
    private static let reportInterval = 500.0

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

    /// The decoder's deadline, on the real clock.
    var deadline: Moment? { client.deadline }

    var isBusy: Bool {
        current != nil || !nearest.isEmpty || wantsDates && !waiting.isEmpty || !newSizes.isEmpty
    }

    /// Requests the dates of new or changed entries of the listing.
    func follow() {
        guard wantsDates else { return }
        waiting = album.listing.entries.filter(isUnknown).map(\.id)
        // `popLast` takes the last element first: reverse to keep the listing's order.
        waiting.reverse()
        startNext()
    }

    /// Requests the sizes of the pictures at `indexes`, the nearest first; replaces the previous request.
    func want(_ indexes: [Int]) {
        guard wantsSizes else { return }
        let entries = indexes.filter { $0 < album.count }.map { album.listing.entries[$0] }
        nearest = entries.filter(isUnknown).map(\.id).reversed()
        startNext()
    }

    private func isUnknown(_ entry: Entry) -> Bool {
        entry.descriptor == nil && requested[entry.id] != entry.revision
    }

    private func startNext() {
        while current == nil, let id = nearest.popLast() ?? waiting.popLast() {
            guard let entry = album.entry(id), isUnknown(entry) else { continue }
            requested[id] = entry.revision
            guard let path = album.path(id), let descriptor = try? PictureFile.open(path.bytes)
            else { continue }
            current = id
            client.describe(id, descriptor: descriptor, now: clock())
        }
        reportDates()
    }

    func handleReadable(_ descriptor: Int32) {
        for event in client.handleReadable(descriptor, now: clock()) { handle(event) }
    }

    func handleDeadline() {
        for event in client.handleDeadline(now: clock()) { handle(event) }
    }

    private func handle(_ event: DecodeEvent) {
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
            startNext()
        }
    }

    private func isReportDue() -> Bool {
        reportsPartly && clock().seconds(since: lastReport) * 1000 > Self.reportInterval
    }

    private func reportDates() {
        guard !dates.isEmpty, isReportDue() || current == nil else { return }
        lastReport = clock()
        album.setTaken(dates)
        dates = [:]
    }

    /// Returns the sizes read since the last call, by the pictures' indexes.
    ///
    /// Sizes of pictures near the visible ones are returned together, so that the layout changes once.
    func consumeSizes() -> [(index: Int, size: PixelSize)] {
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
