import Geometry
import Input
import WaylandProtocol

/// The input methods of a seat, by `zwp_text_input_v3`.
///
/// The object tells the compositor the state of the focused window's text field, and collects the
/// changes by the input method up to each `done`.
final class TextInput {
    private let raw: ZwpTextInputV3
    private unowned let seat: Seat
    private unowned let connection: Connection
    private weak var window: Window?
    /// The state that the compositor has; nil if text input is disabled.
    private var sent: TextInputState?
    /// The number of commit requests, which wraps around.
    private var commits: UInt32 = 0
    /// Whether the latest `done` answered an older state.
    ///
    /// The protocol then forbids to answer the input method's changes with a new state, until a
    /// `done` for the latest commit.
    private var isBehind = false
    /// The changes since the latest `done`.
    private var pending = TextInputEvent()
    /// Whether the input method has completed the field since the latest `done`.
    private var isSubmitted = false
    private var showsPreedit = false

    init(raw: ZwpTextInputV3, seat: Seat, connection: Connection) {
        self.raw = raw
        self.seat = seat
        self.connection = connection
        raw.onEvent = { [weak self] in self?.receive($0) }
    }

    /// Sends the state of the window's text field, if it changed.
    func update() {
        guard let window else { return }
        guard let state = window.textInput else { return disable() }
        let isNew = sent?.field != state.field
        guard isNew || !state.isEqual(to: sent) else { return }
        if !isNew, isBehind, state.changeCause == .inputMethod { return }
        if isNew {
            raw.enable()
            raw.setAvailableActions(
                availableActions: WireArray(words: [ZwpTextInputV3.Action.submit.rawValue]))
            (isBehind, showsPreedit) = (false, false)
            (pending, isSubmitted) = (TextInputEvent(), false)
        }
        send(state)
    }

    /// Ends the focus of the window; its field loses the pre-edit text.
    func leave() {
        let left = window
        window = nil
        forget()
        if left?.wantsText == true { deliver(TextInputEvent(), to: left) }
        showsPreedit = false
    }

    /// Forgets the state, which the compositor has forgotten too.
    private func forget() {
        sent = nil
        isBehind = false
        (pending, isSubmitted) = (TextInputEvent(), false)
    }

    private func disable() {
        guard sent != nil else { return }
        forget()
        showsPreedit = false
        raw.disable()
        commit()
    }

    private func commit() {
        raw.commit()
        commits &+= 1
    }

    private func send(_ state: TextInputState) {
        sent = state
        let excerpt = state.excerpt()
        raw.setSurroundingText(
            text: excerpt.text, cursor: Int32(excerpt.cursor), anchor: Int32(excerpt.anchor))
        if state.changeCause == .other { raw.setTextChangeCause(cause: .other) }
        raw.setContentType(hint: [], purpose: state.purpose.wirePurpose)
        let rect = state.cursorRect
        func whole(_ length: Double) -> Int32 {
            length.isFinite ? Int32(clamping: Int(min(max(length.rounded(), -1e6), 1e6))) : 0
        }
        raw.setCursorRectangle(
            x: whole(rect.x), y: whole(rect.y), width: max(whole(rect.width), 1),
            height: max(whole(rect.height), 1))
        commit()
    }

    private func receive(_ event: ZwpTextInputV3.Event) {
        switch event {
        case .enter(let surface):
            leave()
            window = connection.window(of: surface)
            update()
        case .leave: leave()
        case .preeditString(let text, let begin, let end):
            pending.preedit = text.map {
                TextInputEvent.Preedit($0, cursorBegin: Int(begin), cursorEnd: Int(end))
            }
        case .commitString(let text): pending.commit = text ?? ""
        case .deleteSurroundingText(let before, let after):
            pending.deletionBefore = Int(clamping: before)
            pending.deletionAfter = Int(clamping: after)
        case .action(let action, _): isSubmitted = action == .submit
        // The pre-edit text is underlined as a whole, and its language is that of the field.
        case .preeditHint, .language: break
        case .done(let serial): done(serial)
        }
    }

    private func done(_ serial: UInt32) {
        let (change, isSubmitted) = (pending, isSubmitted)
        (pending, self.isSubmitted) = (TextInputEvent(), false)
        // What was composed for a field that has lost the focus is not for another one.
        guard sent != nil else { return }
        isBehind = serial != commits
        deliver(change, to: window)
        // As the key of a hardware keyboard, which every field understands.
        if isSubmitted {
            seat.send(.key(KeyEvent(name: "Return", action: .click)), to: window)
        }
        // The state may have been held back, and the handler may have changed it.
        update()
    }

    private func deliver(_ change: TextInputEvent, to window: Window?) {
        guard !change.isEmpty || showsPreedit else { return }
        showsPreedit = change.preedit != nil
        seat.send(.textInput(change), to: window)
    }
}

extension TextInputState {
    /// Whether the other state differs at most in the cause of the latest change.
    fileprivate func isEqual(to other: TextInputState?) -> Bool {
        guard var other else { return false }
        other.changeCause = changeCause
        return other == self
    }
}

extension TextInputState.Purpose {
    fileprivate var wirePurpose: ZwpTextInputV3.ContentPurpose {
        switch self {
        case .normal: .normal
        case .number: .number
        case .digits: .digits
        case .url: .url
        case .email: .email
        case .pin: .pin
        }
    }
}
