import Geometry
import Input
import WaylandProtocol

/// The touchscreen of a seat.
///
/// Events are forwarded as they arrive. A `frame` is added at the end of a batch if the compositor
/// sent none: weston leaves it out after the last finger went up, mutter after any finger went up.
final class Touch {
    /// A finger, with the compositor's id for it.
    private struct Contact {
        let id: Int32
        let number: Int
        /// The serial of the touch.
        let serial: UInt32
        weak var window: Window?
    }

    /// More fingers than any hand or screen has; further contacts are ignored.
    private static let mostContacts = 64

    private let raw: WlTouch
    private unowned let seat: Seat
    private unowned let connection: Connection
    /// A reference of its own, since the connection may be gone when the last numbers are returned.
    private let numbers: ContactNumbers
    private let timestamps: InputTimestamps?
    private var contacts: [Contact] = []
    /// The windows that received an event since their last frame, and the time of the latest event.
    private var unframed: [(window: Window, time: EventTime)] = []

    init(raw: WlTouch, seat: Seat, connection: Connection) {
        self.raw = raw
        self.seat = seat
        self.connection = connection
        numbers = connection.contacts
        timestamps = connection.globals.inputTimestamps.map { manager in
            InputTimestamps(manager.getTouchTimestamps(touch: raw))
        }
        raw.onEvent = { [weak self] in self?.receive($0) }
    }

    deinit {
        for contact in contacts { numbers.release(contact.number) }
        raw.release()
    }

    /// Ends the frames that the compositor left open.
    func endBatch() {
        // One by one, since the handler of a window may cancel the remaining ones.
        while let (window, time) = unframed.popLast() {
            seat.send(.touch(.frame), to: window, time: time)
        }
    }

    /// Cancels all contacts, and notifies their windows.
    func cancel() {
        let cancelled = contacts
        contacts.removeAll()
        var notified: [Window] = []
        for contact in cancelled {
            numbers.release(contact.number)
            guard let window = contact.window, !notified.contains(where: { $0 === window }) else {
                continue
            }
            notified.append(window)
            seat.send(.touch(.cancel), to: window)
        }
        // A cancel needs no frame. A window whose last finger has just gone up still needs one.
        unframed.removeAll { entry in notified.contains { $0 === entry.window } }
        endBatch()
    }

    /// The serial of the latest finger that is still down; nil if none is down.
    var heldSerial: UInt32? { contacts.last?.serial }

    private func eventTime(_ time: UInt32) -> EventTime {
        timestamps?.consume(time) ?? EventTime(time)
    }

    private func receive(_ event: WlTouch.Event) {
        switch event {
        case .down(let serial, let time, let surface, let id, let x, let y):
            let (time, point) = (eventTime(time), Point(x: x, y: y))
            if let border = connection.borderPart(of: surface) {
                touched(border, serial, time, id, at: point)
            } else {
                down(serial, time, connection.window(of: surface), id, point)
            }
        case .up(_, let time, let id):
            let time = eventTime(time)
            guard let index = contacts.firstIndex(where: { $0.id == id }) else { return }
            let contact = contacts.remove(at: index)
            numbers.release(contact.number)
            send(.up(id: contact.number), contact.window, time)
        case .motion(let time, let id, let x, let y):
            let time = eventTime(time)
            guard let contact = contacts.first(where: { $0.id == id }) else { return }
            send(.move(id: contact.number, to: Point(x: x, y: y)), contact.window, time)
        case .frame: endBatch()
        case .cancel: cancel()
        case .shape(let id, let major, let minor): shape(id, major: major, minor: minor)
        case .orientation: break
        }
    }

    /// Shape events have no time; they get the time of the latest event in the window's open frame.
    private func shape(_ id: Int32, major: Double, minor: Double) {
        guard let contact = contacts.first(where: { $0.id == id }), let window = contact.window,
            let entry = unframed.first(where: { $0.window === window })
        else { return }
        send(.shape(id: contact.number, major: major, minor: minor), window, entry.time)
    }

    private func down(
        _ serial: UInt32, _ time: EventTime, _ window: Window?, _ id: Int32, _ point: Point
    ) {
        // A second down of an id that never went up: the compositor has lost the first finger.
        if contacts.contains(where: { $0.id == id }) { cancel() }
        guard let window, contacts.count < Self.mostContacts, !seat.ignoresFinger(at: time)
        else { return }
        let contact = Contact(
            id: id, number: numbers.allocate(), serial: serial, window: window)
        contacts.append(contact)
        seat.pressed(serial: serial, by: .touch)
        send(.down(id: contact.number, at: point), window, time)
    }

    /// A finger on a window's border resizes the window; the window learns nothing of it.
    private func touched(
        _ border: BorderPart, _ serial: UInt32, _ time: EventTime, _ id: Int32, at point: Point
    ) {
        if contacts.contains(where: { $0.id == id }) { cancel() }
        // Fingers on a window's content would lose their gesture.
        guard contacts.isEmpty, !seat.ignoresFinger(at: time) else { return }
        seat.pressed(serial: serial, by: .touch)
        border.beginResize(at: point, seat: seat, serial: serial)
    }

    private func send(_ event: TouchEvent, _ window: Window?, _ time: EventTime) {
        guard let window else { return }
        if let index = unframed.firstIndex(where: { $0.window === window }) {
            unframed[index].time = time
        } else {
            unframed.append((window, time))
        }
        seat.send(.touch(event), to: window, time: time)
    }
}
