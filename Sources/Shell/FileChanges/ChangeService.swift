import Edits
import Glibc
import ImageWire
import Localization
import SystemCalls
import Threads

/// Serves the requests of a `ChangeClient` in order; runs in the process of the file server, where calls
/// may wait for a file system.
package final class ChangeService {
    private let socket: Int32
    private let trash: any TrashBin
    private let onExchange: (_ path: [UInt8]) -> Void
    private var journal = ChangeJournal([])
    /// The batch that actions belong to, and the number of its steps so far.
    private var batch: (id: String, title: String, count: Int)?

    /// The shortest time between two reports of progress, in milliseconds.
    private static let reportPause = 100.0

    private init(
        _ socket: Int32, _ trash: any TrashBin, _ onExchange: @escaping (_ path: [UInt8]) -> Void
    ) {
        (self.socket, self.trash, self.onExchange) = (socket, trash, onExchange)
    }

    deinit { close(socket) }

    /// Serves a socket until the client closes its end; takes over the socket.
    ///
    /// `onExchange` is called with the absolute path of a file before and after it gets other contents,
    /// whose modification time may be the same.
    package static func run(
        _ socket: Int32, trash: any TrashBin,
        onExchange: @escaping (_ path: [UInt8]) -> Void = { _ in }
    ) {
        ChangeService(socket, trash, onExchange).serve()
    }

    private func serve() {
        while case .message(let bytes, let descriptor) = PacketSocket.receive(
            from: socket, limit: ChangeRequest.longest)
        {
            defer { if descriptor >= 0 { close(descriptor) } }
            guard let request = try? ChangeRequest(bytes) else { return }
            for reply in answer(request, descriptor) {
                guard PacketSocket.send(reply.bytes, to: socket) else { return }
            }
        }
    }

    private func answer(_ request: ChangeRequest, _ descriptor: Int32) -> [ChangeReply] {
        switch request {
        case .open(let path):
            open(path)
            return [state]
        case .begin(let title):
            batch = (String(UInt64.random(in: 0...UInt64.max), radix: 16), title, 0)
            return []
        case .perform(let action):
            guard descriptor >= 0 || !action.hasContents else {
                return [.failed(.refused(reason: localized("its new contents are missing")))]
            }
            return [perform(action, descriptor)]
        case .end:
            if let batch, batch.count > 0 {
                // No line: another viewer may have undone the batch already.
                journal.append(isSynced: true)
                journal.shorten()
            }
            batch = nil
            return [state]
        case .undo: return [reverse(isRedo: false)]
        case .redo: return [reverse(isRedo: true)]
        // What was to be stopped has ended.
        case .stop: return []
        case .readMarks(let paths): return [.marks(paths.map { Self.marks(of: $0) })]
        case .stamp(let path):
            do throws(ChangeFailure) {
                return [.stamp(try changer.stampOfContents(path))]
            } catch { return [.failed(error)] }
        }
    }

    private var changer: FileChanger {
        FileChanger(
            trash: trash, journal: journal, isStopped: { [unowned self] in hasMessage },
            onExchange: onExchange)
    }

    /// Whether the client has sent something before its reply, which can only be `stop`, or has gone.
    private var hasMessage: Bool { waitUntilReady(socket, milliseconds: 0) }

    private func open(_ path: [UInt8]) {
        journal = ChangeJournal(path)
        // A folder that does not answer may delay the removal, but no change.
        _ = Thread.start {
            let journal = ChangeJournal(path)
            WorkFolder.removeLeftovers(journal)
            journal.shorten()
        }
    }

    private var state: ChangeReply {
        let (undo, redo) = titles(journal.read())
        return .state(undo: undo, redo: redo)
    }

    private func titles(_ history: ChangeHistory) -> (undo: String, redo: String) {
        func title(_ index: Int?) -> String { index.map { history.batches[$0].title } ?? "" }
        return (title(history.undoable), title(history.redoable))
    }

    // MARK: Actions

    private func perform(_ action: FileAction, _ contents: Int32) -> ChangeReply {
        let changes: [FileChange]
        do throws(ChangeFailure) {
            changes = try changer.perform(action, contents: contents)
        } catch { return .failed(error) }
        note(changes)
        return .done(path: changes.first?.path ?? [])
    }

    private func note(_ changes: [FileChange]) {
        guard let batch, !changes.isEmpty else { return }
        let begin = ChangeHistory.Line.begin(id: batch.id, title: batch.title)
        let steps = changes.enumerated().map { number, change in
            ChangeHistory.Line.step(
                id: batch.id, number: batch.count + number, .init(change: change))
        }
        journal.append((batch.count == 0 ? [begin] : []) + steps)
        self.batch?.count += changes.count
    }

    // MARK: Undo and redo

    private func reverse(isRedo: Bool) -> ChangeReply {
        let history = journal.read()
        guard let index = isRedo ? history.redoable : history.undoable else {
            return .failed(
                .refused(
                    reason: isRedo
                        ? localized("there is nothing to redo")
                        : localized("there is nothing to undo")))
        }
        let batch = history.batches[index]
        var reversal = BatchReversal(title: batch.title, isRedo: isRedo)
        let groups = batch.groups(isUndone: isRedo)
        reversal.outcome = batch.outcome(ofReversing: groups, isRedo: isRedo)
        var lastReport = Self.now()
        var wasStopped = false
        // The number of a step that an undo adds.
        var next = batch.steps.count
        for (place, group) in (isRedo ? groups : groups.reversed()).enumerated() {
            if hasMessage {
                wasStopped = true
                break
            }
            reverse(group, of: batch, isRedo, &next, &reversal)
            if Self.now() - lastReport > Self.reportPause {
                lastReport = Self.now()
                _ = PacketSocket.send(
                    ChangeReply.progress(done: place + 1, all: groups.count).bytes, to: socket)
            }
        }
        // What was stopped, and has steps left, goes on with the next request.
        if !wasStopped {
            journal.append(.end(id: batch.id, isUndone: !isRedo), isSynced: true)
        }
        (reversal.undo, reversal.redo) = titles(journal.read())
        return .reversed(reversal)
    }

    private func reverse(
        _ group: ChangeHistory.Group, of batch: ChangeHistory.Batch, _ isRedo: Bool,
        _ next: inout Int, _ reversal: inout BatchReversal
    ) {
        let numbers = [group.picture] + group.companions
        let changes = numbers.map { batch.steps[$0].change }
        let outcomes: [Result<FileChange, ChangeFailure>]
        do throws(ChangeFailure) {
            outcomes = try changer.reverse(changes[0], Array(changes.dropFirst()))
        } catch { return note(error, changes[0].subject, in: &reversal) }
        var lines: [ChangeHistory.Line] = []
        for (place, outcome) in outcomes.enumerated() {
            switch outcome {
            case .success(let change):
                let number = numbers.indices.contains(place) ? numbers[place] : next
                next = max(next, number + 1)
                lines.append(
                    .step(id: batch.id, number: number, .init(change: change, isUndone: !isRedo)))
            case .failure(let failure): note(failure, changes[place].subject, in: &reversal)
            }
        }
        journal.append(lines)
        reversal.count += lines.count
        guard case .success(let change)? = outcomes.first else { return }
        reversal.pictures += 1
        if reversal.subject.isEmpty || group.picture == 0 {
            (reversal.path, reversal.subject) = (change.path, change.subject)
        }
    }

    private func note(
        _ failure: ChangeFailure, _ path: [UInt8], in reversal: inout BatchReversal
    ) {
        reversal.failures += 1
        if reversal.failure == nil { (reversal.failure, reversal.failedPath) = (failure, path) }
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    // MARK: Marks

    private static func marks(of path: [UInt8]) -> SidecarMark {
        let bytes = try? SidecarFile.read(FileNames.sidecar(of: path))
        return bytes.map { Sidecar.marks(in: $0) } ?? SidecarMark()
    }
}
