import CompositorKit
import Geometry
import Input
import Interface
import Motion
import Testing
import ViewerKit
import WaylandClient
import WaylandProtocol
import WaylandServer

/// A window with a text field, and an on-screen keyboard of the compositor.
@Suite struct TextInputTests {
    private static let rect = Rect(x: 10, y: 20.4, width: 0.5, height: 30)

    /// A mapped window whose field gets all input.
    private final class FieldWindow {
        let time = ManualTime()
        let compositor: TestCompositor
        let connection: Connection
        let window: Window
        private(set) var changes: [TextInputEvent] = []
        /// The names of the keys, in order.
        private(set) var keys: [String] = []
        var field = TextField("100%")
        /// Identifies the field; nil if it does not have the focus.
        var number: Int?
        private var failure: (any Error)?

        init(_ setup: Setup = Setup()) throws {
            compositor = try TestCompositor(setup, time: time.timekeeper)
            let (time, compositor) = (time, compositor)
            let connection = try Connection(socket: try compositor.socketForClient()) { time.now }
            self.connection = connection
            time.turn = {
                try? Self.dispatch(connection)
                return nil
            }
            try #require(compositor.run { connection.isReady })
            window = try Window(connection: connection, options: .init(title: "t", appID: "a"))
            window.handler = { [unowned self] in receive($0) }
            time.turn = { [unowned self] in
                do { try Self.dispatch(connection) } catch { failure = error }
                return nil
            }
            try #require(compositor.run { window.state != nil })
            let frame = try #require(try window.acquireFrame())
            window.commit(frame, damage: [PixelRect(frame.size)], requestFrameCallback: false)
            settle()
        }

        private static func dispatch(_ connection: Connection) throws {
            for _ in 0..<2 {
                _ = try connection.prepareAndFlush()
                try connection.readAndDispatch(isReadable: connection.hasInput)
            }
            _ = try connection.prepareAndFlush()
            try connection.readAndDispatch(isReadable: false)
        }

        /// Lets both sides handle all messages.
        func settle() {
            compositor.run(seconds: 0.1)
            #expect(failure == nil)
        }

        /// The text input of the compositor's only seat.
        var input: TestTextInput {
            get throws { try #require(compositor.seats.first?.textInput) }
        }

        func focusField(_ number: Int?) {
            self.number = number
            update()
            settle()
        }

        /// Reports the field, as a viewer does after each event.
        func update() {
            window.setTextInput(
                number.map {
                    field.inputState(
                        field: $0, purpose: .number, cursorRect: TextInputTests.rect)
                })
        }

        private func receive(_ event: WindowEvent) {
            guard case .input(let input, _, _) = event else { return }
            switch input {
            case .key(let key):
                keys.append(key.name)
                _ = field.handle(key)
            case .textInput(let change):
                changes.append(change)
                _ = field.handle(change)
            default: return
            }
            update()
        }

        func type(_ change: TextInputEvent, serial: UInt32? = nil) throws {
            try input.send(change, serial: serial)
            settle()
        }
    }

    private func preedit(_ text: String) -> TextInputEvent {
        TextInputEvent(
            preedit: .init(text, cursorBegin: text.utf8.count, cursorEnd: text.utf8.count))
    }

    /// The Return key of the on-screen keyboard is that of a hardware keyboard, from version 2 on.
    @Test(arguments: [1, 2] as [UInt32])
    func theKeyboardCompletesAField(_ version: UInt32) throws {
        let window = try FieldWindow(
            Setup(
                offer: OfferedGlobals.everything.with(
                    "zwp_text_input_manager_v3", version: version)))
        window.focusField(1)
        #expect(try window.input.state.actions == (version == 2 ? [.submit] : []))
        if version == 2 {
            // The language and the hints of an input method change nothing.
            try window.input.resource.language(language: "ja")
            try window.input.resource.preeditHint(start: 7, end: 3, hint: .init(rawValue: 99))
            try window.type(TextInputEvent(commit: "!"))
            #expect(window.keys.isEmpty)
            try window.input.submit()
            window.settle()
            #expect(window.keys == ["Return"])
            // A field that has lost the focus is not completed.
            window.focusField(nil)
            try window.input.resource.action(action: .submit, serial: 1)
            try window.type(TextInputEvent())
            #expect(window.keys == ["Return"])
        }
        #expect(window.compositor.violations == [])
    }

    @Test func aFieldBringsUpTheKeyboardAndLeavingHidesIt() throws {
        let window = try FieldWindow()
        #expect(try window.input.commits == 0)
        window.focusField(1)
        let state = try window.input.state
        #expect(state.isEnabled && state.purpose == .number)
        #expect(state.text == "100%" && state.cursor == 4 && state.anchor == 0)
        #expect(state.cursorRect == Rect(x: 10, y: 20, width: 1, height: 30))
        #expect(try window.input.commits == 1)
        window.update()
        window.settle()
        #expect(try window.input.commits == 1)
        window.focusField(nil)
        #expect(try !window.input.isEnabled && window.input.commits == 2)
        window.focusField(2)
        window.focusField(3)
        #expect(try window.input.enables == 3)
        #expect(window.compositor.violations == [])
    }

    @Test func theKeyboardComposesAndTypes() throws {
        let window = try FieldWindow()
        window.focusField(1)
        try window.type(preedit("5"))
        #expect(window.field.displayText == "5" && window.field.text == "")
        // The pre-edit text is not a part of the surrounding text.
        #expect(try window.input.state.text == "" && window.input.state.cause == .inputMethod)
        try window.type(TextInputEvent(commit: "50"))
        try window.type(TextInputEvent(commit: "5", deletionBefore: 1))
        #expect(window.field.text == "55" && window.field.preedit == nil)
        #expect(try window.input.state.text == "55" && window.input.state.cursor == 2)
        #expect(window.compositor.violations == [])
    }

    @Test func keysAreAnOtherCause() throws {
        let window = try FieldWindow()
        window.focusField(1)
        try window.type(preedit("5"))
        let surface = try #require(window.compositor.surface)
        window.compositor.seats.first?.send(.key(KeyEvent(name: "7")), to: surface)
        window.settle()
        #expect(window.field.text == "7" && window.field.preedit == nil)
        #expect(try window.input.state.text == "7" && window.input.state.cause == .other)
    }

    @Test func anAnswerToAnOldStateIsAppliedButNotAnswered() throws {
        let window = try FieldWindow()
        window.focusField(1)
        let commits = try window.input.commits
        try window.type(TextInputEvent(commit: "1"), serial: commits &- 1)
        #expect(window.field.text == "1")
        #expect(try window.input.commits == commits && window.input.state.text == "100%")
        try window.type(TextInputEvent(), serial: commits)
        #expect(try window.input.commits == commits + 1 && window.input.state.text == "1")
        // A person's key is told at once.
        try window.type(TextInputEvent(commit: "2"), serial: 4_000_000_000)
        let surface = try #require(window.compositor.surface)
        window.compositor.seats.first?.send(.key(KeyEvent(name: "3")), to: surface)
        window.settle()
        #expect(try window.input.state.text == "123")
    }

    @Test func leavingTheWindowRemovesThePreedit() throws {
        let window = try FieldWindow()
        window.focusField(1)
        try window.type(preedit("12"))
        let seat = try #require(window.compositor.seats.first)
        seat.focusText(on: nil)
        window.settle()
        #expect(window.field.preedit == nil && window.changes.last == TextInputEvent())
        // The state is sent again with the focus.
        seat.focusText(on: window.compositor.surface)
        window.settle()
        #expect(try window.input.isEnabled && window.input.enables == 2)
        try window.type(TextInputEvent(commit: "9"))
        #expect(window.field.text == "9")
    }

    @Test func changesWithoutAFieldAreIgnored() throws {
        let window = try FieldWindow()
        try window.type(TextInputEvent(commit: "9"))
        window.focusField(1)
        // Half a group for a field that loses the focus is not for the next field.
        try window.input.resource.commitString(text: "x")
        window.settle()
        window.focusField(nil)
        window.focusField(2)
        try window.type(TextInputEvent())
        #expect(window.changes == [] && window.field.text == "100%")
    }

    @Test(arguments: [
        (Int32.min, Int32.max), (-1, 5), (1, 2), (99, -7), (Int32.max, Int32.max),
    ])
    func hostileRangesAreHarmless(_ begin: Int32, _ end: Int32) throws {
        let window = try FieldWindow()
        window.focusField(1)
        let resource = try window.input.resource
        resource.preeditString(text: "あ\n", cursorBegin: begin, cursorEnd: end)
        resource.deleteSurroundingText(beforeLength: .max, afterLength: .max)
        resource.done(serial: 77)
        resource.preeditString(text: nil, cursorBegin: begin, cursorEnd: end)
        resource.commitString(text: nil)
        resource.done(serial: .max)
        resource.deleteSurroundingText(beforeLength: 1, afterLength: 4_000_000_000)
        resource.commitString(text: "é" + String(repeating: "\u{301}", count: 1000))
        resource.done(serial: 1)
        window.settle()
        #expect(window.field.text.unicodeScalars.first == "é" && window.field.count == 1)
        #expect(window.compositor.violations == [])
    }

    @Test func aLongTextIsToldInPart() throws {
        let window = try FieldWindow()
        window.field = TextField(String(repeating: "あ", count: 4000), limit: 4000)
        window.field.moveCursor(to: 2000)
        window.focusField(1)
        let state = try window.input.state
        #expect(state.text.utf8.count <= 4000 && state.text.utf8.count > 3990)
        #expect(window.compositor.violations == [])
    }

    @Test func aRemovedSeatEndsTheComposition() throws {
        let window = try FieldWindow()
        window.focusField(1)
        try window.type(preedit("12"))
        window.compositor.seats.first?.remove()
        window.settle()
        #expect(window.field.preedit == nil)
        window.focusField(2)
        #expect(window.compositor.violations == [])
    }

    @Test func aTabletNeedsNoKeyboard() throws {
        var setup = Setup()
        setup.capabilities = [.touch]
        let window = try FieldWindow(setup)
        window.focusField(1)
        try window.type(TextInputEvent(commit: "75"))
        #expect(window.field.text == "75")
        // The keyboard of a dock comes and goes; text input stays.
        window.compositor.seats.first?.capabilities = [.touch, .keyboard]
        window.settle()
        window.compositor.seats.first?.capabilities = [.touch]
        window.settle()
        #expect(window.compositor.seats.first?.textInputs.count == 1)
        try window.type(TextInputEvent(commit: "%"))
        #expect(window.field.text == "75%")
        #expect(window.compositor.violations == [])
    }

    @Test func withoutTheProtocolKeysStillType() throws {
        let window = try FieldWindow(
            Setup(offer: OfferedGlobals.everything.without("zwp_text_input_manager_v3")))
        window.focusField(1)
        let surface = try #require(window.compositor.surface)
        window.compositor.seats.first?.send(.key(KeyEvent(name: "7")), to: surface)
        window.settle()
        #expect(window.field.text == "7")
    }

    @Test func aScriptPlaysTheKeyboard() throws {
        let window = try FieldWindow()
        window.focusField(1)
        try window.compositor.play(
            """
            10 text preedit 2 1 1
            20 text commit 25
            30 text delete 1 0 commit 0%25
            40 key Multi_key
            50 key dead_acute
            60 end
            """)
        #expect(window.field.text == "20%")
    }
}
