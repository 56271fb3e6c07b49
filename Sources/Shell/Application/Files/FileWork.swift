import Edits
import ImageWire
import Desktop
import EventLoop
import FileAccess
import FileChanges
import Folders
import Glibc
import Localization
import Motion
import SystemCalls
import Threads

/// Changes of files on behalf of the sessions of a run, which share one journal.
final class FileWork {
    let changes: ChangeClient
    /// Reads marks, which no change has to wait for.
    let reading: ChangeClient
    /// How far the job in progress is, after it has taken some time; nil at its end.
    var onProgress: (Progress?) -> Void = { _ in }
    /// Called when what can be undone or redone has changed.
    var onState: () -> Void = {}
    /// The clock of the run, which the sessions set.
    var now: () -> Moment = { .zero }
    private let hasJournal: Bool
    /// When the progress of the job is shown; nil without a job.
    private var progressStart: Moment?
    private var progress = Progress()
    private var sourcesOfEvents: [EventSources.Source] = []

    struct Progress: Hashable {
        var title = ""
        var done = 0
        var all = 0

        /// 0…1.
        var share: Double { all > 0 ? Double(done) / Double(all) : 0 }
    }

    /// Progress is shown after this time, in milliseconds.
    private static let quietTime = 500.0
    private static let journalName = "changes"

    /// `files` is nil if files are changed on threads of this process; without a folder for state,
    /// changes can be undone by this run only.
    init(_ files: FileClient?, stateFolder: FilePath?, _ sources: EventSources) {
        let connect = { files?.connectChanges() ?? Self.startThread() }
        let journal = stateFolder?.appending(Array(Self.journalName.utf8)).bytes ?? []
        hasJournal = !journal.isEmpty
        changes = ChangeClient(journal: journal, connect: connect)
        reading = ChangeClient(journal: [], connect: connect)
        for client in [changes, reading] {
            let source = sources.add(descriptor: client.socket) { client.handleReadable() }
            client.onNewSocket = { [unowned sources] in sources.setDescriptor($0, of: source) }
            sourcesOfEvents.append(source)
        }
        changes.onState = { [unowned self] in onState() }
        changes.onProgress = { [unowned self] title, done, all in
            progress = Progress(
                title: title.isEmpty ? progress.title : title, done: done, all: all)
            if let progressStart, now() >= progressStart { onProgress(progress) }
        }
        sourcesOfEvents.append(
            sources.add(runDeadline: { [unowned self] in progressDeadline }) { [unowned self] in
                isProgressShown = true
                onProgress(progress)
            })
    }

    private var isProgressShown = false
    private var progressDeadline: Moment? { isProgressShown ? nil : progressStart }

    /// Serves changes on a thread of this process.
    private static func startThread() -> Int32 {
        guard let (ours, theirs) = try? PacketSocket.pair() else { return -1 }
        let isRunning = Thread.start { ChangeService.run(theirs, trash: DesktopTrash()) }
        guard isRunning else {
            close(ours)
            close(theirs)
            return -1
        }
        return ours
    }

    /// Connects where there is a journal, so that it is known what an earlier run has left to be undone.
    func prepare() { if hasJournal { changes.open() } }

    var isBusy: Bool { changes.isBusy }

    // MARK: Jobs

    /// Performs a batch, and shows its progress after some time.
    func perform(
        _ title: String, _ kind: ChangeKind, _ steps: [ChangeClient.Step],
        onEnd: @escaping (ChangeClient.Result) -> Void
    ) {
        beginJob(title, count: steps.count)
        changes.perform(title, kind: kind, steps) { [unowned self] result in
            endJob()
            onEnd(result)
        }
    }

    /// Undoes the last batch, or redoes the one that was undone last.
    func reverse(
        isRedo: Bool, onEnd: @escaping (Result<BatchReversal, ChangeFailure>) -> Void
    ) {
        beginJob(isRedo ? localized("Redo") : localized("Undo"), count: 0)
        let end: (Result<BatchReversal, ChangeFailure>) -> Void = { [unowned self] in
            endJob()
            onEnd($0)
        }
        if isRedo { changes.redo(onEnd: end) } else { changes.undo(onEnd: end) }
    }

    /// Ends the job in progress after its present step.
    func stop() { changes.stop() }

    private func beginJob(_ title: String, count: Int) {
        guard progressStart == nil else { return }
        progress = Progress(title: title, all: count)
        progressStart = now().advanced(byMilliseconds: Self.quietTime)
        isProgressShown = false
    }

    private func endJob() {
        guard !changes.isBusy else { return }
        let wasShown = isProgressShown
        (progressStart, isProgressShown) = (nil, false)
        if wasShown { onProgress(nil) }
    }
}
