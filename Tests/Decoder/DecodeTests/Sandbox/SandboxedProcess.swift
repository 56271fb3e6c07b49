import CLinux
import Glibc
import ImageTypes
import TestKit

@testable import ImageWire

/// A fork server and its only decoder, with the test as their client, which observes how the decoder
/// ends.
final class SandboxedProcess {
    /// The process number of the fork server.
    private(set) var server = pid_t()
    private var serverSocket: Int32
    private let socket: Int32

    /// Starts the program as the viewer does, or without namespaces; with `warmsUp` as for thumbnails.
    init(_ path: String, isIsolated: Bool = true, warmsUp: Bool = false) {
        let (mine, theirs) = Self.socketPair()
        serverSocket = mine
        let (decoder, end) = Self.socketPair()
        socket = decoder
        server = isIsolated ? clinux_spawn_isolated(path, -1, theirs) : Self.spawn(path, theirs)
        close(theirs)
        if warmsUp { Self.send(LaunchRequest.warmUp.bytes, serverSocket) }
        Self.send(LaunchRequest.start(number: 1, niceness: 0).bytes, serverSocket, with: end)
        close(end)
    }

    private static func spawn(_ path: String, _ socket: Int32) -> pid_t {
        var process = pid_t()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        // Via another number, because dup2 onto the same number would leave close-on-exec set.
        posix_spawn_file_actions_adddup2(&actions, socket, 250)
        posix_spawn_file_actions_adddup2(&actions, 250, 3)
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        posix_spawn(&process, path, &actions, nil, &arguments, &environment)
        posix_spawn_file_actions_destroy(&actions)
        free(arguments[0])
        return process
    }

    deinit {
        close(socket)
        closeServerSocket()
        kill(server, SIGKILL)
        waitpid(server, nil, 0)
    }

    /// Ends the connection to the fork server, as the end of the viewer does.
    func closeServerSocket() {
        guard serverSocket >= 0 else { return }
        close(serverSocket)
        serverSocket = -1
    }

    private static func socketPair() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0, "no socket for the test")
        return (ends[0], ends[1])
    }

    private static func send(_ bytes: [UInt8], _ socket: Int32, with descriptor: Int32 = -1) {
        _ = bytes.withUnsafeBytes { clinux_send(socket, $0.baseAddress, $0.count, descriptor) }
    }

    private static func receive(_ socket: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: longestMessage)
        var descriptor: Int32 = -1
        let count = clinux_receive(socket, &buffer, buffer.count, &descriptor)
        return Array(buffer.prefix(max(0, count)))
    }

    func show(_ bytes: [UInt8]) {
        let memory = clinux_memfd_create("picture")
        write(memory, bytes, bytes.count)
        Self.send(DecodeRequest.open(id: 1).bytes, socket, with: memory)
        close(memory)
    }

    /// What the decoder says about an attempt; nil if the attempt ended the decoder.
    func outcome(of command: String) -> String? {
        show(Array("HOSTILE \(command)".utf8))
        while let reply = receive() {
            if case .failed(_, .damaged(let reason)) = reply { return reason }
        }
        return nil
    }

    /// Waits for a reply; nil at the end of the decoder.
    @discardableResult func receive() -> DecodeReply? {
        let bytes = Self.receive(socket)
        return bytes.isEmpty ? nil : try? DecodeReply(bytes)
    }

    func sandboxReport() -> SandboxReport? {
        guard case .sandboxReport(0, let report) = receive() else { return nil }
        return report
    }

    /// Waits for the end of the decoder, as the fork server reports it.
    func ending() -> DecoderEnding? { try? LaunchReply(Self.receive(serverSocket)).ending }

    /// Waits for the end of the decoder; returns the signal that ended it, or 0.
    func endingSignal() -> Int32 {
        if case .signalled(let signal, _)? = ending() { Int32(signal) } else { 0 }
    }

    /// Whether the decoder ends within these milliseconds.
    func ends(within milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: socket, events: 0, revents: 0)
        return Glibc.poll(&poll, 1, milliseconds) == 1 && poll.revents & Int16(POLLHUP) != 0
    }

    /// The process number of the decoder.
    var decoder: String {
        ChildProcess.run(["/bin/cat", "/proc/\(server)/task/\(server)/children"]).output
            .filter(\.isNumber)
    }

    func threadsOfServer() -> Int {
        ChildProcess.run(["/bin/ls", "/proc/\(server)/task"]).output.split(separator: "\n").count
    }

    /// A field of /proc/PID/status.
    func status(_ name: String) -> String? {
        ChildProcess.run(["/bin/cat", "/proc/\(decoder)/status"]).output.split(separator: "\n")
            .first { $0.hasPrefix(name + ":") }?
            .drop { $0 != "\t" }.dropFirst().description
    }

    /// The hard limit of that name in /proc/PID/limits.
    func limit(_ name: String) -> String? {
        ChildProcess.run(["/bin/cat", "/proc/\(decoder)/limits"]).output.split(separator: "\n")
            .first { $0.hasPrefix(name) }?
            .dropFirst(name.count).split(separator: " ").dropFirst().first.map(String.init)
    }

    /// The open descriptors; empty if only the superuser may list them.
    func openFiles() -> [Substring] {
        ChildProcess.run(["/bin/ls", "/proc/\(decoder)/fd"]).output.split(separator: "\n")
    }
}
