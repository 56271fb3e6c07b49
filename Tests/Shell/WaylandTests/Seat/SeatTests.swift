import Geometry
import Glibc
import Input
import Motion
import SystemCalls
import Testing
import WaylandClient
import WaylandProtocol
import WaylandServer

/// Touch, pointer and gesture events from the compositor to the window.
@Suite struct SeatTests {
    @Test func touchesKeepTheirTimesAndGetSmallNumbers() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let surface = try desktop.windowSurface.resource
        _ = log.drain()
        desktop.touch?.down(serial: 5, time: 999_990, surface: surface, id: 288, x: 10, y: 20)
        desktop.touch?.down(serial: 6, time: 999_990, surface: surface, id: 289, x: 30, y: 40.5)
        desktop.touch?.frame()
        desktop.touch?.motion(time: 999_998, id: 289, x: -3, y: 41)
        desktop.touch?.frame()
        try desktop.pump()
        let (first, second) = (Moment(milliseconds: 999_990), Moment(milliseconds: 999_998))
        #expect(
            log.drain() == [
                .input(.touch(.down(id: 0, at: Point(x: 10, y: 20))), at: first, seat: 0),
                .input(.touch(.down(id: 1, at: Point(x: 30, y: 40.5))), at: first, seat: 0),
                .input(.touch(.frame), at: first, seat: 0),
                .input(.touch(.move(id: 1, to: Point(x: -3, y: 41))), at: second, seat: 0),
                .input(.touch(.frame), at: second, seat: 0),
            ])
    }

    /// Timestamps below the millisecond are used if they match the event.
    @Test func submillisecondTimestampsAreUsed() throws {
        var options = Desktop.Options()
        options.hasTimestamps = true
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow()
        let surface = try desktop.windowSurface.resource
        _ = log.drain()
        func times() -> [Double] {
            log.drain().compactMap { event in
                guard case .input(_, let moment, _) = event else { return nil }
                return moment.milliseconds
            }
        }
        let stamps = try #require(desktop.touchStamps)
        stamps.timestamp(tvSecHi: 0, tvSecLo: 999, tvNsec: 990_250_000)
        desktop.touch?.down(serial: 5, time: 999_990, surface: surface, id: 0, x: 10, y: 20)
        desktop.touch?.frame()
        // A timestamp holds for one event only.
        desktop.touch?.motion(time: 999_994, id: 0, x: 1, y: 1)
        // A timestamp of another time, and an invalid one.
        stamps.timestamp(tvSecHi: 0, tvSecLo: 999, tvNsec: 995_500_000)
        desktop.touch?.motion(time: 999_996, id: 0, x: 2, y: 1)
        stamps.timestamp(tvSecHi: 0, tvSecLo: 998, tvNsec: 1_999_000_000)
        desktop.touch?.up(serial: 6, time: 999_999, id: 0)
        desktop.touch?.frame()
        try desktop.pump()
        #expect(times() == [999_990.25, 999_990.25, 999_994, 999_996, 999_999, 999_999])
        desktop.pointer?.enter(serial: 7, surface: surface, surfaceX: 1, surfaceY: 1)
        desktop.pointer?.frame()
        desktop.pointerStamps?.timestamp(tvSecHi: 1, tvSecLo: 705_032_704, tvNsec: 7_125_000)
        desktop.pointer?.motion(time: 658_067_463, surfaceX: 2, surfaceY: 2)
        desktop.pointer?.frame()
        try desktop.pump()
        // 2³² + 705,032,704 seconds are 5,000,000,000; the milliseconds wrap.
        let last = try #require(times().last)
        #expect(last - last.rounded(.down) == 0.125)
        desktop.seat?.capabilities(capabilities: [.pointer])
        try desktop.pump()
        #expect(!stamps.isAlive)
    }

    @Test func fingersOfTwoSeatsHaveDifferentNumbers() throws {
        let desktop = try Desktop()
        var second: WlTouchResource?
        try desktop.server.addGlobal(WlSeatResource.self, version: 8) { seat in
            seat.onRequest = { if case .getTouch(let id) = $0 { second = id } }
            seat.capabilities(capabilities: .touch)
        }
        let log = try desktop.makeWindow()
        let surface = try desktop.windowSurface.resource
        _ = log.drain()
        desktop.touch?.down(serial: 1, time: 0, surface: surface, id: 0, x: 1, y: 1)
        second?.down(serial: 2, time: 0, surface: surface, id: 0, x: 2, y: 2)
        desktop.touch?.up(serial: 3, time: 1, id: 0)
        try desktop.pump()
        let reported = log.drain().compactMap { event -> String? in
            guard case .input(.touch(let touch), _, let seat) = event else { return nil }
            switch touch {
            case .down(let id, _): return "\(seat) down \(id)"
            case .up(let id): return "\(seat) up \(id)"
            default: return nil
            }
        }
        #expect(reported == ["0 down 0", "1 down 1", "0 up 0"])
    }

    @Test func aMissingFrameAfterUpIsAdded() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        desktop.touch?.down(
            serial: 5, time: 1, surface: try desktop.windowSurface.resource, id: 3, x: 1, y: 1)
        desktop.touch?.frame()
        try desktop.pump()
        _ = log.drain()
        desktop.touch?.up(serial: 6, time: 20, id: 3)
        try desktop.pump()
        #expect(log.drainInputs() == [.touch(.up(id: 0)), .touch(.frame)])
    }

    @Test func losingTheTouchscreenCancelsTheFingers() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let surface = try desktop.windowSurface.resource
        desktop.touch?.down(serial: 5, time: 1, surface: surface, id: 3, x: 1, y: 1)
        desktop.touch?.frame()
        try desktop.pump()
        _ = log.drain()
        desktop.seat?.capabilities(capabilities: [.pointer])
        try desktop.pump()
        #expect(log.drainInputs() == [.touch(.cancel)])
        #expect(desktop.touch?.isAlive == false)
        desktop.seat?.capabilities(capabilities: [.pointer, .touch])
        desktop.seat?.capabilities(capabilities: [.pointer, .touch])
        try desktop.pump()
        desktop.touch?.down(serial: 7, time: 2, surface: surface, id: 3, x: 1, y: 1)
        try desktop.pump()
        #expect(log.drainInputs() == [.touch(.down(id: 0, at: Point(x: 1, y: 1))), .touch(.frame)])
    }

    @Test(arguments: ["cancel", "seat", "suspend", "hang up"])
    func fingersAreCancelled(by cause: String) throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        try log.show(0)
        desktop.touch?.down(
            serial: 5, time: 1, surface: try desktop.windowSurface.resource, id: 3, x: 1, y: 1)
        try desktop.pump()
        _ = log.drain()
        switch cause {
        case "cancel": desktop.touch?.cancel()
        case "seat": desktop.seatGlobal?.remove()
        case "suspend": try desktop.configure(width: 300, height: 200, states: [.suspended])
        default: desktop.client.disconnect()
        }
        if cause == "hang up" {
            #expect(throws: ConnectionError.gone(SystemError(code: EPIPE))) { try desktop.pump() }
        } else {
            try desktop.pump()
        }
        #expect(log.drainInputs() == [.touch(.cancel)])
    }

    @Test func aWindowMoveCancelsTheFinger() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        desktop.touch?.down(
            serial: 55, time: 1, surface: try desktop.windowSurface.resource, id: 3, x: 1, y: 1)
        try desktop.pump()
        _ = log.drain()
        var serial: UInt32?
        desktop.toplevel?.onRequest = { if case .move(_, let value) = $0 { serial = value } }
        log.window.beginMove(seat: 0)
        try desktop.pump()
        #expect(serial == 55)
        #expect(log.drainInputs() == [.touch(.cancel)])
    }

    @Test func aScrollStepIsOneEvent() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let pointer = try #require(desktop.pointer)
        pointer.enter(
            serial: 1, surface: try desktop.windowSurface.resource, surfaceX: 5, surfaceY: 6)
        pointer.frame()
        pointer.axisSource(axisSource: .wheel)
        pointer.axisValue120(axis: .verticalScroll, value120: 60)
        pointer.axis(time: 3, axis: .verticalScroll, value: 7.5)
        pointer.frame()
        pointer.axisSource(axisSource: .finger)
        pointer.axisStop(time: 4, axis: .verticalScroll)
        pointer.frame()
        // An empty frame with a source, as mutter sends after a click.
        pointer.axisSource(axisSource: .wheel)
        pointer.frame()
        try desktop.pump()
        #expect(
            log.drainInputs() == [
                .pointer(.move(to: Point(x: 5, y: 6))),
                .pointer(.axis(.vertical, value: 7.5, source: .wheel, value120: 60)),
                .pointer(.axisStop(.vertical)),
            ])
    }

    /// A compositor that was held up sends several steps, each with its own time, in one frame.
    @Test func everyTimeOfAFrameIsAReport() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let pointer = try #require(desktop.pointer)
        pointer.enter(
            serial: 1, surface: try desktop.windowSurface.resource, surfaceX: 5, surfaceY: 6)
        pointer.frame()
        try desktop.pump()
        _ = log.drain()
        for time: UInt32 in [3, 11] {
            pointer.axisSource(axisSource: .finger)
            pointer.axis(time: time, axis: .verticalScroll, value: 4)
            pointer.axis(time: time, axis: .horizontalScroll, value: 1)
        }
        pointer.motion(time: 19, surfaceX: 7, surfaceY: 8)
        pointer.motion(time: 27, surfaceX: 9, surfaceY: 8)
        pointer.frame()
        // The detents of a wheel have no time, so the steps of one frame stay together.
        for time: UInt32 in [35, 43] {
            pointer.axisSource(axisSource: .wheel)
            pointer.axisValue120(axis: .verticalScroll, value120: 120)
            pointer.axis(time: time, axis: .verticalScroll, value: 15)
        }
        pointer.frame()
        try desktop.pump()
        let scrolled: [InputEvent] = [
            .pointer(.axis(.vertical, value: 4, source: .finger, value120: nil)),
            .pointer(.axis(.horizontal, value: 1, source: .finger, value120: nil)),
        ]
        let others: [InputEvent] = [
            .pointer(.move(to: Point(x: 7, y: 8))), .pointer(.move(to: Point(x: 9, y: 8))),
            .pointer(.axis(.vertical, value: 30, source: .wheel, value120: 240)),
        ]
        #expect(log.drainInputs() == scrolled + scrolled + others)
    }

    @Test func discreteStepsAreCountedIn120ths() throws {
        var options = Desktop.Options()
        options.seatVersion = 5
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow()
        let pointer = try #require(desktop.pointer)
        pointer.enter(
            serial: 1, surface: try desktop.windowSurface.resource, surfaceX: 5, surfaceY: 6)
        pointer.frame()
        try desktop.pump()
        _ = log.drain()
        pointer.axisDiscrete(axis: .horizontalScroll, discrete: -2)
        pointer.axis(time: 3, axis: .horizontalScroll, value: -30)
        pointer.frame()
        try desktop.pump()
        #expect(
            log.drainInputs() == [
                .pointer(.axis(.horizontal, value: -30, source: .wheel, value120: -240))
            ])
    }

    /// Of the positions in a frame the last one counts; a frame that does not end is no list without end.
    @Test func aFrameHasOnePosition() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let pointer = try #require(desktop.pointer)
        pointer.enter(
            serial: 2, surface: try desktop.windowSurface.resource, surfaceX: 5, surfaceY: 6)
        for x in 0..<100 { pointer.motion(time: 3, surfaceX: Double(x), surfaceY: 7) }
        try desktop.pump()
        #expect(log.drainInputs().isEmpty)
        pointer.frame()
        try desktop.pump()
        #expect(log.drainInputs() == [.pointer(.move(to: Point(x: 99, y: 7)))])
        for step in 0..<100 {
            pointer.button(
                serial: 4, time: 5, button: 0x110, state: step % 2 == 0 ? .pressed : .released)
        }
        try desktop.pump()
        #expect(log.drainInputs().count == 64)
    }

    @Test func aPointerThatLeavesReleasesItsButtons() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let surface = try desktop.windowSurface.resource
        let pointer = try #require(desktop.pointer)
        pointer.enter(serial: 1, surface: surface, surfaceX: 5, surfaceY: 6)
        pointer.button(serial: 2, time: 3, button: 0x110, state: .pressed)
        pointer.button(serial: 2, time: 3, button: 0x116, state: .pressed)
        pointer.frame()
        try desktop.pump()
        _ = log.drain()
        pointer.leave(serial: 3, surface: surface)
        pointer.frame()
        try desktop.pump()
        #expect(log.drainInputs() == [.pointer(.button(.left, isDown: false)), .pointer(.leave)])
    }

    @Test func aPinchThatLosesItsPointerIsCancelled() throws {
        var options = Desktop.Options()
        options.hasGestures = true
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow()
        let surface = try desktop.windowSurface.resource
        desktop.pinch?.begin(serial: 1, time: 2, surface: surface, fingers: 2)
        desktop.pinch?.update(time: 3, dx: 1.5, dy: 0, scale: 1.25, rotation: -2)
        desktop.seat?.capabilities(capabilities: [])
        try desktop.pump()
        let update = PinchEvent.update(delta: Vector(dx: 1.5, dy: 0), scale: 1.25, rotation: -2)
        #expect(
            log.drainInputs() == [
                .pinch(.begin(fingers: 2)), .pinch(update), .pinch(.end(cancelled: true)),
            ])
    }
}
