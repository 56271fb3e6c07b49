import CLinux
import CompositorKit
import Glibc
import TestKit
import Testing

/// Messages to the program of a stage.
extension Stage {
    /// The socket of the program, at the usual place.
    var socket: String {
        get throws { folder / "vitrine-\(try program.number).sock" }
    }

    /// Runs `vitrine msg` while the compositor goes on.
    func message(_ arguments: String...) -> ChildProcess { message(arguments) }

    func message(_ arguments: [String]) -> ChildProcess {
        let environment = ["XDG_RUNTIME_DIR=\(folder.path)", "LANG=C.UTF-8"]
        let run = ThreadedRun.start {
            ChildProcess.run(
                [Binaries.vitrine, "msg"] + arguments, environment: environment)
        }
        compositor.run(seconds: 30) { run.isDone }
        return run.value ?? ChildProcess.run(["false"])
    }

    /// Sends a message that is to be done, and waits until its effect is shown.
    func expectDone(
        _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let result = message(arguments)
        #expect(result.output == "{\"ok\":true}\n", sourceLocation: sourceLocation)
        #expect(result.status == 0, "\(result.errors)", sourceLocation: sourceLocation)
        untilSeen(sourceLocation: sourceLocation)
    }
}

/// A connection to the socket of a stage's program.
final class MessagePeer {
    private let descriptor: Int32
    private let stage: Stage
    private var received: [UInt8] = []

    init(_ stage: Stage, socket: String? = nil) throws {
        self.stage = stage
        let path = try socket ?? stage.socket
        let made = path.withCString { clinux_connect($0) }
        try #require(made >= 0, "\(path)")
        descriptor = made
    }

    deinit { close(descriptor) }

    @discardableResult
    func send(_ line: String) -> Int {
        let bytes = Array((line + "\n").utf8)
        return clinux_send_now(descriptor, bytes, bytes.count)
    }

    /// The next line, without its line break; nil after the end, and after half a minute.
    func line() -> String? {
        var isOver = false
        stage.compositor.run(seconds: 30) {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { received += buffer[..<count] }
            isOver = count == 0
            return isOver || received.contains(10)
        }
        guard let end = received.firstIndex(of: 10) else { return nil }
        let line = String(decoding: received[..<end], as: UTF8.self)
        received.removeFirst(end + 1)
        return line
    }

    func ask(_ line: String) -> String? {
        send(line)
        return self.line()
    }
}
