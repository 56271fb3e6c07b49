import CLinux
import Control
import EventLoop
import Glibc
import Motion
import SystemCalls
import TestKit

/// A server with a clock of the test, and clients in the same process.
final class Desk {
    let sources = EventSources()
    let folder = TemporaryFolder()
    private(set) var server: ControlServer?
    var now = Moment.zero
    /// The messages that were handled.
    private(set) var messages: [Message] = []
    /// The peers whose reply is owed.
    private(set) var owed: [ControlServer.Peer] = []
    private(set) var left: [ControlServer.Peer] = []
    var path: String { folder / "x.sock" }

    init() throws {
        server = ControlServer(
            try ControlSocket(path: Array((folder / "x.sock").utf8)), sources,
            now: { [unowned self] in now }, onLeave: { [unowned self] in left.append($0) }
        ) { [unowned self] message, peer in
            messages.append(message)
            switch message {
            case .play:
                owed.append(peer)
                return nil
            case .ui: return .line(String(repeating: "x", count: 4 << 20) + "\n")
            case .watch: return .line("first\n")
            default: return .done
            }
        }
    }

    func end() { server = nil }

    /// Turns of the loop, without waiting.
    func turn(_ count: Int = 1) {
        for _ in 0..<count {
            _ = sources.wait(atMost: 0)
            sources.handleReady()
            sources.handleDeadlines(at: now)
        }
    }

    /// Whether the loop has nothing to do: it would sleep.
    var sleeps: Bool { sources.wait(atMost: 0) == 0 && sources.deadline.map { $0 > now } ?? true }
}

/// A client that sends and receives raw bytes.
final class RawPeer {
    let descriptor: Int32

    init(_ path: String) { descriptor = path.withCString { clinux_connect($0) } }

    deinit {
        guard descriptor >= 0 else { return }
        // A child that another test starts may still have a copy of the descriptor.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// Sends what fits; returns how much.
    @discardableResult
    func send(_ text: String) -> Int { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Int { clinux_send_now(descriptor, bytes, bytes.count) }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What has arrived.
    func receive(limit: Int = 1 << 20) -> String {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = read(descriptor, &bytes, limit)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Whether the server has closed the connection, and everything was received.
    var isClosed: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            == 0
    }
}
