import Geometry
import Input
import Motion
import WaylandProtocol

/// One user's set of input devices, which may change at any time.
final class Seat {
    let name: UInt32
    /// Identifies the seat in events: from 0, in the order in which the seats were announced.
    let number: Int
    let raw: WlSeat
    private unowned let connection: Connection
    private(set) var touch: Touch?
    private(set) var pointer: Pointer?
    private(set) var keyboard: Keyboard?
    /// The pens of the seat; nil before its first capabilities, and without the protocol.
    private var pens: Pens?
    /// The input methods of the seat; nil before its first capabilities, and without the protocol.
    private(set) var textInput: TextInput?
    private var idleness: ExtIdleNotificationV1?
    /// The latest press or touch; nil before the first one.
    private var latestPress: (serial: UInt32, device: PressDevice)?

    /// What can hold something that the compositor may take over.
    enum PressDevice: CaseIterable {
        case touch, pointer, pen
    }
    /// The serial of the latest press of a finger, button or key; nil before the first one.
    private(set) var inputSerial: UInt32?

    init(name: UInt32, number: Int, raw: WlSeat, connection: Connection) {
        self.name = name
        self.number = number
        self.raw = raw
        self.connection = connection
        raw.onEvent = { [weak self] in
            guard case .capabilities(let capabilities) = $0 else { return }
            self?.addTextInput()
            self?.addPens()
            self?.update(capabilities)
        }
    }

    deinit {
        idleness?.destroy()
        raw.release()
    }

    /// Tells `handler` when the seat has not been used for `timeout` milliseconds, and when it is used
    /// again; by its input alone where the compositor tells that.
    func watchIdleness(
        _ notifier: ExtIdleNotifierV1, timeout: Double, _ handler: @escaping (Bool) -> Void
    ) {
        idleness?.destroy()
        let timeout = UInt32(clamping: Int(timeout))
        let new =
            notifier.version >= 2
            ? notifier.getInputIdleNotification(timeout: timeout, seat: raw)
            : notifier.getIdleNotification(timeout: timeout, seat: raw)
        new?.onEvent = { handler($0 == .idled) }
        idleness = new
    }

    /// The time of the next key repetition.
    var deadline: Moment? { keyboard?.deadline }

    func handleDeadline(now: Moment) { keyboard?.handleDeadline(now: now) }

    /// Completes a touch frame that the compositor has left open.
    func endBatch() { touch?.endBatch() }

    /// Cancels the contacts of fingers and pens.
    func cancelContacts() {
        touch?.cancel()
        pens?.cancel()
    }

    /// Cancels the contacts of fingers, which are the hand with a pen.
    func cancelFingers() { touch?.cancel() }

    /// Whether a finger that lands is the hand with a pen.
    func ignoresFinger(at time: EventTime) -> Bool {
        pens?.ignoreFinger(at: connection.moment(of: time)) ?? false
    }

    /// The cursors of the pointer and the pens.
    var cursors: [PointerCursor] {
        [pointer?.cursor].compactMap(\.self) + (pens?.pens.map(\.cursor) ?? [])
    }

    /// Ends all presses, contacts and gestures, since the seat was removed.
    func loseCapabilities() {
        textInput?.leave()
        textInput = nil
        idleness?.destroy()
        idleness = nil
        pens?.lose()
        pens = nil
        update([])
    }

    /// Sends an event to a window, with the time from the compositor, or else with the current time.
    func send(_ event: InputEvent, to window: Window?, time: EventTime? = nil) {
        guard let window else { return }
        let moment = time.map(connection.moment(of:)) ?? connection.now
        window.handler?(.input(event, at: moment, seat: number))
    }

    /// Stores the serial of a press; hides the cursor of the pointer if it did not make the press.
    func pressed(serial: UInt32, by device: PressDevice) {
        latestPress = (serial, device)
        inputSerial = serial
        // While the compositor drags, it keeps the presses to itself.
        connection.data?.dragHasEnded()
        if device != .pointer { pointer?.cursor.hideUntilMotion() }
    }

    /// Stores the serial of a key press.
    func pressedKey(serial: UInt32) { inputSerial = serial }

    /// The serial by which the compositor takes over what is down; nil before the first press.
    ///
    /// It is that of the finger, button or pen that is still down, since a compositor refuses others.
    var pressSerial: UInt32? {
        guard let latestPress else { return nil }
        return heldSerial(of: latestPress.device)
            ?? PressDevice.allCases.lazy.compactMap { self.heldSerial(of: $0) }.first
            ?? latestPress.serial
    }

    private func heldSerial(of device: PressDevice) -> UInt32? {
        switch device {
        case .touch: touch?.heldSerial
        case .pointer: pointer?.heldSerial
        case .pen: pens?.heldSerial
        }
    }

    /// Whether a finger, a button or a pen is down, of which the window gets the events.
    var holdsPress: Bool { PressDevice.allCases.contains { heldSerial(of: $0) != nil } }

    /// Lets the compositor move the window with the pointer, finger or pen that is down.
    func beginMove(_ toplevel: XdgToplevel) {
        guard let pressSerial else { return }
        toplevel.move(seat: raw, serial: pressSerial)
        handOver()
    }

    /// Lets the compositor resize the window with the press of that serial.
    func beginResize(_ toplevel: XdgToplevel, _ edge: XdgToplevel.ResizeEdge, serial: UInt32) {
        toplevel.resize(seat: raw, serial: serial, edges: edge)
        handOver()
    }

    /// Lets the compositor show its menu for the window, for the latest press.
    func showWindowMenu(_ toplevel: XdgToplevel, at point: Point) {
        guard let pressSerial else { return }
        toplevel.showWindowMenu(
            seat: raw, serial: pressSerial, x: Int32(clamping: point.x.rounded()),
            y: Int32(clamping: point.y.rounded()))
        handOver()
    }

    /// Names the latest press of this seat as the reason for an activation.
    func justify(_ token: XdgActivationTokenV1) {
        if let inputSerial { token.setSerial(serial: inputSerial, seat: raw) }
    }

    /// Ends contacts and presses: from here on, the compositor receives the events of what is down.
    func handOver() {
        touch?.cancel()
        pens?.cancel()
        pointer?.releaseButtons()
    }

    /// Adds the pens, which a seat without a pointer may have, too.
    private func addPens() {
        guard pens == nil, let manager = connection.globals.tablets else { return }
        pens = Pens(
            raw: manager.getTabletSeat(seat: raw), seat: self, connection: connection)
    }

    /// Adds the input methods, which serve a seat without a keyboard, too.
    private func addTextInput() {
        guard textInput == nil, let manager = connection.globals.textInput else { return }
        // Compositors announce the focus only to objects that exist when it changes.
        textInput = TextInput(
            raw: manager.getTextInput(seat: raw), seat: self, connection: connection)
    }

    private func update(_ capabilities: WlSeat.Capability) {
        if !capabilities.contains(.touch) {
            touch?.cancel()
            touch = nil
        } else if touch == nil {
            touch = Touch(raw: raw.getTouch(), seat: self, connection: connection)
        }
        if !capabilities.contains(.pointer) {
            pointer?.lose()
            pointer = nil
        } else if pointer == nil {
            pointer = Pointer(raw: raw.getPointer(), seat: self, connection: connection)
        }
        if !capabilities.contains(.keyboard) {
            keyboard?.leave()
            keyboard = nil
        } else if keyboard == nil {
            keyboard = Keyboard(raw: raw.getKeyboard(), seat: self, connection: connection)
        }
    }
}
