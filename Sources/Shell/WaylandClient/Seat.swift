import Input
import Motion
import WaylandProtocol

/// One person's set of input devices; what it consists of may change at any moment.
final class Seat {
    let name: UInt32
    /// Tells the seat apart in events, from 0 in the order in which seats came.
    let number: Int
    private let raw: WlSeat
    private unowned let connection: Connection
    private(set) var touch: Touch?
    private(set) var pointer: Pointer?
    private(set) var keyboard: Keyboard?
    /// The serial of the latest press or touch, which allows a move; nil before any.
    private(set) var pressSerial: UInt32?

    init(name: UInt32, number: Int, raw: WlSeat, connection: Connection) {
        self.name = name
        self.number = number
        self.raw = raw
        self.connection = connection
        raw.onEvent = { [weak self] in
            if case .capabilities(let capabilities) = $0 { self?.update(capabilities) }
        }
    }

    deinit { raw.release() }

    /// When a held key repeats.
    var deadline: Moment? { keyboard?.deadline }

    func handleDeadline(now: Moment) { keyboard?.handleDeadline(now: now) }

    /// Completes a touch frame that the compositor has left open.
    func endBatch() { touch?.endBatch() }

    /// Takes all contacts away, as after a loss.
    func cancelContacts() { touch?.cancel() }

    /// Ends everything that the devices had begun: the seat is gone.
    func loseCapabilities() { update([]) }

    /// Sends an event to a window, at the time that the compositor gave it.
    func send(_ event: InputEvent, to window: Window?, time: EventTime) {
        window?.receive(event, at: connection.moment(of: time), seat: number)
    }

    /// Sends an event that the compositor has given no time.
    func send(_ event: InputEvent, to window: Window?) {
        window?.receive(event, at: connection.now, seat: number)
    }

    /// Notes a press, and puts the cursor out of the way of a finger.
    func pressed(serial: UInt32, byTouch: Bool) {
        pressSerial = serial
        if byTouch { pointer?.cursor.hideUntilMotion() }
    }

    /// Lets the compositor move the window with the pointer or finger that is down.
    func beginMove(_ toplevel: XdgToplevel) {
        guard let pressSerial else { return }
        toplevel.move(seat: raw, serial: pressSerial)
        // What is down belongs to the compositor from here on.
        touch?.cancel()
        pointer?.releaseButtons()
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
