package import DecodeClient
package import Geometry
package import ImageTypes
import Motion

/// Reads the headers of pictures in the background, for dates and sizes.
///
/// The order or the headings may need the dates of all pictures, which are read in the order of the
/// listing. The justified layout and the feed need sizes, which are read for the pictures nearest to
/// the visible ones first. Headers are read by a separate sandboxed decoder process. Pictures are identified by
/// the ids of their entries.
package final class HeaderReader {
    private let files: any PictureFiles
    private let session: DecodeSession
    /// The real clock.
    private let clock: () -> Moment
    private let wantsDates: Bool
    private let wantsSizes: Bool
    /// Whether results are reported before all headers are read.
    private let reportsPartly: Bool
    /// The revisions of the files whose headers were requested, by the pictures' ids.
    private var requested: [Int: Int] = [:]
    /// Pictures whose headers are read next, the nearest last, and pictures that are read after them.
    private var nearest: [Int] = []
    private var waiting: [Int] = []
    private var dates: [Int: CaptureTime] = [:]
    /// Sizes of the upright pictures in pixels, by the pictures' ids.
    package private(set) var sizes: [Int: PixelSize] = [:]
    /// The cameras that took the pictures, by the pictures' ids; pictures without one are left out.
    package private(set) var cameras: [Int: String] = [:]
    private var newSizes: [Int] = []
    private var lastReport = Moment.zero
    /// With more requested pictures than that, those that are gone are forgotten.
    private var mostRequested = leastRequested
    private static let leastRequested = 1000

    /// Called with the times when pictures were taken, by the pictures' ids.
    package var onDates: ([Int: CaptureTime]) -> Void = { _ in }
    /// Called after the events of one turn of the decoder.
    package var onTurnEnd: () -> Void = {}

    /// How long the file of a header may not arrive, in milliseconds: the other headers wait.
    private static let patience = 5000.0
    /// The shortest time between two partial reports, in milliseconds: each report sorts the listing or
    /// lays out the grid again.
    private static let reportInterval = 500.0

    /// Starts the decoder at a nice(2) value; throws if it cannot be started.
    package init(
        _ environment: DecoderEnvironment, files: any PictureFiles, wantsDates: Bool,
        wantsSizes: Bool, reportsPartly: Bool, niceness: Int32
    ) throws(DecodeClientError) {
        self.files = files
        self.wantsDates = wantsDates
        self.wantsSizes = wantsSizes
        self.reportsPartly = reportsPartly
        clock = environment.clock
        session = try DecodeSession(
            environment, niceness: niceness, decodesPixels: false, patience: Self.patience)
        session.onEvent = { [unowned self] in handle($0) }
        session.onTurnEnd = { [unowned self] in onTurnEnd() }
    }

    /// Whether headers are being read, or results wait for a report.
    package var isBusy: Bool {
        session.isBusy || !nearest.isEmpty || wantsDates && !waiting.isEmpty || !newSizes.isEmpty
    }

    // MARK: Requests

    /// Requests the dates of new or changed pictures of the listing, given as ids and file revisions.
    package func readDates(of pictures: some Sequence<(id: Int, revision: Int)>) {
        guard wantsDates else { return }
        waiting = pictures.filter { requested[$0.id] != $0.revision }.map(\.id)
        // `popLast` takes the last element first: reverse to keep the listing's order.
        waiting.reverse()
        startNext()
    }

    /// Requests the sizes of these pictures, the nearest first; replaces the previous request.
    package func readSizes(of pictures: some Sequence<Int>) {
        guard wantsSizes else { return }
        nearest = pictures.filter(isUnknown).reversed()
        startNext()
    }

    /// Forgets pictures that are gone, once they may be as many as the others.
    package func forgetUnlisted() {
        guard requested.count > mostRequested else { return }
        requested = requested.filter { files.fileRevision($0.key) != nil }
        sizes = sizes.filter { requested[$0.key] != nil }
        cameras = cameras.filter { requested[$0.key] != nil }
        mostRequested = 2 * requested.count + Self.leastRequested
    }

    private func isUnknown(_ id: Int) -> Bool {
        files.fileRevision(id).map { requested[id] != $0 } ?? false
    }

    private func startNext() {
        while !session.isBusy, let id = nearest.popLast() ?? waiting.popLast() {
            guard let revision = files.fileRevision(id), requested[id] != revision else { continue }
            requested[id] = revision
            guard let source = try? files.source(id) else { continue }
            session.start(.header, of: id, source)
        }
        reportDates()
    }

    // MARK: Results

    private func handle(_ event: DecodeEvent) {
        switch event {
        case .info(let id, let info):
            if wantsDates { dates[id] = info.taken }
            let camera = info.capture.camera
            cameras[id] = camera.isEmpty ? nil : camera
            if wantsSizes, sizes[id] != info.size {
                sizes[id] = info.size
                newSizes.append(id)
            }
        case .opened, .waiting, .pixels, .gain, .frame, .tile, .metadata, .edited: break
        case .finished, .failed: startNext()
        }
    }

    private func isReportDue() -> Bool {
        reportsPartly && clock().seconds(since: lastReport) * 1000 > Self.reportInterval
    }

    private func reportDates() {
        guard !dates.isEmpty, isReportDue() || !session.isBusy else { return }
        lastReport = clock()
        onDates(dates)
        dates = [:]
    }

    /// Returns the sizes read since the last call.
    ///
    /// Sizes of pictures near the visible ones are returned together, so that the layout changes once.
    package func consumeSizes() -> [(id: Int, size: PixelSize)] {
        guard !newSizes.isEmpty, nearest.isEmpty && !session.isBusy || isReportDue() else {
            return []
        }
        lastReport = clock()
        defer { newSizes = [] }
        return newSizes.compactMap { id in sizes[id].map { (id, $0) } }
    }
}
