import CLinux
import ImageWire
import Glibc
import ImageTypes
import SystemCalls

/// Why the decoder program cannot be started.
package struct DecodeClientError: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var code: Int32
    package var description: String { "\(path): \(SystemError(code: code))" }
}

/// A running decoder process and the socket to it; the process is killed in `deinit`.
final class DecoderProcess {
    let socket: Int32
    private let process: pid_t

    /// The descriptor of the socket in the decoder process.
    private static let decoderSocket: Int32 = 3

    /// Starts the program at `path` with a niceness as in nice(2), and sends it its limits and the
    /// display profile.
    init(
        _ path: String, niceness: Int32, limits: DecodeLimits = .standard,
        screen: ScreenProfile? = nil
    ) throws(DecodeClientError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        do throws(SystemError) {
            try reporting { socketpair(AF_UNIX, kind, 0, &ends) }
        } catch { throw DecodeClientError(path: path, code: error.code) }
        let (code, process) = Self.spawn(path, socket: ends[1])
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw DecodeClientError(path: path, code: code)
        }
        clinux_set_nonblocking(ends[0], 1)
        socket = ends[0]
        self.process = process
        // A failure is ignored: the decoder then only competes more with other processes.
        let target = __priority_which_t(PRIO_PROCESS.rawValue)
        if niceness > 0 { setpriority(target, id_t(process), niceness) }
        if limits != .standard { _ = send(.limit(id: 0, limits)) }
        if let screen { sendProfile(screen) }
    }

    private func sendProfile(_ screen: ScreenProfile) {
        let memory = clinux_memfd_create("vitrine-screen")
        guard memory >= 0 else { return }
        defer { close(memory) }
        guard write(memory, screen.bytes, screen.bytes.count) == screen.bytes.count else { return }
        _ = send(.screen(id: 0), with: memory)
    }

    deinit {
        close(socket)
        kill(process, SIGKILL)
        // Nothing else waits for this process. It was killed, so the call returns soon.
        trapping("waitpid") { retrying { waitpid(process, nil, 0) } }
    }

    private static func spawn(_ path: String, socket: Int32) -> (Int32, pid_t) {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, socket, decoderSocket)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        // Not the viewer's standard error: if that is a terminal, the decoder could read from it
        // and control it.
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // The viewer blocks the signals that it reads from a descriptor; the decoder must not.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
        // The environment is empty: the decoder needs none of the viewer's variables.
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        defer { free(arguments[0]) }
        let code = posix_spawn(&process, path, &actions, &attributes, &arguments, &environment)
        return (code, process)
    }

    /// Sends a request, with a descriptor or -1; returns false if the decoder has ended.
    func send(_ request: DecodeRequest, with descriptor: Int32 = -1) -> Bool {
        request.bytes.withUnsafeBytes {
            clinux_send(socket, $0.baseAddress, $0.count, descriptor) == $0.count
        }
    }

    /// Whether the process has ended.
    var isGone: Bool {
        var poll = pollfd(fd: socket, events: 0, revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP) != 0
    }

    /// The processor time that all threads of the process have used, in whole seconds; 0 if
    /// unknown.
    var processorSeconds: Int {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return 0
        }
        return time.tv_sec
    }

    /// The result of reading: a message with its descriptor or -1, nothing yet, or the end of the
    /// connection.
    enum Received {
        case message([UInt8], descriptor: Int32)
        case nothing
        case end
    }

    func receive() -> Received {
        var buffer = [UInt8](repeating: 0, count: longestMessage)
        var descriptor: Int32 = -1
        do throws(SystemError) {
            let count = try reporting {
                clinux_receive(socket, &buffer, buffer.count, &descriptor)
            }
            if count > 0 { return .message(Array(buffer.prefix(count)), descriptor: descriptor) }
            if descriptor >= 0 { close(descriptor) }
            return .end
        } catch { return error.code == EAGAIN ? .nothing : .end }
    }
}
