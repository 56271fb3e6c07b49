import Synchronization
import SystemCalls
import Threads

/// Work on the disk, one piece after another on a thread: a disk may not answer.
final class DiskWork: Sendable {
    typealias Piece = @Sendable () -> Void

    private struct State {
        var queue: [Piece] = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let idle = Wakeup()

    /// How long the end of the program waits for the disk, in milliseconds.
    private static let patience: Int32 = 2000
    /// More pieces than these do not wait for a disk that does not answer.
    private static let longest = 16

    var isBusy: Bool { state.withLock { $0.isRunning } }

    /// Does the work after all that was added before; drops it if too much is waiting.
    func add(_ piece: @escaping Piece) {
        let starts = state.withLock { state in
            guard state.queue.count < Self.longest else { return false }
            state.queue.append(piece)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        idle.lower()
        if !Thread.start({ self.run() }) { state.withLock { $0 = State() } }
    }

    private func run() { while let piece = next() { piece() } }

    private func next() -> Piece? {
        state.withLock { state in
            guard state.queue.isEmpty else { return state.queue.removeFirst() }
            state.isRunning = false
            idle.raise()
            return nil
        }
    }

    /// Waits until all work is done, but not for long.
    func finish() {
        if isBusy { waitUntilReady(idle.descriptor, milliseconds: Self.patience) }
    }
}
