import Kiosk
import Motion
import Testing

/// What the idle times of a seat say about input on other surfaces.
@Suite struct SeatPresenceTests {
    private func at(_ seconds: Double) -> Moment { Moment(milliseconds: seconds * 1000) }

    @Test func nothingIsKnownAtFirst() {
        #expect(SeatPresence().lastInputElsewhere(at: at(100)) == nil)
    }

    @Test(arguments: [true, false])
    func ownInputIsNotElsewhere(ignoresIdleInhibitors: Bool) {
        var presence = SeatPresence()
        presence.ignoresIdleInhibitors = ignoresIdleInhibitors
        presence.resumed(at: at(10))
        presence.received(at: at(10.01))
        for step in 0..<20 { presence.received(at: at(10.1 + Double(step) / 2)) }
        #expect(presence.lastInputElsewhere(at: at(19.8)) == nil)
        presence.idled(at: at(20.6))
        #expect(presence.lastInputElsewhere(at: at(30)) == nil)
    }

    @Test func aResumeWithoutOwnInputIsElsewhere() {
        var presence = SeatPresence()
        presence.resumed(at: at(10))
        #expect(presence.lastInputElsewhere(at: at(60)) == at(10))
        // Inhibitors may keep the seat from becoming idle again: no later input is certain.
        presence.received(at: at(70))
        #expect(presence.lastInputElsewhere(at: at(80)) == at(10))
    }

    @Test func inputElsewhereGoesOnUntilTheSeatIsIdle() {
        var presence = SeatPresence()
        presence.ignoresIdleInhibitors = true
        presence.resumed(at: at(10))
        presence.received(at: at(10))
        // The seat is still in use long after the own input.
        #expect(presence.lastInputElsewhere(at: at(11)) == nil)
        #expect(presence.lastInputElsewhere(at: at(40)) == at(40))
        presence.idled(at: at(50))
        #expect(presence.lastInputElsewhere(at: at(90)) == at(49))
    }
}
