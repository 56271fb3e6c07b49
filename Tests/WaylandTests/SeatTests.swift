import CLinux
import Geometry
import Glibc
import Input
import Motion
import Testing
import WaylandClient
import WaylandProtocol
import WaylandServer

/// Touches, pointers, keys and gestures on their way from the compositor to the window.
@Suite struct SeatTests {
    /// The inputs of the log since the last time, with their seats and times left out.
    private func inputs(_ log: WindowLog) -> [InputEvent] {
        log.take().compactMap { if case .input(let event, _, _) = $0 { event } else { nil } }
    }

    @Test func touchesKeepTheirTimesAndGetSmallNumbers() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let surface = try desktop.windowSurface.resource
        _ = log.take()
        desktop.touch?.down(serial: 5, time: 999_990, surface: surface, id: 288, x: 10, y: 20)
        desktop.touch?.down(serial: 6, time: 999_990, surface: surface, id: 289, x: 30, y: 40.5)
        desktop.touch?.frame()
        desktop.touch?.motion(time: 999_998, id: 289, x: -3, y: 41)
        desktop.touch?.frame()
        try desktop.pump()
        let (first, second) = (Moment(milliseconds: 999_990), Moment(milliseconds: 999_998))
        #expect(
            log.take() == [
                .input(.touch(.down(id: 0, at: Point(x: 10, y: 20))), at: first, seat: 0),
                .input(.touch(.down(id: 1, at: Point(x: 30, y: 40.5))), at: first, seat: 0),
                .input(.touch(.frame), at: first, seat: 0),
                .input(.touch(.move(id: 1, to: Point(x: -3, y: 41))), at: second, seat: 0),
                .input(.touch(.frame), at: second, seat: 0),
            ])
    }

    @Test func aFrameMissingAfterUpIsMadeUp() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        desktop.touch?.down(
            serial: 5, time: 1, surface: try desktop.windowSurface.resource, id: 3, x: 1, y: 1)
        desktop.touch?.frame()
        try desktop.pump()
        _ = log.take()
        desktop.touch?.up(serial: 6, time: 20, id: 3)
        try desktop.pump()
        #expect(inputs(log) == [.touch(.up(id: 0)), .touch(.frame)])
    }

    @Test func losingTheTouchscreenCancelsTheFingers() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let surface = try desktop.windowSurface.resource
        desktop.touch?.down(serial: 5, time: 1, surface: surface, id: 3, x: 1, y: 1)
        desktop.touch?.frame()
        try desktop.pump()
        _ = log.take()
        desktop.seat?.capabilities(capabilities: [.pointer])
        try desktop.pump()
        #expect(inputs(log) == [.touch(.cancel)])
        #expect(desktop.touch?.isAlive == false)
        desktop.seat?.capabilities(capabilities: [.pointer, .touch])
        desktop.seat?.capabilities(capabilities: [.pointer, .touch])
        try desktop.pump()
        desktop.touch?.down(serial: 7, time: 2, surface: surface, id: 3, x: 1, y: 1)
        try desktop.pump()
        #expect(inputs(log) == [.touch(.down(id: 0, at: Point(x: 1, y: 1))), .touch(.frame)])
    }

    @Test(arguments: ["cancel", "seat", "suspend", "hang up"])
    func fingersAreCancelled(by cause: String) throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        try log.show(0)
        desktop.touch?.down(
            serial: 5, time: 1, surface: try desktop.windowSurface.resource, id: 3, x: 1, y: 1)
        try desktop.pump()
        _ = log.take()
        switch cause {
        case "cancel": desktop.touch?.cancel()
        case "seat": desktop.seatGlobal?.remove()
        case "suspend": try desktop.configure(width: 300, height: 200, states: [.suspended])
        default: desktop.client.disconnect()
        }
        if cause == "hang up" {
            #expect(throws: ConnectionError.gone(errno: EPIPE)) { try desktop.pump() }
        } else {
            try desktop.pump()
        }
        #expect(inputs(log) == [.touch(.cancel)])
    }

    @Test func aMoveOfTheWindowTakesTheFinger() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        desktop.touch?.down(
            serial: 55, time: 1, surface: try desktop.windowSurface.resource, id: 3, x: 1, y: 1)
        try desktop.pump()
        _ = log.take()
        var serial: UInt32?
        desktop.toplevel?.onRequest = { if case .move(_, let value) = $0 { serial = value } }
        log.window.beginMove(seat: 0)
        try desktop.pump()
        #expect(serial == 55)
        #expect(inputs(log) == [.touch(.cancel)])
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
            inputs(log) == [
                .pointer(.move(to: Point(x: 5, y: 6))),
                .pointer(.axis(.vertical, value: 7.5, source: .wheel, value120: 60)),
                .pointer(.axisStop(.vertical)),
            ])
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
        _ = log.take()
        pointer.axisDiscrete(axis: .horizontalScroll, discrete: -2)
        pointer.axis(time: 3, axis: .horizontalScroll, value: -30)
        pointer.frame()
        try desktop.pump()
        #expect(
            inputs(log) == [
                .pointer(.axis(.horizontal, value: -30, source: .wheel, value120: -240))
            ])
    }

    @Test func aPointerThatLeavesLetsGoOfItsButtons() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let surface = try desktop.windowSurface.resource
        let pointer = try #require(desktop.pointer)
        pointer.enter(serial: 1, surface: surface, surfaceX: 5, surfaceY: 6)
        pointer.button(serial: 2, time: 3, button: 0x110, state: .pressed)
        pointer.button(serial: 2, time: 3, button: 0x116, state: .pressed)
        pointer.frame()
        try desktop.pump()
        _ = log.take()
        pointer.leave(serial: 3, surface: surface)
        pointer.frame()
        try desktop.pump()
        #expect(inputs(log) == [.pointer(.button(.left, isDown: false)), .pointer(.leave)])
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
            inputs(log) == [
                .pinch(.begin(fingers: 2)), .pinch(update), .pinch(.end(cancelled: true)),
            ])
    }

    @Test func keysHaveNamesAndRepeatUntilTheyAreReleased() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let keyboard = try #require(desktop.keyboard)
        try sendKeymap(to: keyboard)
        keyboard.repeatInfo(rate: 10, delay: 300)
        keyboard.enter(
            serial: 1, surface: try desktop.windowSurface.resource, keys: WireArray(words: [30]))
        // Shift and Control.
        keyboard.modifiers(
            serial: 2, modsDepressed: 5, modsLatched: 0, modsLocked: 0, group: 0)
        keyboard.key(serial: 3, time: 1, key: 13, state: .pressed)
        try desktop.pump()
        let plus = { KeyEvent(name: "plus", modifiers: .control, action: $0) }
        #expect(inputs(log) == [.key(plus(.down))])
        #expect(desktop.connection.deadline == Moment(milliseconds: 1_000_300))
        desktop.connection.handleDeadline(now: Moment(milliseconds: 1_000_299))
        #expect(inputs(log) == [])
        desktop.connection.handleDeadline(now: Moment(milliseconds: 1_000_301))
        #expect(inputs(log) == [.key(plus(.repeated))])
        #expect(desktop.connection.deadline == Moment(milliseconds: 1_000_400))
        keyboard.key(serial: 4, time: 1, key: 13, state: .released)
        try desktop.pump()
        #expect(inputs(log) == [.key(plus(.up))])
        #expect(desktop.connection.deadline == nil)
    }

    @Test func leavingEndsTheHeldKey() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let surface = try desktop.windowSurface.resource
        let keyboard = try #require(desktop.keyboard)
        try sendKeymap(to: keyboard)
        keyboard.enter(serial: 1, surface: surface, keys: WireArray(words: []))
        keyboard.key(serial: 3, time: 1, key: 106, state: .pressed)
        keyboard.leave(serial: 4, surface: surface)
        try desktop.pump()
        #expect(
            inputs(log) == [
                .key(KeyEvent(name: "Right", action: .down)),
                .key(KeyEvent(name: "Right", action: .up)),
            ])
        #expect(desktop.connection.deadline == nil)
    }

    @Test func aKeymapThatIsNoneOrTooShortIsIgnored() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let keyboard = try #require(desktop.keyboard)
        let memory = clinux_memfd_create("keymap")
        defer { close(memory) }
        keyboard.keymap(format: .xkbV1, fd: memory, size: 4_000_000_000)
        keyboard.enter(
            serial: 1, surface: try desktop.windowSurface.resource, keys: WireArray(words: []))
        keyboard.key(serial: 3, time: 1, key: 106, state: .pressed)
        try desktop.pump()
        #expect(inputs(log) == [])
    }

    /// Sends a layout that XKB compiles from its shortest form.
    private func sendKeymap(to keyboard: WlKeyboardResource) throws {
        let text = Array(
            """
            xkb_keymap { xkb_keycodes { include "evdev+aliases(qwerty)" };
            xkb_types { include "complete" }; xkb_compat { include "complete" };
            xkb_symbols { include "pc+us+inet(evdev)" }; };\0
            """.utf8)
        let memory = clinux_memfd_create("keymap")
        defer { close(memory) }
        try #require(write(memory, text, text.count) == text.count)
        keyboard.keymap(format: .xkbV1, fd: memory, size: UInt32(text.count))
    }
}
