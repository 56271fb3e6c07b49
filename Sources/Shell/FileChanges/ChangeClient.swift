package import Edits
import Glibc
package import ImageWire
import SystemCalls

/// The viewer's side of changes of files: a queue of jobs, of which one is in progress.
///
/// For use in a poll loop: poll `socket`, then call `handleReadable`. No method waits for a file.
package final class ChangeClient {
    /// One action of a batch; the client closes the descriptor of its contents, which is -1 without any.
    package struct Step {
        package var action: FileAction
        package var contents: Int32

        package init(_ action: FileAction, contents: Int32 = -1) {
            (self.action, self.contents) = (action, contents)
        }
    }

    /// What became of a batch.
    package struct Result {
        package var title: String
        /// The actions that were performed, and where their files are now; empty for files that are gone.
        package var done: [(action: FileAction, path: [UInt8])] = []
        package var failures: [(action: FileAction, failure: ChangeFailure)] = []
        package var wasStopped = false

        package init(title: String) { self.title = title }
    }

    private enum Job {
        case batch(Batch)
        case reversal(ChangeRequest, (Swift.Result<BatchReversal, ChangeFailure>) -> Void)
        case marks([[UInt8]], ([SidecarMark]?) -> Void)
        case stamp([UInt8], (Swift.Result<FileStamp, ChangeFailure>) -> Void)
    }

    private struct Batch {
        var steps: [Step]
        var next = 0
        /// What names the batch in the journal; nil for its title.
        let kind: ChangeKind?
        var result: Result
        let onEnd: (Result) -> Void
    }

    private let connect: () -> Int32
    private let journal: [UInt8]
    /// The socket to the service; -1 without a connection.
    package private(set) var socket: Int32 = -1
    /// Called when `socket` has changed.
    package var onNewSocket: (Int32) -> Void = { _ in }
    /// Called when what can be undone or redone has changed.
    package var onState: () -> Void = {}
    /// Called while a job is in progress: the number of steps that are done, and of all.
    package var onProgress: (_ title: String, _ done: Int, _ all: Int) -> Void = { _, _, _ in }
    /// The names of the batches that can be undone and redone, each a `ChangeKind` or a text of an earlier
    /// version; empty if there are none.
    package private(set) var undoTitle = ""
    package private(set) var redoTitle = ""
    private var queue: [Job] = []
    /// Whether the first job of the queue waits for a reply.
    private var isWaiting = false
    private var isStopped = false

    /// Whether anything is in progress.
    package var isBusy: Bool { !queue.isEmpty }

    /// `connect` returns a socket to a `ChangeService`, or -1; `journal` is the path of the file in which
    /// changes are written down, empty for none.
    package init(journal: [UInt8], connect: @escaping () -> Int32) {
        (self.journal, self.connect) = (journal, connect)
    }

    deinit {
        if socket >= 0 { close(socket) }
        for case .batch(let batch) in queue { Self.closeContents(batch.steps[batch.next...]) }
    }

    /// Connects now, so that it is known what can be undone.
    package func open() { _ = ensureConnection() }

    // MARK: Jobs

    /// Performs actions as one batch, which is undone as a whole; takes over their descriptors.
    ///
    /// `title` is for progress.
    package func perform(
        _ title: String, kind: ChangeKind? = nil, _ steps: [Step],
        onEnd: @escaping (Result) -> Void
    ) {
        add(.batch(Batch(steps: steps, kind: kind, result: Result(title: title), onEnd: onEnd)))
    }

    package func undo(onEnd: @escaping (Swift.Result<BatchReversal, ChangeFailure>) -> Void) {
        add(.reversal(.undo, onEnd))
    }

    package func redo(onEnd: @escaping (Swift.Result<BatchReversal, ChangeFailure>) -> Void) {
        add(.reversal(.redo, onEnd))
    }

    /// Reads the marks of at most `ChangeRequest.mostMarks` pictures; `onEnd` gets nil if that fails.
    package func readMarks(of paths: [[UInt8]], onEnd: @escaping ([SidecarMark]?) -> Void) {
        add(.marks(paths, onEnd))
    }

    /// Asks for the state of a file.
    package func stamp(
        of path: [UInt8], onEnd: @escaping (Swift.Result<FileStamp, ChangeFailure>) -> Void
    ) {
        add(.stamp(path, onEnd))
    }

    /// Ends the job in progress after its present step, or in the middle of a long copy.
    package func stop() {
        guard isWaiting, !isStopped else { return }
        isStopped = true
        _ = PacketSocket.send(ChangeRequest.stop.bytes, to: socket)
    }

    private func add(_ job: Job) {
        queue.append(job)
        if !isWaiting { start() }
    }

    // MARK: Sending

    private func ensureConnection() -> Bool {
        guard socket < 0 else { return true }
        socket = connect()
        guard socket >= 0 else { return false }
        guard PacketSocket.send(ChangeRequest.open(journal: journal).bytes, to: socket) else {
            close(socket)
            socket = -1
            return false
        }
        onNewSocket(socket)
        return true
    }

    /// Sends the next request of the first job.
    private func start() {
        while let job = queue.first, !isWaiting {
            let isSent: Bool
            switch job {
            case .batch(let batch):
                guard batch.next < batch.steps.count, !isStopped else {
                    finish(batch)
                    continue
                }
                isSent = send(batch)
            case .reversal(let request, _): isSent = send(request)
            case .marks(let paths, _): isSent = send(.readMarks(paths: paths))
            case .stamp(let path, _): isSent = send(.stamp(path: path))
            }
            if isSent { isWaiting = true } else { failFirst() }
        }
    }

    private func send(_ request: ChangeRequest, with descriptor: Int32 = -1) -> Bool {
        ensureConnection() && PacketSocket.send(request.bytes, to: socket, with: descriptor)
    }

    private func send(_ batch: Batch) -> Bool {
        let name = batch.kind?.rawValue ?? batch.result.title
        if batch.next == 0, !send(.begin(title: name)) { return false }
        let step = batch.steps[batch.next]
        return send(.perform(step.action), with: step.contents)
    }

    private func finish(_ given: Batch) {
        var batch = given
        batch.result.wasStopped = batch.next < batch.steps.count
        Self.closeContents(batch.steps[batch.next...])
        queue.removeFirst()
        isStopped = false
        // The reply is the new state, which is for no job. A service that has ended needs no end.
        if socket >= 0 { _ = send(.end) }
        batch.onEnd(batch.result)
    }

    private static func closeContents(_ steps: ArraySlice<Step>) {
        for step in steps where step.contents >= 0 { close(step.contents) }
    }

    // MARK: Receiving

    /// Receives replies from the readable socket.
    package func handleReadable() {
        while socket >= 0 {
            switch PacketSocket.receive(from: socket, limit: ChangeRequest.longest) {
            case .nothing: return
            case .message(let bytes, let descriptor):
                if descriptor >= 0 { close(descriptor) }
                guard let reply = try? ChangeReply(bytes) else { return disconnect() }
                handle(reply)
            case .end: return disconnect()
            }
        }
    }

    private func handle(_ reply: ChangeReply) {
        switch reply {
        case .state(let undo, let redo):
            (undoTitle, redoTitle) = (undo, redo)
            onState()
            return
        case .progress(let done, let all):
            onProgress("", done, all)
            return
        default: break
        }
        guard isWaiting, let job = queue.first else { return }
        isWaiting = false
        switch (job, reply) {
        case (.batch(let batch), .done(let path)): advance(batch, .success(path))
        case (.batch(let batch), .failed(let failure)): advance(batch, .failure(failure))
        case (.reversal(_, let onEnd), .reversed(let reversal)):
            end()
            (undoTitle, redoTitle) = (reversal.undo, reversal.redo)
            onState()
            onEnd(.success(reversal))
        case (.reversal(_, let onEnd), .failed(let failure)):
            end()
            onEnd(.failure(failure))
        case (.marks(let paths, let onEnd), .marks(let marks)) where marks.count == paths.count:
            end()
            onEnd(marks)
        case (.stamp(_, let onEnd), .stamp(let stamp)):
            end()
            onEnd(.success(stamp))
        case (.stamp(_, let onEnd), .failed(let failure)):
            end()
            onEnd(.failure(failure))
        default:
            // A reply to something else: the job fails, and is not sent again.
            isWaiting = true
            return disconnect()
        }
        start()
    }

    private func end() {
        queue.removeFirst()
        isStopped = false
    }

    private func advance(_ given: Batch, _ outcome: Swift.Result<[UInt8], ChangeFailure>) {
        var batch = given
        let step = batch.steps[batch.next]
        if step.contents >= 0 { close(step.contents) }
        batch.next += 1
        switch outcome {
        case .success(let path): batch.result.done.append((step.action, path))
        case .failure(let failure): batch.result.failures.append((step.action, failure))
        }
        queue[0] = .batch(batch)
        onProgress(batch.result.title, batch.next, batch.steps.count)
    }

    /// The service has ended, or has sent nonsense: the job in progress fails, the next one connects
    /// again.
    private func disconnect() {
        close(socket)
        socket = -1
        onNewSocket(-1)
        if isWaiting { failFirst() }
        start()
    }

    private func failFirst() {
        isWaiting = false
        guard let job = queue.first else { return }
        switch job {
        case .batch(let batch):
            // The rest cannot be done either, so the batch ends.
            advance(batch, .failure(.interrupted))
            isStopped = true
        case .reversal(_, let onEnd):
            end()
            onEnd(.failure(.interrupted))
        case .marks(_, let onEnd):
            end()
            onEnd(nil)
        case .stamp(_, let onEnd):
            end()
            onEnd(.failure(.interrupted))
        }
    }
}
