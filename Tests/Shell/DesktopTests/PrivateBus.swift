import CLinux
import Glibc
import SystemCalls
import TestKit

/// A session bus for one test.
final class PrivateBus {
    /// The D-Bus address.
    let address: String
    private let daemon: RunningProcess
    private let folder = TemporaryFolder()
    private var programs: [RunningProcess] = []

    /// A program of the test that did not start; `text` is what it wrote.
    struct Failure: Error {
        var text: String
    }

    /// Starts the bus, at a socket of its own or at `path`.
    ///
    /// Programs that the bus starts have the variables of `environment`.
    init(at path: String? = nil, environment: [String] = []) throws {
        let errors = folder / "daemon.txt"
        let socket = path ?? folder / "bus"
        let pipe = try Pipe()
        daemon = RunningProcess(
            [
                "/usr/bin/dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address=9",
                "--address=unix:path=" + socket,
            ], environment: ["PATH=/usr/bin:/bin"] + environment, errors: errors,
            passing: pipe.writeEnd)
        guard pipe.firstLine() != nil else { throw Failure(text: TestFile.text(errors) ?? "") }
        address = "unix:path=" + socket
    }

    /// Runs a program on the bus, and waits for its first line on descriptor 9.
    @discardableResult
    func run(_ arguments: [String]) throws -> RunningProcess {
        let errors = folder / "program\(programs.count).txt"
        let pipe = try Pipe()
        let program = RunningProcess(
            arguments,
            environment: ["PATH=/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS=" + address],
            errors: errors, passing: pipe.writeEnd)
        guard pipe.firstLine() != nil else { throw Failure(text: TestFile.text(errors) ?? "") }
        programs.append(program)
        return program
    }

    /// Ends the bus at once: it says nothing about the programs that lose their connections.
    func end() { kill(daemon.number, SIGKILL) }
}

/// A pipe whose other end a program has.
private final class Pipe {
    private let readEnd: Int32
    private(set) var writeEnd: Int32

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        try reporting { pipe(&ends) }
        for end in ends { clinux_set_cloexec(end, 1) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        closeWriteEnd()
    }

    private func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }

    /// The text up to the first line break; nil if the program ended before.
    func firstLine() -> String? {
        closeWriteEnd()
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while retrying({ read(readEnd, &byte, 1) }) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }
}
