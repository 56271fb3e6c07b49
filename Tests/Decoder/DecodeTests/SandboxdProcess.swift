import CLinux
import Glibc
import TestKit

@testable import ImageWire

/// A decoder with the test in the viewer's place, which sees how it ends.
final class CagedProcess {
    private let socket: Int32
    private var process = pid_t()

    init(_ path: String) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0, "no socket for the test")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        // By way of another number: a descriptor that is its own copy would be closed.
        posix_spawn_file_actions_adddup2(&actions, ends[1], 250)
        posix_spawn_file_actions_adddup2(&actions, 250, 3)
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        posix_spawn(&process, path, &actions, nil, &arguments, &environment)
        posix_spawn_file_actions_destroy(&actions)
        free(arguments[0])
        close(ends[1])
        socket = ends[0]
    }

    deinit {
        close(socket)
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    private func send(_ request: DecodeRequest, with descriptor: Int32 = -1) {
        _ = request.bytes.withUnsafeBytes {
            clinux_send(socket, $0.baseAddress, $0.count, descriptor)
        }
    }

    func show(_ bytes: [UInt8]) {
        let memory = clinux_memfd_create("picture")
        write(memory, bytes, bytes.count)
        send(.open(id: 1), with: memory)
        close(memory)
    }

    func askForSandbox() -> SandboxReport? {
        send(.cage(id: 7))
        var buffer = [UInt8](repeating: 0, count: longestMessage)
        var descriptor: Int32 = -1
        let count = clinux_receive(socket, &buffer, buffer.count, &descriptor)
        guard case .cage(7, let report) = try? DecodeReply(Array(buffer.prefix(max(0, count))))
        else { return nil }
        return report
    }

    /// The signal that ends it, 0 where it ends by itself; waits for the end.
    func endingSignal() -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status & 0x7F
    }

    /// A line of its status, as the kernel says.
    func status(_ name: String) -> String? {
        ChildProcess.run(["/bin/cat", "/proc/\(process)/status"]).output.split(separator: "\n")
            .first { $0.hasPrefix(name + ":") }?
            .drop { $0 != "\t" }.dropFirst().description
    }

    /// The hard limit of that name, as the kernel says.
    func limit(_ name: String) -> String? {
        ChildProcess.run(["/bin/cat", "/proc/\(process)/limits"]).output.split(separator: "\n")
            .first { $0.hasPrefix(name) }?
            .dropFirst(name.count).split(separator: " ").dropFirst().first.map(String.init)
    }

    /// What it has open; empty where nobody but the superuser may look.
    func openFiles() -> [Substring] {
        ChildProcess.run(["/bin/ls", "/proc/\(process)/fd"]).output.split(separator: "\n")
    }
}
