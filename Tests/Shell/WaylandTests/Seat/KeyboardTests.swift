import CLinux
import Geometry
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
        #expect(log.drainInputs() == [.modifiers([.shift, .control]), .key(plus(.down))])
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

    /// From version 10 on a compositor may repeat keys itself; then the client does not.
    @Test func aCompositorMayRepeatTheHeldKey() throws {
        var options = Desktop.Options()
        options.seatVersion = 10
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow()
        let keyboard = try #require(desktop.keyboard)
        #expect(keyboard.version == 10)
        try sendKeymap(to: keyboard)
        keyboard.repeatInfo(rate: 0, delay: 0)
        keyboard.enter(
            serial: 1, surface: try desktop.windowSurface.resource, keys: WireArray(words: []))
        // A key that was pressed elsewhere, a key that does not repeat, and states of the future.
        keyboard.key(serial: 2, time: 1, key: 105, state: .repeated)
        keyboard.key(serial: 2, time: 1, key: 42, state: .pressed)
        keyboard.key(serial: 2, time: 1, key: 42, state: .repeated)
        keyboard.key(serial: 3, time: 1, key: 106, state: .pressed)
        keyboard.key(serial: 4, time: 2, key: 106, state: WlKeyboard.KeyState(rawValue: 77))
        for time in UInt32(3)...5 {
            keyboard.key(serial: 5, time: time, key: 106, state: .repeated)
        }
        keyboard.key(serial: 6, time: 6, key: 106, state: .released)
        keyboard.key(serial: 7, time: 7, key: 106, state: .repeated)
        try desktop.pump()
        #expect(desktop.connection.deadline == nil)
        let right = { KeyEvent(name: "Right", action: $0) }
        let events = log.drainInputs().filter { event in
            if case .key(let key) = event { key.name != "Shift_L" } else { true }
        }
        #expect(
            events == [
                .key(right(.down)), .key(right(.repeated)), .key(right(.repeated)),
                .key(right(.repeated)), .key(right(.up)),
            ])
    }

    /// A repetition by the compositor ends those of the client, whatever rate was announced.
    @Test func aKeyIsNotRepeatedTwice() throws {
        var options = Desktop.Options()
        options.seatVersion = 10
        let desktop = try Desktop(options)
        _ = try desktop.makeWindow()
        let keyboard = try #require(desktop.keyboard)
        try sendKeymap(to: keyboard)
        keyboard.repeatInfo(rate: 10, delay: 300)
        keyboard.enter(
            serial: 1, surface: try desktop.windowSurface.resource, keys: WireArray(words: []))
        keyboard.key(serial: 3, time: 1, key: 106, state: .pressed)
        try desktop.pump()
        #expect(desktop.connection.deadline != nil)
        keyboard.key(serial: 3, time: 2, key: 106, state: .repeated)
        try desktop.pump()
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

    @Test func aKeyIsReleasedAlsoUnderANewKeymap() throws {
        let desktop = try Desktop()
        let log = try desktop.makeWindow()
        let keyboard = try #require(desktop.keyboard)
        try sendKeymap(to: keyboard)
        keyboard.enter(
            serial: 1, surface: try desktop.windowSurface.resource, keys: WireArray(words: []))
        keyboard.key(serial: 3, time: 1, key: 106, state: .pressed)
        try desktop.pump()
        try sendKeymap(to: keyboard)
        keyboard.key(serial: 4, time: 2, key: 106, state: .released)
        try desktop.pump()
        #expect(
            log.drainInputs() == [
                .key(KeyEvent(name: "Right", action: .down)),
                .key(KeyEvent(name: "Right", action: .up)),
            ])
    }

    /// A file that ends before the announced size, garbage, and a pipe into which nobody writes.
    @Test func anUnusableKeymapIsReportedOnce() throws {
        var pipe: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        defer { for end in pipe { close(end) } }
        let (empty, garbage) = (clinux_memfd_create("keymap"), clinux_memfd_create("keymap"))
        defer { for file in [empty, garbage] { close(file) } }
        try #require(write(garbage, "xkb_keymap { \u{1B}[2J", 17) == 17)
        for (file, size) in [(empty, 4_000_000_000), (empty, 0), (garbage, 17), (pipe[0], 9)] {
            let desktop = try Desktop()
            let log = try desktop.makeWindow()
            let keyboard = try #require(desktop.keyboard)
            _ = log.drain()
            keyboard.keymap(format: .xkbV1, fd: file, size: UInt32(size))
            keyboard.enter(
                serial: 1, surface: try desktop.windowSurface.resource, keys: WireArray(words: []))
            keyboard.key(serial: 3, time: 1, key: 106, state: .pressed)
            keyboard.key(serial: 4, time: 1, key: 106, state: .released)
            keyboard.key(serial: 5, time: 1, key: 106, state: .pressed)
            try desktop.pump()
            #expect(log.drain() == [.keymapRefused])
            // The next keymap counts.
            try sendKeymap(to: keyboard)
            keyboard.key(serial: 6, time: 1, key: 106, state: .pressed)
            try desktop.pump()
            #expect(log.drainInputs() == [.key(KeyEvent(name: "Right", action: .down))])
        }
    }

    // MARK: Text

    /// Keys of the layout us(intl), by their Linux codes.
    private enum Key {
        static let returnKey: UInt32 = 28
        static let a: UInt32 = 30
        /// A dead acute; with Shift a dead diaeresis.
        static let accent: UInt32 = 40
        static let shift: UInt32 = 42
        static let e: UInt32 = 18
        static let q: UInt32 = 16
        static let backSpace: UInt32 = 14
        static let keypad5: UInt32 = 76
    }

    /// A window with the keyboard focus, and that keyboard.
    private final class Typist {
        let desktop: Desktop
        let log: WindowLog
        let keyboard: WlKeyboardResource

        init(_ tests: KeyboardTests, symbols: String = "pc+us(intl)+inet(evdev)") throws {
            desktop = try Desktop()
            // On a busy machine the thread that reads the sequences may begin late.
            desktop.connection.composePatience = 60_000
            log = try desktop.makeWindow()
            keyboard = try #require(desktop.keyboard)
            try tests.sendKeymap(to: keyboard, symbols: symbols)
            keyboard.enter(
                serial: 1, surface: try desktop.windowSurface.resource, keys: WireArray(words: []))
        }

        /// Presses and releases keys; the texts of the presses, "…" in an unfinished sequence.
        func type(_ keys: UInt32..., modifiers: UInt32 = 0) throws -> [String] {
            keyboard.modifiers(
                serial: 2, modsDepressed: modifiers, modsLatched: 0, modsLocked: 0, group: 0)
            for key in keys {
                keyboard.key(serial: 3, time: 1, key: key, state: .pressed)
                keyboard.key(serial: 4, time: 2, key: key, state: .released)
            }
            try desktop.pump()
            return log.drainInputs().compactMap { event in
                guard case .key(let key) = event, key.action == .down else { return nil }
                return key.isComposing ? "…" : key.text
            }
        }

        /// Presses and releases keys; the events of the presses.
        func keys(
            _ codes: [UInt32], modifiers: UInt32 = 0, locked: UInt32 = 0, group: UInt32 = 0
        ) throws -> [KeyEvent] {
            keyboard.modifiers(
                serial: 2, modsDepressed: modifiers, modsLatched: 0, modsLocked: locked,
                group: group)
            for code in codes {
                keyboard.key(serial: 3, time: 1, key: code, state: .pressed)
                keyboard.key(serial: 4, time: 2, key: code, state: .released)
            }
            try desktop.pump()
            return log.drainInputs().compactMap { event in
                guard case .key(let key) = event, key.action == .down else { return nil }
                return key
            }
        }

        func focusField(_ isFocused: Bool) {
            let rect = Rect(x: 0, y: 0, width: 1, height: 20)
            log.window.setTextInput(
                isFocused ? TextInputState(text: "", cursor: 0, cursorRect: rect) : nil)
        }
    }

    @Test func keysHaveTexts() throws {
        let typist = try Typist(self)
        #expect(try typist.type(Key.a, Key.returnKey, Key.backSpace) == ["a", "", ""])
        #expect(try typist.type(Key.a, modifiers: 1) == ["A"])
        // Num Lock.
        #expect(try typist.type(Key.keypad5, modifiers: 16) == ["5"])
        // Control, Alt, Super.
        for modifiers: UInt32 in [4, 8, 64] {
            #expect(try typist.type(Key.a, modifiers: modifiers) == [""])
        }
    }

    @Test func deadKeysComposeForATextFieldAlone() throws {
        let typist = try Typist(self)
        #expect(try typist.type(Key.accent, Key.e) == ["", "e"])
        typist.focusField(true)
        #expect(typist.log.window.wantsText)
        #expect(try typist.type(Key.accent, Key.e, Key.e) == ["…", "é", "e"])
        // Shift within a sequence does not end the sequence.
        #expect(try typist.type(Key.accent) == ["…"])
        #expect(try typist.type(Key.shift, Key.e, modifiers: 1) == ["", "É"])
        // A sequence without a result types nothing, and the next key types again.
        #expect(try typist.type(Key.accent, Key.q, Key.q) == ["…", "…", "q"])
        #expect(try typist.type(Key.accent, Key.backSpace, Key.e) == ["…", "…", "e"])
        // A field that loses the focus does not leave a half sequence to the next one.
        #expect(try typist.type(Key.accent) == ["…"])
        typist.focusField(false)
        #expect(try typist.type(Key.e) == ["e"])
        typist.focusField(true)
        #expect(try typist.type(Key.e) == ["e"])
    }

    @Test func namesStayThoseOfTheKeys() throws {
        let typist = try Typist(self)
        typist.focusField(true)
        typist.keyboard.key(serial: 3, time: 1, key: Key.accent, state: .pressed)
        typist.keyboard.key(serial: 4, time: 2, key: Key.accent, state: .released)
        typist.keyboard.key(serial: 5, time: 3, key: Key.e, state: .pressed)
        try typist.desktop.pump()
        #expect(
            typist.log.drainInputs() == [
                .key(KeyEvent(name: "dead_acute", action: .down, isComposing: true)),
                .key(KeyEvent(name: "dead_acute", action: .up)),
                .key(KeyEvent(name: "e", action: .down, text: "é")),
            ])
        // The held key repeats its own letter.
        typist.desktop.connection.handleDeadline(now: Moment(milliseconds: 1_000_700))
        #expect(
            typist.log.drainInputs() == [
                .key(KeyEvent(name: "e", action: .repeated, text: "e"))
            ])
    }

    // MARK: Layouts of other scripts

    /// A keymap, the group of its active layout, and the texts that "r", "c" and the period key type.
    struct Layout: Sendable {
        let symbols: String
        let group: UInt32
        let texts: [String]
    }

    /// The keys start commands by their Latin letters, and fields get the letters of the layout.
    @Test(arguments: [
        Layout(symbols: "pc+ru+inet(evdev)", group: 0, texts: ["к", "с", "ю"]),
        Layout(symbols: "pc+us+ru:2+inet(evdev)", group: 1, texts: ["к", "с", "ю"]),
        Layout(symbols: "pc+ru+us:2+inet(evdev)", group: 0, texts: ["к", "с", "ю"]),
        Layout(symbols: "pc+il+inet(evdev)", group: 0, texts: ["ר", "ב", "ץ"]),
        Layout(symbols: "pc+ara+inet(evdev)", group: 0, texts: ["ق", "ؤ", "ز"]),
        Layout(symbols: "pc+in(deva)+inet(evdev)", group: 0, texts: ["ी", "म", "."]),
        Layout(symbols: "pc+gr+inet(evdev)", group: 0, texts: ["ρ", "ψ", "."]),
    ])
    func otherScriptsHaveLatinCommands(layout: Layout) throws {
        let typist = try Typist(self, symbols: layout.symbols)
        let plain = try typist.keys([19, 46, 52], group: layout.group)
        #expect(plain.map(\.name) == ["r", "c", "period"])
        #expect(plain.map(\.text) == layout.texts)
        let held = try typist.keys([46, 44], modifiers: 4, group: layout.group)
        #expect(held.map(\.name) == ["c", "z"])
        #expect(held.allSatisfy { $0.text.isEmpty && $0.modifiers == .control })
        let shifted = try typist.keys([19], modifiers: 1, group: layout.group)
        #expect(shifted.map(\.name) == ["R"] && shifted[0].modifiers.isEmpty)
        // Keys without a letter keep their names.
        let others = try typist.keys([1, 57, 106, 28], group: layout.group)
        #expect(others.map(\.name) == ["Escape", "space", "Right", "Return"])
        #expect(others.allSatisfy { $0.localName == nil })
    }

    /// What the key of "q" or "w" types is punctuation in these layouts, and a command of a letter in none
    /// with Latin letters.
    @Test(
        arguments: [
            ("il", [16, 17], ["slash", "apostrophe"], ["q", "w"]),
            ("gr", [16], ["semicolon"], ["q"]),
            ("ru", [53], ["period"], ["slash"]),
            ("us", [51, 53], ["comma", "slash"], [nil, nil]),
            ("de", [53], ["minus"], [nil]), ("fr", [50], ["comma"], [nil]),
        ] as [(String, [UInt32], [String], [String?])])
    func punctuationHasALatinNameToo(
        layout: String, codes: [UInt32], names: [String], latin: [String?]
    ) throws {
        let keys = try Typist(self, symbols: "pc+\(layout)+inet(evdev)").keys(codes)
        #expect(keys.map(\.name) == names)
        #expect(keys.map(\.latinName) == latin)
    }

    /// Caps Lock, Num Lock, both, and Shift that is locked choose no other command, but type other letters.
    @Test(
        arguments: ["us", "de", "fr", "ru", "il", "gr", "us+ru:2", "ru+us:2"],
        [2, 16, 18, 1] as [UInt32])
    func aLockChoosesNoOtherCommand(layout: String, locked: UInt32) throws {
        let typist = try Typist(self, symbols: "pc+\(layout)+inet(evdev)")
        let letters = Array(16...25) + Array(30...38) + Array(44...50) as [UInt32]
        for held: UInt32 in [0, 1, 4, 5] {
            let free = try typist.keys(letters, modifiers: held)
            let locked = try typist.keys(letters, modifiers: held, locked: locked)
            #expect(locked.map(\.name) == free.map(\.name))
            #expect(locked.map(\.localName) == free.map(\.localName))
            #expect(locked.map(\.latinName) == free.map(\.latinName))
            #expect(locked.map(\.modifiers) == free.map(\.modifiers))
        }
        let texts = try typist.keys([30], locked: locked).map(\.text)
        if layout == "us" { #expect(texts == [locked == 16 ? "a" : "A"]) }
    }

    // MARK: Modifiers

    /// The modifiers in effect come by no key of this window: Ctrl that was held before, that is latched, or
    /// that another key has; what is locked for letters is none.
    @Test func modifiersInEffectAreTold() throws {
        let typist = try Typist(self)
        _ = try typist.keys([])
        func told(_ depressed: UInt32, _ latched: UInt32, _ locked: UInt32) throws -> [InputEvent] {
            typist.keyboard.modifiers(
                serial: 2, modsDepressed: depressed, modsLatched: latched, modsLocked: locked,
                group: 0)
            try typist.desktop.pump()
            return typist.log.drainInputs()
        }
        #expect(try told(4, 0, 0) == [.modifiers(.control)])
        #expect(try told(0, 4, 0) == [.modifiers(.control)])
        #expect(try told(0, 0, 4) == [.modifiers(.control)])
        #expect(try told(1, 0, 2) == [.modifiers(.shift)])
        #expect(try told(0, 0, 3) == [.modifiers([])])
        #expect(try told(0, 0, 18) == [])
        #expect(try told(4, 0, 0) == [.modifiers(.control)])
        typist.keyboard.leave(
            serial: 5, surface: try typist.desktop.windowSurface.resource)
        try typist.desktop.pump()
        #expect(typist.log.drainInputs() == [.modifiers([])])
        // Without the focus the window below the pointer is told.
        #expect(try told(0, 0, 0) == [])
        #expect(try told(4, 0, 0) == [])
        #expect(try told(0, 0, 0) == [])
        typist.desktop.pointer?.enter(
            serial: 6, surface: try typist.desktop.windowSurface.resource, surfaceX: 1, surfaceY: 1)
        typist.desktop.pointer?.frame()
        try typist.desktop.pump()
        _ = typist.log.drainInputs()
        #expect(try told(4, 0, 0) == [.modifiers(.control)])
        #expect(try told(0, 0, 0) == [.modifiers([])])
    }

    /// Letters with accents are Latin letters, and a second Latin layout changes nothing.
    @Test func latinLayoutsKeepTheirNames() throws {
        let german = try Typist(self, symbols: "pc+de+ru:2+inet(evdev)")
        #expect(try german.keys([21, 39]).map(\.name) == ["z", "odiaeresis"])
        #expect(try german.keys([21, 39], group: 1).map(\.name) == ["z", "odiaeresis"])
        #expect(try german.keys([21], group: 1).map(\.localName) == ["Cyrillic_en"])
        let french = try Typist(self, symbols: "pc+fr+us:2+inet(evdev)")
        #expect(try french.keys([16, 3]).map(\.name) == ["a", "eacute"])
    }

    /// Sends a layout that XKB compiles from its shortest form.
    private func sendKeymap(
        to keyboard: WlKeyboardResource, symbols: String = "pc+us+inet(evdev)"
    ) throws {
        let text = Array(
            """
            xkb_keymap { xkb_keycodes { include "evdev+aliases(qwerty)" };
            xkb_types { include "complete" }; xkb_compat { include "complete" };
            xkb_symbols { include "\(symbols)" }; };\0
            """.utf8)
        let memory = clinux_memfd_create("keymap")
        defer { close(memory) }
        try #require(write(memory, text, text.count) == text.count)
        keyboard.keymap(format: .xkbV1, fd: memory, size: UInt32(text.count))
    }
}
