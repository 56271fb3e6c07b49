import CLinux
import Control
import Glibc
import Motion
import TestKit
import Testing

@Suite struct ControlServerTests {
    private let done = "{\"ok\":true}\n"
    private let next = "{\"command\":\"next\"}\n"

    @Test func aRequestIsAnswered() throws {
        let desk = try Desk()
        let peer = RawPeer(desk.path)
        peer.send(next)
        desk.turn(3)
        #expect(peer.receive() == done)
        #expect(desk.messages == [.next])
        #expect(desk.sleeps)
    }

    @Test func aRequestMayArriveInPartsAndSeveralAtOnce() throws {
        let desk = try Desk()
        let peer = RawPeer(desk.path)
        for byte in Array(next.utf8) {
            peer.send([byte])
            desk.turn(2)
        }
        #expect(peer.receive() == done)
        peer.send(next + "\r\n" + next + "{\"command\":\"previous\"}\n")
        desk.turn(6)
        #expect(peer.receive() == done + done + done)
        #expect(desk.messages == [.next, .next, .next, .previous])
        #expect(desk.sleeps)
    }

    @Test func aPeerThatHasFinishedSendingIsAnswered() throws {
        let desk = try Desk()
        let peer = RawPeer(desk.path)
        // Without the line break of the last request.
        peer.send(next + next.dropLast())
        peer.finishSending()
        desk.turn(6)
        #expect(peer.receive() == done + done)
        #expect(peer.isClosed)
        #expect(desk.sleeps)
    }

    @Test func badRequestsAreRefusedAndTheNextOneCounts() throws {
        let desk = try Desk()
        let peer = RawPeer(desk.path)
        for bytes: [UInt8] in [
            Array("nonsense".utf8), [0, 1, 2, 255], Array("{\"command\":\"no\"}".utf8),
            Array(repeating: UInt8(ascii: "["), count: 5000),
        ] {
            peer.send(bytes + [10])
            desk.turn(3)
            #expect(peer.receive().hasPrefix("{\"error\":\""))
        }
        peer.send(next)
        desk.turn(3)
        #expect(peer.receive() == done)
        #expect(desk.messages == [.next])
    }

    @Test func anEndlessRequestIsRefused() throws {
        let desk = try Desk()
        let peer = RawPeer(desk.path)
        var sent = 0
        for _ in 0..<100 where !peer.isClosed {
            sent += max(0, peer.send([UInt8](repeating: 0x61, count: 4096)))
            desk.turn(2)
        }
        #expect(sent < 300_000)
        #expect(desk.messages.isEmpty)
        #expect(desk.sleeps)
        let line = String(repeating: "b", count: ControlProtocol.longestRequest) + "\n"
        let other = RawPeer(desk.path)
        other.send(line)
        desk.turn(4)
        #expect(other.receive() == "{\"error\":\"a request has at most 64 KiB\"}\n")
    }

    @Test func aSlowRequestEndsTheConnection() throws {
        let desk = try Desk()
        let (slow, silent, quick) = (
            RawPeer(desk.path), RawPeer(desk.path), RawPeer(desk.path)
        )
        quick.send(next)
        desk.turn(3)
        // A byte a second does not keep the connection.
        for second in 1...9 {
            slow.send("{")
            desk.now = Moment(milliseconds: Double(second) * 1000)
            desk.turn(2)
        }
        #expect(!slow.isClosed && !silent.isClosed)
        desk.now = Moment(milliseconds: 10_001)
        desk.turn(2)
        #expect(slow.isClosed && silent.isClosed)
        // A connection that was used may be silent.
        #expect(quick.receive() == done)
        desk.now = Moment(milliseconds: 1_000_000)
        desk.turn(2)
        #expect(!quick.isClosed)
        #expect(desk.sleeps)
    }

    @Test func whoDoesNotReadItsReplyIsLeft() throws {
        let desk = try Desk()
        let peer = RawPeer(desk.path)
        for _ in 0..<20 { peer.send("{\"command\":\"ui\"}\n") }
        desk.turn(20)
        // The second reply would have to be kept: its request is not read.
        #expect(desk.messages.count == 1)
        #expect(desk.sleeps)
        desk.now = Moment(milliseconds: 10_001)
        desk.turn(3)
        #expect(desk.sleeps)
        var rest = 0
        while case let text = peer.receive(limit: 1 << 20), !text.isEmpty {
            rest += text.utf8.count
        }
        #expect(rest > 0 && rest < 4 << 20)
        #expect(peer.isClosed)
    }

    @Test func aLongReplyIsSentInParts() throws {
        let desk = try Desk()
        let peer = RawPeer(desk.path)
        peer.send("{\"command\":\"ui\"}\n")
        var received = 0
        for _ in 0..<200 {
            desk.turn()
            received += peer.receive().utf8.count
        }
        #expect(received == 4 << 20 | 1)
    }

    @Test func aFloodIsHandledInTurns() throws {
        let desk = try Desk()
        let peers = (0..<4).map { _ in RawPeer(desk.path) }
        for peer in peers { peer.send(String(repeating: next, count: 1000)) }
        desk.turn()
        var most = 0
        for _ in 0..<1000 where desk.messages.count < 4000 {
            let before = desk.messages.count
            desk.turn()
            most = max(most, desk.messages.count - before)
            for peer in peers { _ = peer.receive() }
        }
        #expect(desk.messages.count == 4000)
        #expect(most <= 64)
        #expect(desk.sleeps)
    }

    @Test func oneThousandConnectionsDoNoHarm() throws {
        let desk = try Desk()
        var answered = 0
        var refused = 0
        for _ in 0..<20 {
            let peers = (0..<50).map { _ in RawPeer(desk.path) }
            desk.turn(6)
            for peer in peers where peer.descriptor >= 0 { peer.send(next) }
            desk.turn(6)
            for peer in peers where peer.descriptor >= 0 {
                let text = peer.receive()
                if text == done { answered += 1 }
                if text.hasPrefix("{\"error\":\"too many connections") { refused += 1 }
            }
        }
        desk.turn(6)
        #expect(answered >= 20 * ControlServer.mostConnections)
        #expect(refused > 0)
        #expect(desk.sleeps)
        let peer = RawPeer(desk.path)
        peer.send(next)
        desk.turn(4)
        #expect(peer.receive() == done)
    }

    @Test func aReplyMayFollowLater() throws {
        let desk = try Desk()
        let peer = RawPeer(desk.path)
        peer.send("{\"command\":\"play\",\"arguments\":[\"0 end\"]}\n" + next)
        desk.turn(4)
        #expect(desk.messages == [.play("0 end")])
        #expect(peer.receive() == "")
        #expect(desk.sleeps)
        desk.server?.reply(.done, to: try #require(desk.owed.first))
        desk.turn(3)
        #expect(peer.receive() == done + done)
    }

    @Test func theEndOfAPeerThatWaitsIsReported() throws {
        let desk = try Desk()
        var peer: RawPeer? = RawPeer(desk.path)
        peer?.send("{\"command\":\"play\",\"arguments\":[\"0 end\"]}\n")
        desk.turn(4)
        peer = nil
        desk.turn(3)
        #expect(desk.left == desk.owed && desk.left.count == 1)
        desk.server?.reply(.done, to: desk.owed[0])
        #expect(desk.sleeps)
    }

    @Test func watchersGetEachStateAndSlowOnesTheNewest() throws {
        let desk = try Desk()
        let (quick, slow) = (RawPeer(desk.path), RawPeer(desk.path))
        // A watcher need not send more.
        quick.send("{\"command\":\"watch\"}\n")
        slow.send("{\"command\":\"watch\"}\n")
        slow.finishSending()
        desk.turn(4)
        #expect(quick.receive() == "first\n")
        let server = try #require(desk.server)
        #expect(server.hasWatchers)
        let padding = String(repeating: "p", count: 10_000)
        var lines = 0
        for number in 0..<1000 {
            server.publish("\(number) \(padding)\n")
            desk.turn()
            if quick.receive().hasPrefix("\(number) ") { lines += 1 }
        }
        #expect(lines == 1000)
        var text = ""
        for _ in 0..<100 {
            text += slow.receive()
            desk.turn()
        }
        let numbers = text.split(separator: "\n").compactMap { Int($0.prefix { $0 != " " }) }
        #expect(numbers.first == 0 && numbers.last == 999)
        #expect(numbers.count < 500 && numbers == numbers.sorted())
        desk.now = Moment(milliseconds: 1_000_000)
        desk.turn(2)
        #expect(!slow.isClosed)
        #expect(desk.sleeps)
    }

    @Test func aWatcherThatLeavesIsForgotten() throws {
        let desk = try Desk()
        var peer: RawPeer? = RawPeer(desk.path)
        peer?.send("{\"command\":\"watch\"}\n")
        peer?.finishSending()
        desk.turn(4)
        #expect(desk.server?.hasWatchers == true)
        peer = nil
        desk.turn(2)
        #expect(desk.server?.hasWatchers == false)
    }

    /// Root may connect to every socket; who is not the user of the viewer is not answered.
    @Test func anotherUserIsNotAnswered() throws {
        guard geteuid() == 0 else { return }
        let desk = try Desk()
        chmod(desk.path, 0o666)
        chmod(desk.folder.path, 0o755)
        let path = desk.path
        let result = ThreadedRun.start {
            ChildProcess.run(
                [
                    "setpriv", "--reuid", "65534", "--clear-groups", "/usr/bin/python3", "-c",
                    """
                    import socket, sys
                    s = socket.socket(socket.AF_UNIX)
                    s.settimeout(10)
                    s.connect(sys.argv[1])
                    try:
                        s.sendall(b'{"command":"next"}\\n')
                        print(s.recv(100))
                    except OSError as e:
                        print(b'')
                    """, path,
                ])
        }
        while !result.isDone {
            desk.turn()
            usleep(1000)
        }
        #expect(result.value?.output == "b''\n", "\(result.value?.errors ?? "")")
        #expect(desk.messages.isEmpty)
    }
}
