import CLinux
import Glibc
package import ImageTypes
import ImageWire
import Localization
import SystemCalls
import Threads

/// Why the decoder program cannot be started.
package struct DecodeClientError: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var code: Int32
    /// The library for want of which the program has ended; nil for other reasons.
    var library: MissingLibrary?

    package init(path: String, code: Int32) { (self.path, self.code) = (path, code) }

    /// The program has ended before it has answered.
    static func ended(_ path: String) -> DecodeClientError {
        var error = DecodeClientError(path: path, code: EPIPE)
        error.library = .first(of: path)
        return error
    }

    package var description: String {
        "\(path): \(library?.description ?? SystemError(code: code).description)"
    }
}

/// Starts decoder processes as copies of the decoder program, which runs as their fork server.
///
/// The fork server receives no file, so no file can have taken it over. If the fork server ends, its
/// decoders end with it, and the next decoder gets a new one.
package final class DecoderLauncher {
    private let program: DecoderProgram
    let limits: DecodeLimits
    private let screen: ScreenProfile?
    private var process = ServerProcess()
    /// The socket to the fork server; -1 while there is none.
    package private(set) var socket: Int32 = -1 {
        didSet { if socket != oldValue { onNewSocket(socket) } }
    }
    /// Called when `socket` has changed.
    package var onNewSocket: (Int32) -> Void = { _ in }
    private var lastNumber = 0
    private var isWarm = false
    /// Whether a decoder has answered, so that the program has all of its libraries.
    fileprivate var hasAnswered = false {
        didSet { if hasAnswered { startError = nil } }
    }
    /// Why the program ends at its start; nil if it does not, and for an unknown reason.
    private(set) var startError: DecodeClientError?
    /// What to call at the ends of the running decoders, by their numbers.
    private var handlers: [Int: (DecoderEnding) -> Void] = [:]

    /// Starts the fork server; throws if it cannot be started.
    ///
    /// Each decoder gets the limits and the display profile.
    package init(
        _ program: DecoderProgram, limits: DecodeLimits = .standard, screen: ScreenProfile? = nil
    ) throws(DecodeClientError) {
        self.program = program
        self.limits = limits
        self.screen = screen
        try startServer()
    }

    deinit {
        onNewSocket = { _ in }
        stopServer()
    }

    // MARK: Fork server

    /// Starts the first fork server.
    private func startServer() throws(DecodeClientError) {
        let ends = try Self.socketPair(program.path)
        process.start(program, with: ends.theirs)
        if let error = process.error {
            close(ends.ours)
            throw DecodeClientError(path: program.path, code: error.code)
        }
        socket = ends.ours
    }

    /// Starts a fork server beside this thread, and sends it a request already.
    ///
    /// Where the fork server cannot be started, its socket ends.
    private func restartServer(
        for request: LaunchRequest, with descriptor: Int32
    ) throws(DecodeClientError) {
        let ends = try Self.socketPair(program.path)
        process = ServerProcess()
        process.startBeside(program, with: ends.theirs)
        socket = ends.ours
        guard send(request, with: descriptor) else {
            stopServer()
            throw .ended(program.path)
        }
        if isWarm { warmUp() }
    }

    /// Lets the fork server prepare what decoders compute at first use, for many files to come.
    ///
    /// This takes longer than it saves a single decoder.
    func warmUp() {
        isWarm = true
        _ = send(.warmUp)
    }

    private func stopServer() {
        guard socket >= 0 else { return }
        close(socket)
        socket = -1
        process.stop()
    }

    private static func socketPair(
        _ path: String
    ) throws(DecodeClientError) -> (ours: Int32, theirs: Int32) {
        do throws(SystemError) {
            return try PacketSocket.pair()
        } catch { throw DecodeClientError(path: path, code: error.code) }
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
        let ends = try Self.socketPair(program.path)
        defer { close(ends.theirs) }
        lastNumber += 1
        let request = LaunchRequest.start(number: lastNumber, niceness: Int(niceness))
        if socket < 0 || !send(request, with: ends.theirs) {
            do throws(DecodeClientError) {
                serverHasEnded()
                try restartServer(for: request, with: ends.theirs)
            } catch {
                close(ends.ours)
                throw error
            }
        }
        handlers[lastNumber] = onEnd
        let decoder = DecoderProcess(socket: ends.ours, number: lastNumber, launcher: self)
        if limits != .standard { decoder.send(.limit(id: 0, limits)) }
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
        decoder.send(.screen(id: 0), with: memory)
    }

    /// Kills a decoder, whose end is not reported.
    fileprivate func stop(_ number: Int) {
        guard handlers.removeValue(forKey: number) != nil else { return }
        _ = send(.stop(number: number))
    }

    private func send(_ request: LaunchRequest, with descriptor: Int32 = -1) -> Bool {
        PacketSocket.send(request.bytes, to: socket, with: descriptor)
    }

    /// Receives the ends of decoders from the readable socket, and reports them.
    package func handleReadable() {
        while socket >= 0 {
            switch PacketSocket.receive(from: socket, limit: longestMessage) {
            case .nothing: return
            case .message(let bytes, let descriptor):
                if descriptor >= 0 { close(descriptor) }
                if let reply = try? LaunchReply(bytes) {
                    hasAnswered = true
                    handlers.removeValue(forKey: reply.number)?(reply.ending)
                }
            case .end: serverHasEnded()
            }
        }
    }

    /// Reports the ends of all decoders, which end with the fork server.
    private func serverHasEnded() {
        if process.error == nil, !hasAnswered, startError == nil {
            let error = DecodeClientError.ended(program.path)
            startError = error.library == nil ? nil : error
        }
        let ending: DecoderEnding =
            if let code = process.error?.code ?? startError?.code {
                .notStarted(code: Int(code))
            } else {
                .signalled(Int(SIGKILL), processorSeconds: 0)
            }
        stopServer()
        let ended = handlers.values
        handlers = [:]
        for handler in ended { handler(ending) }
    }
}

/// A running decoder process and the socket to it; the process is killed in `deinit`.
final class DecoderProcess {
    let socket: Int32
    private let number: Int
    private let launcher: DecoderLauncher
    /// What the decoder has reported about its sandbox; nil until then.
    private(set) var sandboxReport: SandboxReport?
    /// Whether the system has refused to send a request to the running decoder.
    private(set) var isCutOff = false

    fileprivate init(socket: Int32, number: Int, launcher: DecoderLauncher) {
        self.socket = socket
        self.number = number
        self.launcher = launcher
    }

    deinit {
        close(socket)
        launcher.stop(number)
    }

    /// Sends a request, with a descriptor or -1.
    ///
    /// A decoder that has ended is detected when its socket is read. A decoder that misses a request is
    /// cut off, because a reply would be waited for in vain.
    func send(_ request: DecodeRequest, with descriptor: Int32 = -1) {
        guard !PacketSocket.send(request.bytes, to: socket, with: descriptor),
            !PacketSocket.isClosed(socket)
        else { return }
        isCutOff = true
        PacketSocket.shutDown(socket)
    }

    /// Remembers the report, which is the first message; returns false if there was one before.
    func note(_ report: SandboxReport) -> Bool {
        guard sandboxReport == nil else { return false }
        sandboxReport = report
        launcher.hasAnswered = true
        SandboxWatch.note(report)
        return true
    }

    /// Why the program of the decoder ends at its start; nil if it does not, and for an unknown reason.
    var startError: DecodeClientError? { launcher.startError }

    /// Whether the decoder may have a file now; throws if it must never have one.
    ///
    /// Where the sandbox is required, a decoder has to report it before.
    var mayHaveFile: Bool {
        get throws(DecodeFailure) {
            guard launcher.limits.requiresSandbox else { return true }
            guard let report = sandboxReport else { return false }
            let lacking = report.lacking.filter(\.isRequired).map(\.name)
            guard lacking.isEmpty else {
                let names = lacking.joined(separator: ", ")
                throw .unreadable(
                    reason: localized("the decoder has no \(names), which decode.sandbox requires"))
            }
            return true
        }
    }

    /// The next message of the decoder.
    func receive() -> PacketSocket.Packet {
        PacketSocket.receive(from: socket, limit: longestMessage)
    }
}
