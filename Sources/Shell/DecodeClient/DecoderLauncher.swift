import CLinux
import Glibc
package import ImageTypes
import ImageWire
import SystemCalls
import Threads

/// Why the decoder program cannot be started.
package struct DecodeClientError: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var code: Int32
    package var description: String { "\(path): \(SystemError(code: code))" }
}

/// Starts decoder processes as copies of the decoder program, which runs as their fork server.
///
/// The fork server receives no file, so no file can have taken it over. If the fork server ends, its
/// decoders end with it, and the next decoder gets a new one.
package final class DecoderLauncher {
    private let path: String
    let limits: DecodeLimits
    private let screen: ScreenProfile?
    private var process: pid_t = 0
    /// The socket to the fork server; -1 while there is none.
    package private(set) var socket: Int32 = -1 {
        didSet { if socket != oldValue { onNewSocket(socket) } }
    }
    /// Called when `socket` has changed.
    package var onNewSocket: (Int32) -> Void = { _ in }
    private var lastNumber = 0
    /// What to call at the ends of the running decoders, by their numbers.
    private var handlers: [Int: (DecoderEnding) -> Void] = [:]

    /// Starts the fork server from the program at `path`; throws if it cannot be started.
    ///
    /// Each decoder gets the limits and the display profile.
    package init(
        _ path: String, limits: DecodeLimits = .standard, screen: ScreenProfile? = nil
    ) throws(DecodeClientError) {
        self.path = path
        self.limits = limits
        self.screen = screen
        try startServer()
    }

    deinit {
        onNewSocket = { _ in }
        stopServer()
    }

    // MARK: Fork server

    private func startServer() throws(DecodeClientError) {
        let ends = try Self.socketPair(path)
        defer { close(ends.theirs) }
        do throws(SystemError) {
            process = try reporting { clinux_spawn_isolated(path, ends.theirs) }
        } catch {
            close(ends.ours)
            throw DecodeClientError(path: path, code: error.code)
        }
        socket = ends.ours
    }

    private func stopServer() {
        guard socket >= 0 else { return }
        close(socket)
        socket = -1
        let process = process
        kill(process, SIGKILL)
        // The end of a process may take as long as a folder does not answer, so a thread waits for it.
        let isWaiting = Thread.start {
            _ = trapping("waitpid") { retrying { waitpid(process, nil, 0) } }
        }
        if !isWaiting { waitpid(process, nil, WNOHANG) }
    }

    private static func socketPair(
        _ path: String
    ) throws(DecodeClientError) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        do throws(SystemError) {
            try reporting { socketpair(AF_UNIX, kind, 0, &ends) }
        } catch { throw DecodeClientError(path: path, code: error.code) }
        clinux_set_nonblocking(ends[0], 1)
        return (ends[0], ends[1])
    }

    // MARK: Decoders

    /// Starts a decoder with a niceness as in nice(2); throws if it cannot be started.
    ///
    /// `usesScreen` is false for decoders of which no pixels are requested.
    /// `onEnd` is called in `handleReadable` after the end of the process, unless the decoder was
    /// dropped before.
    func start(
        niceness: Int32, usesScreen: Bool, onEnd: @escaping (DecoderEnding) -> Void
    ) throws(DecodeClientError) -> DecoderProcess {
        let ends = try Self.socketPair(path)
        defer { close(ends.theirs) }
        lastNumber += 1
        let request = LaunchRequest.start(number: lastNumber, niceness: Int(niceness))
        if socket < 0 || !send(request, with: ends.theirs) {
            do throws(DecodeClientError) {
                serverHasEnded()
                try startServer()
            } catch {
                close(ends.ours)
                throw error
            }
            _ = send(request, with: ends.theirs)
        }
        handlers[lastNumber] = onEnd
        let decoder = DecoderProcess(socket: ends.ours, number: lastNumber, launcher: self)
        if limits != .standard { _ = decoder.send(.limit(id: 0, limits)) }
        if let screen, usesScreen { send(screen, to: decoder) }
        return decoder
    }

    private func send(_ screen: ScreenProfile, to decoder: DecoderProcess) {
        var memory = clinux_memfd_create("vitrine-screen")
        guard memory >= 0 else { return }
        defer { close(memory) }
        guard write(memory, screen.bytes, screen.bytes.count) == screen.bytes.count else { return }
        let constant = clinux_make_constant(memory)
        guard constant >= 0 else { return }
        memory = constant
        _ = decoder.send(.screen(id: 0), with: memory)
    }

    /// Kills a decoder, whose end is not reported.
    fileprivate func stop(_ number: Int) {
        guard handlers.removeValue(forKey: number) != nil else { return }
        _ = send(.stop(number: number))
    }

    private func send(_ request: LaunchRequest, with descriptor: Int32 = -1) -> Bool {
        request.bytes.withUnsafeBytes {
            clinux_send(socket, $0.baseAddress, $0.count, descriptor) == $0.count
        }
    }

    /// Receives the ends of decoders from the readable socket, and reports them.
    package func handleReadable() {
        while socket >= 0 {
            switch WirePacket(from: socket) {
            case .nothing: return
            case .message(let bytes, let descriptor):
                if descriptor >= 0 { close(descriptor) }
                if let reply = try? LaunchReply(bytes) {
                    handlers.removeValue(forKey: reply.number)?(reply.ending)
                }
            case .end: serverHasEnded()
            }
        }
    }

    /// Reports the ends of all decoders, which end with the fork server.
    private func serverHasEnded() {
        stopServer()
        let ended = handlers.values
        handlers = [:]
        for handler in ended { handler(.signalled(Int(SIGKILL), processorSeconds: 0)) }
    }
}

/// A running decoder process and the socket to it; the process is killed in `deinit`.
final class DecoderProcess {
    let socket: Int32
    private let number: Int
    private let launcher: DecoderLauncher
    /// What the decoder has reported about its sandbox; nil until then.
    private(set) var sandboxReport: SandboxReport?

    fileprivate init(socket: Int32, number: Int, launcher: DecoderLauncher) {
        self.socket = socket
        self.number = number
        self.launcher = launcher
    }

    deinit {
        close(socket)
        launcher.stop(number)
    }

    /// Sends a request, with a descriptor or -1; returns false if the decoder has ended.
    func send(_ request: DecodeRequest, with descriptor: Int32 = -1) -> Bool {
        request.bytes.withUnsafeBytes {
            clinux_send(socket, $0.baseAddress, $0.count, descriptor) == $0.count
        }
    }

    /// Remembers the report, which is the first message; returns false if there was one before.
    func note(_ report: SandboxReport) -> Bool {
        guard sandboxReport == nil else { return false }
        sandboxReport = report
        SandboxWatch.note(report)
        return true
    }

    /// The next message of the decoder.
    func receive() -> WirePacket { WirePacket(from: socket) }
}

/// What a socket of the decoder program has to read.
enum WirePacket {
    /// A message with its descriptor, which the receiver closes, or -1.
    case message([UInt8], descriptor: Int32)
    case nothing
    /// The end of the connection.
    case end

    /// Reads the next message from a socket that does not block.
    init(from socket: Int32) {
        var buffer = [UInt8](repeating: 0, count: longestMessage)
        var descriptor: Int32 = -1
        do throws(SystemError) {
            let count = try reporting {
                clinux_receive(socket, &buffer, buffer.count, &descriptor)
            }
            guard count == 0 else {
                self = .message(Array(buffer.prefix(count)), descriptor: descriptor)
                return
            }
            if descriptor >= 0 { close(descriptor) }
            self = .end
        } catch { self = error.code == EAGAIN ? .nothing : .end }
    }
}
