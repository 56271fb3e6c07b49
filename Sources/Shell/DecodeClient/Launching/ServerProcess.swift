import Glibc
import Synchronization
import SystemCalls
import Threads

/// The process of a decoder program that runs as a fork server; a thread may still be starting it.
final class ServerProcess: Sendable {
    private enum State {
        case starting
        case running(pid_t)
        /// With an error number.
        case failed(Int32)
        case stopped
    }

    private let state = Mutex(State.starting)

    /// Why the program could not be started; nil if it runs, or is being started.
    var error: SystemError? {
        state.withLock { state in
            if case .failed(let code) = state { SystemError(code: code) } else { nil }
        }
    }

    /// Starts the program with a socket, which is closed here.
    func start(_ program: DecoderProgram, with socket: Int32) {
        let outcome: State
        do throws(SystemError) {
            outcome = .running(try program.start(with: socket))
        } catch { outcome = .failed(error.code) }
        let isStopped = state.withLock { state in
            if case .stopped = state { return true }
            state = outcome
            return false
        }
        // A reader of the other end, which ends now after a failure, finds the reason.
        close(socket)
        if isStopped, case .running(let process) = outcome { Self.end(process) }
    }

    /// Starts the program beside this thread.
    ///
    /// New namespaces and the program take the kernel 2 to 8 ms. The program ends with its socket, not with
    /// the thread that has started it.
    func startBeside(_ program: DecoderProgram, with socket: Int32) {
        let isRunning = Thread.start { self.start(program, with: socket) }
        if !isRunning { start(program, with: socket) }
    }

    /// Kills the process, also one that is not running yet.
    func stop() {
        let process: pid_t? = state.withLock { state in
            defer { state = .stopped }
            return if case .running(let process) = state { process } else { nil }
        }
        if let process { Self.end(process) }
    }

    private static func end(_ process: pid_t) {
        kill(process, SIGKILL)
        Thread.collect(process)
    }
}
