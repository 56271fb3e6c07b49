package import Geometry
package import Input
package import WaylandProtocol
package import WaylandServer

/// A text input object of a client, and the on-screen keyboard that serves it.
///
/// The object checks the client's requests. `isEnabled` says whether the keyboard is visible.
package final class TestTextInput {
    /// What a client's commit applies.
    package struct State: Hashable {
        package var isEnabled = false
        package var text = ""
        /// In bytes of UTF-8.
        package var cursor = 0
        package var anchor = 0
        package var purpose = ZwpTextInputV3.ContentPurpose.normal
        package var cause = ZwpTextInputV3.ChangeCause.inputMethod
        package var cursorRect: Rect?
        /// What the on-screen keyboard can do with the field besides writing, from version 2 on.
        package var actions: [ZwpTextInputV3.Action] = []
    }

    package let resource: ZwpTextInputV3Resource
    /// The state of the latest commit.
    package private(set) var state = State()
    /// The number of commits, the serial of a correct `done`.
    package private(set) var commits: UInt32 = 0
    /// How often the client enabled text input.
    package private(set) var enables = 0
    private var next = State()
    private(set) var focus: TestSurface?
    private unowned let compositor: TestCompositor

    init(_ resource: ZwpTextInputV3Resource, _ compositor: TestCompositor) {
        self.resource = resource
        self.compositor = compositor
        resource.onRequest = { [unowned self] in receive($0) }
    }

    package var isEnabled: Bool { state.isEnabled }

    // MARK: Focus

    func enter(_ surface: TestSurface) {
        guard focus !== surface else { return }
        leave()
        focus = surface
        resource.enter(surface: surface.resource)
    }

    func leave() {
        if let focus, focus.isOpen { resource.leave(surface: focus.resource) }
        focus = nil
        (state, next) = (State(), State())
    }

    // MARK: Keyboard

    /// Sends a change as one group of events; `serial` is the number of commits in a correct group.
    package func send(_ change: TextInputEvent, serial: UInt32? = nil) {
        if let preedit = change.preedit {
            resource.preeditString(
                text: preedit.text, cursorBegin: Int32(preedit.cursor?.lowerBound ?? -1),
                cursorEnd: Int32(preedit.cursor?.upperBound ?? -1))
        }
        if !change.commit.isEmpty { resource.commitString(text: change.commit) }
        if change.deletionBefore > 0 || change.deletionAfter > 0 {
            resource.deleteSurroundingText(
                beforeLength: UInt32(clamping: change.deletionBefore),
                afterLength: UInt32(clamping: change.deletionAfter))
        }
        resource.done(serial: serial ?? commits)
    }

    /// Completes the field, as the Return key of an on-screen keyboard does.
    package func submit() {
        guard state.actions.contains(.submit) else {
            violate("the field cannot be completed")
            return
        }
        resource.action(action: .submit, serial: compositor.nextSerial())
        resource.done(serial: commits)
    }

    // MARK: Requests

    private func violate(_ text: String) { compositor.violate("zwp_text_input_v3: " + text) }

    private func receive(_ request: ZwpTextInputV3Resource.Request) {
        if case .commit = request { commits &+= 1 }
        // The client may not know yet that the focus is elsewhere.
        guard focus != nil else { return }
        switch request {
        case .enable:
            enables += 1
            next = State(isEnabled: true)
        case .disable: next = State()
        case .setSurroundingText(let text, let cursor, let anchor):
            if text.utf8.count > 4000 { violate("more than 4000 bytes of text") }
            check(Int(cursor), in: text)
            check(Int(anchor), in: text)
            (next.text, next.cursor, next.anchor) = (text, Int(cursor), Int(anchor))
        case .setTextChangeCause(let cause): next.cause = cause
        case .setContentType(_, let purpose): next.purpose = purpose
        case .setCursorRectangle(let x, let y, let width, let height):
            next.cursorRect = Rect(
                x: Double(x), y: Double(y), width: Double(width), height: Double(height))
        case .commit:
            state = next
            next.cause = .inputMethod
        case .setAvailableActions(let words):
            next.actions = words.words.map(ZwpTextInputV3.Action.init(rawValue:))
            if next.actions.contains(.none) || Set(next.actions).count < next.actions.count {
                violate("the actions \(words.words) are not valid")
            }
        case .showInputPanel, .hideInputPanel, .destroy: break
        }
    }

    private func check(_ offset: Int, in text: String) {
        let isValid = offset >= 0 && text.codePointOffset(atOrBefore: offset) == offset
        if !isValid { violate("the offset \(offset) is not valid") }
    }
}
