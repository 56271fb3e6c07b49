package import DecodeClient
import ImageTypes
import Motion

/// Reads the stars that picture files have inside, in the background, by a sandboxed decoder process
/// that ends when nothing is left to read.
///
/// Pictures are identified by the ids of their entries.
package final class RatingReader {
    private let environment: DecoderEnvironment
    private let files: any PictureFiles
    /// Nil while nothing is read, and where no decoder can be started.
    private var session: DecodeSession?
    /// The picture that is being read, the revision of its file, and its stars as far as they are known.
    private var current: (id: Int, revision: Int, isUrgent: Bool, stars: Int)?
    /// Pictures that a person waits for, the first one last, and those that are read after them.
    private var urgent: [Int] = []
    private var waiting: [Int] = []
    /// What was read and is not reported yet.
    private var ratings: [Int: Int] = [:]
    private var lastReport: Moment?
    /// Whether no decoder can be started: the next picture would fail in the same way.
    private var hasFailed = false

    /// Called with the numbers of stars, by the ids of the pictures; 0 where a file says nothing, or
    /// cannot be read.
    package var onRatings: ([Int: Int]) -> Void = { _ in }

    /// The nice(2) value, below the decoder of the shown pictures.
    private static let niceness: Int32 = 10
    /// How long a file may not arrive, in milliseconds: the others wait.
    private static let patience = 5000.0
    /// The shortest time between two reports, in milliseconds: a report may sort the listing.
    private static let reportInterval = 500.0

    package init(_ environment: DecoderEnvironment, files: any PictureFiles) {
        (self.environment, self.files) = (environment, files)
    }

    /// Whether files are being read.
    package var isBusy: Bool { current != nil }

    /// Reads these pictures in their order; replaces the previous request.
    package func read(_ ids: [Int]) {
        waiting = ids.reversed().filter { $0 != current?.id }
        startNext()
    }

    /// Reads these pictures before all others.
    package func readNow(_ ids: [Int]) {
        urgent = ids.reversed() + urgent
        startNext()
    }

    /// Ends the decoder if nothing is being read; call it now and then, outside of the events.
    package func rest() { if !isBusy { session = nil } }

    // MARK: Reading

    private func startNext() {
        while current == nil, !hasFailed {
            let isUrgent = !urgent.isEmpty
            guard let id = urgent.popLast() ?? waiting.popLast() else { break }
            if ratings[id] == nil { start(id, isUrgent) }
        }
        if current == nil || isReportDue { report() }
    }

    private func start(_ id: Int, _ isUrgent: Bool) {
        guard let revision = files.fileRevision(id) else { return }
        guard let source = try? files.source(id) else {
            ratings[id] = 0
            return
        }
        guard let session = startedSession() else { return }
        current = (id, revision, isUrgent, 0)
        session.start(.header, of: id, source)
    }

    private func startedSession() -> DecodeSession? {
        if let session { return session }
        session = try? DecodeSession(
            environment, niceness: Self.niceness, decodesPixels: false, patience: Self.patience)
        session?.onEvent = { [unowned self] in handle($0) }
        hasFailed = session == nil
        return session
    }

    private func handle(_ event: DecodeEvent) {
        guard let reading = current else { return }
        // Of a file that was written meanwhile, the stars are read again.
        let isCurrent = files.fileRevision(reading.id) == reading.revision
        switch event {
        case .info(_, let info): current?.stars = info.rating ?? 0
        case .finished, .failed:
            if isCurrent { ratings[reading.id] = reading.stars }
            current = nil
            if reading.isUrgent { report() }
            startNext()
        case .opened, .waiting, .pixels, .gain, .frame, .tile, .metadata, .edited: break
        }
    }

    private var isReportDue: Bool {
        guard let lastReport else { return true }
        return environment.clock().seconds(since: lastReport) * 1000 > Self.reportInterval
    }

    private func report() {
        guard !ratings.isEmpty else { return }
        lastReport = environment.clock()
        let read = ratings
        ratings = [:]
        onRatings(read)
    }
}
