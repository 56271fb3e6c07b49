import CLinux
import Glibc
import TestKit

@testable import ImageWire

/// A decoder process with the test as its client, which observes how the process ends.
final class SandboxedProcess {
    private let socket: Int32
    private var process = pid_t()

    init(_ path: String) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0, "no socket for the test")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        // Via another number, because dup2 onto the same number would leave close-on-exec set.
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
        send(.sandboxReport(id: 7))
        var buffer = [UInt8](repeating: 0, count: longestMessage)
        var descriptor: Int32 = -1
        let count = clinux_receive(socket, &buffer, buffer.count, &descriptor)
        let message = Array(buffer.prefix(max(0, count)))
        guard case .sandboxReport(7, let report) = try? DecodeReply(message)
        else { return nil }
        return report
    }

    /// Waits for the end of the process; returns the signal that ended it, or 0.
    func endingSignal() -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status & 0x7F
    }

    /// A field of /proc/PID/status.
    func status(_ name: String) -> String? {
        ChildProcess.run(["/bin/cat", "/proc/\(process)/status"]).output.split(separator: "\n")
            .first { $0.hasPrefix(name + ":") }?
            .drop { $0 != "\t" }.dropFirst().description
    }

    /// The hard limit of that name in /proc/PID/limits.
    func limit(_ name: String) -> String? {
        ChildProcess.run(["/bin/cat", "/proc/\(process)/limits"]).output.split(separator: "\n")
            .first { $0.hasPrefix(name) }?
            .dropFirst(name.count).split(separator: " ").dropFirst().first.map(String.init)
    }

    /// The open descriptors; empty if only the superuser may list them.
    func openFiles() -> [Substring] {
        ChildProcess.run(["/bin/ls", "/proc/\(process)/fd"]).output.split(separator: "\n")
    }
}
