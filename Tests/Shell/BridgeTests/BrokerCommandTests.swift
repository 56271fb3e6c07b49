import EventLoop
import Motion
import Testing

@testable import Bridge

@Suite struct BrokerCommandTests {
    private func command(_ part: String, _ payload: String) -> BrokerCommand? {
        BrokerCommand(part, Array(payload.utf8))
    }

    @Test func knownPayloadsAreCommands() {
        #expect(command("playing", "ON") == .playing(true))
        #expect(command("screen", "OFF") == .screen(false))
        #expect(command("next", "PRESS") == .next)
        #expect(command("previous", "PRESS") == .previous)
        #expect(command("brightness", "40.0") == .brightness(40))
        #expect(command("goto", "-1") == .goto(-1))
        #expect(command("open", "/srv/a b") == .open("/srv/a b"))
        for uri in ["file:///a", "file:/a", "FILE://localhost/a"] {
            #expect(command("open", uri) == .open(uri))
        }
        #expect(command("playing", "ON")?.request?.arguments == ["on"])
        #expect(command("goto", "7")?.request?.command == "goto")
    }

    @Test(arguments: [
        ("playing", ""), ("playing", "on"), ("playing", "ON "), ("playing", "{\"state\":\"ON\"}"),
        ("next", ""), ("next", "press"), ("next", "PRESSPRESSPRESSPRESS"), ("brightness", "0"),
        ("brightness", "101"), ("brightness", "1e2"), ("brightness", "5.5"), ("brightness", "+5"),
        ("brightness", "5."), ("goto", "0"), ("goto", "99999999999999999999"), ("open", "a"),
        ("open", ""), ("open", "http://x/"), ("open", "file:a"), ("open", "/a\u{0}b"),
        ("open", "/a\nb"), ("quit", "PRESS"), ("", ""), ("next/set", "PRESS"),
    ])
    func anythingElseIsNone(part: String, payload: String) {
        #expect(command(part, payload) == nil)
    }

    @Test func longAndBinaryPayloadsAreNone() {
        #expect(BrokerCommand("open", Array(repeating: UInt8(ascii: "/"), count: 4096)) != nil)
        #expect(BrokerCommand("open", Array(repeating: UInt8(ascii: "/"), count: 4097)) == nil)
        #expect(BrokerCommand("playing", [0xFF, 0xFE]) == nil)
        #expect(BrokerCommand("open", [UInt8(ascii: "/"), 0xC3]) == nil)
        var generator = Generator(state: 7)
        for _ in 0..<20_000 {
            let bytes = (0..<generator.next(40)).map { _ in UInt8(generator.next(256)) }
            let part = ["playing", "screen", "next", "open", "goto", "x"][generator.next(6)]
            if let command = BrokerCommand(part, bytes) {
                // What was read is what was written.
                #expect(command.opens, "\(part) \(bytes)")
            }
        }
    }

    private struct Generator {
        var state: UInt64
        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    @Test func onlyOpeningNeedsTheOption() {
        #expect(command("open", "/a")?.opens == true && command("goto", "1")?.opens == true)
        #expect(command("next", "PRESS")?.opens == false)
    }

    @Test func aFloodIsLimited() {
        var limit = RateLimit(atOnce: 20, perSecond: 10)
        var count = 0
        for step in 0..<10_000 where limit.allows(at: Moment(milliseconds: Double(step))) {
            count += 1
        }
        #expect((100...121).contains(count))
    }

    @Test func pausesGrow() {
        var pause = RetryPause(from: 1, to: 10)
        #expect((0..<6).map { _ in pause.next() } == [1, 2, 4, 8, 10, 10])
        pause.reset()
        #expect(pause.next() == 1)
    }
}
