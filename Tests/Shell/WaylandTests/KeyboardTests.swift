import CLinux
import Glibc
import Input
import Motion
import Testing
import WaylandClient
import WaylandProtocol
import WaylandServer

/// Key events from the compositor to the window.
@Suite struct KeyboardTests {
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
        #expect(log.drainInputs() == [.key(plus(.down))])
        #expect(desktop.connection.deadline == Moment(milliseconds: 1_000_300))
        desktop.connection.handleDeadline(now: Moment(milliseconds: 1_000_299))
        #expect(log.drainInputs() == [])
        desktop.connection.handleDeadline(now: Moment(milliseconds: 1_000_301))
        #expect(log.drainInputs() == [.key(plus(.repeated))])
        #expect(desktop.connection.deadline == Moment(milliseconds: 1_000_400))
        keyboard.key(serial: 4, time: 1, key: 13, state: .released)
        try desktop.pump()
        #expect(log.drainInputs() == [.key(plus(.up))])
        #expect(desktop.connection.deadline == nil)
    }

    @Test func leavingReleasesTheHeldKey() throws {
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
            log.drainInputs() == [
                .key(KeyEvent(name: "Right", action: .down)),
                .key(KeyEvent(name: "Right", action: .up)),
            ])
        #expect(desktop.connection.deadline == nil)
    }

    @Test func aKeymapThatIsTooShortIsIgnored() throws {
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
        #expect(log.drainInputs() == [])
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
