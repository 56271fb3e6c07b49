import Geometry
import Input
import Motion
import WaylandProtocol

/// A pen, or another tool on a tablet: a pointer while it hovers, a finger or a button of a mouse while it
/// touches.
///
/// | what the tool does | what the window gets |
/// | --- | --- |
/// | hovers | movements of a pointer |
/// | the tip touches | a contact of a pen, or the left button of a mouse, as `Connection.penContact` says |
/// | the eraser touches | a contact of the eraser |
/// | the tip touches while a button or another pen is down | nothing: it goes on as if it hovered |
/// | a button is pressed while the tool hovers | the button of the pen |
/// | a button that was down before the pen came, or while it touches | nothing |
/// | a wheel turns by whole clicks | steps of a wheel |
/// | the tool leaves, or is removed, while it touches | the contact is cancelled |
final class Pen {
    private enum Contact {
        case pen
        case mouse
        /// The contact has no effect.
        case spent
    }

    let cursor: PointerCursor
    /// The tablet that the tool is above; nil while it is above none.
    private(set) weak var tablet: ZwpTabletV2?
    private let raw: ZwpTabletToolV2
    private unowned let pens: Pens
    private unowned let seat: Seat
    private unowned let connection: Connection
    private var type = ZwpTabletToolV2.TypeValue.pen
    private var frame = PenFrame()
    /// The time of the last frame; nil before the first one.
    private var time: EventTime?
    private weak var window: Window?
    private var border: BorderPart?
    private var position = Point.zero
    private var contact: Contact?
    /// The buttons that are down, as linux/input-event-codes.h numbers them.
    private var buttons: Set<UInt32> = []
    private var pressSerial: UInt32 = 0

    init(raw: ZwpTabletToolV2, of pens: Pens, seat: Seat, connection: Connection) {
        self.raw = raw
        self.pens = pens
        self.seat = seat
        self.connection = connection
        cursor = PointerCursor(
            of: raw, connection.globals.cursorShape?.getTabletToolV2(tabletTool: raw),
            connection: connection)
        raw.onEvent = { [unowned self] in receive($0) }
    }

    /// Whether the tool touches a window, with effect.
    var isInContact: Bool { contact == .pen || contact == .mouse }

    /// The serial of the tip, or of the mouse button, that is down; nil if none is.
    var heldSerial: UInt32? { isInContact || !mouseButtons.isEmpty ? pressSerial : nil }

    private var mouseButtons: Set<UInt32> {
        buttons.filter { PointerButton(inputEventCode: $0) != nil }
    }

    /// Whether a hand beside the tool rests on the surface.
    private var isHeldByHand: Bool { type != .mouse && type != .lens }

    /// The compositor takes the contact away.
    func cancel() {
        let mouse = mouseButtons
        if contact == .pen {
            send(.pen(.cancel))
        } else if contact == .mouse || !mouse.isEmpty {
            // A pointer that leaves completes nothing; the next movement brings it back.
            send(.pointer(.leave))
        }
        buttons.subtract(mouse)
        if contact != nil { contact = .spent }
    }

    /// The tool has gone from above the windows.
    func depart() {
        if contact == .pen { send(.pen(.cancel)) }
        if window != nil { send(.pointer(.leave)) }
        (window, border, contact, tablet) = (nil, nil, nil, nil)
        buttons.removeAll()
        frame = PenFrame()
        cursor.left()
        pens.noteDeparture(of: self, at: moment)
    }

    /// The tool has gone from the seat.
    func lose() {
        depart()
        if raw.isAlive { raw.destroy() }
    }

    private func receive(_ event: ZwpTabletToolV2.Event) {
        switch event {
        case .type(let type): self.type = type
        case .hardwareSerial, .hardwareIdWacom, .capability, .done: break
        case .removed: pens.remove(self)
        case .proximityIn(let serial, let tablet, let surface):
            // A tool that goes from one surface to another may do so within one frame.
            if frame.departs { endFrame() }
            frame.arrival = .init(serial: serial, surface: surface, tablet: tablet)
        case .proximityOut: frame.departs = true
        case .down(let serial): add(.down(serial: serial))
        case .up: add(.up)
        case .motion(let x, let y): frame.position = Point(x: x, y: y)
        case .pressure, .distance, .tilt, .rotation, .slider: break
        case .wheel(let degrees, let clicks): frame.turn(degrees, clicks)
        case .button(let serial, let code, let state):
            add(.button(code, isDown: state == .pressed, serial: serial))
        case .frame(let time):
            self.time = EventTime(time)
            endFrame()
        }
    }

    /// A frame that does not end is no list without end.
    private func add(_ act: PenFrame.Act) {
        frame.add(act)
        if frame.isFull { endFrame() }
    }

    // MARK: Frames

    private func endFrame() {
        let frame = self.frame
        self.frame = PenFrame()
        if let arrival = frame.arrival { arrive(arrival, at: frame.position) }
        if window != nil || border != nil, isHeldByHand { pens.noteReport(of: self, at: moment) }
        if let position = frame.position { move(to: position) }
        for act in frame.acts { perform(act, arrives: frame.arrival != nil) }
        if frame.wheel.clicks != 0, window != nil {
            let wheel = PointerEvent.axis(
                .vertical, value: frame.wheel.degrees, source: .wheel,
                value120: 120 * frame.wheel.clicks)
            send(.pointer(wheel))
        }
        if frame.departs { depart() }
    }

    private func arrive(_ arrival: PenFrame.Arrival, at position: Point?) {
        // A window that was closed takes no leave.
        if window != nil || border != nil || contact != nil || !buttons.isEmpty { depart() }
        tablet = arrival.tablet
        window = connection.window(of: arrival.surface)
        border = connection.borderPart(of: arrival.surface)
        if let position { self.position = position }
        let edges = border.map { Cursor.resize($0.edges(at: self.position)) }
        cursor.entered(
            serial: arrival.serial, window: window ?? border?.window, borderCursor: edges)
    }

    private func move(to point: Point) {
        position = point
        if let border { return cursor.show(borderCursor: .resize(border.edges(at: point))) }
        guard window != nil else { return }
        if contact == .pen { return send(.pen(.move(to: point))) }
        cursor.moved()
        send(.pointer(.move(to: point)))
    }

    private func perform(_ act: PenFrame.Act, arrives: Bool) {
        switch act {
        case .down(let serial): touch(serial)
        case .up: lift()
        case .button(let code, let isDown, let serial):
            press(code, isDown: isDown, serial, arrives: arrives)
        }
    }

    // MARK: Tip and buttons

    private func touch(_ serial: UInt32) {
        guard window != nil || border != nil else { return }
        // A second down without an up: the compositor has lost the first contact.
        cancel()
        contact = .spent
        guard buttons.isEmpty, !pens.isInContact else { return }
        pressSerial = serial
        seat.pressed(serial: serial, by: .pen)
        if let border { return border.beginResize(at: position, seat: seat, serial: serial) }
        if type != .eraser, connection.penContact == .mouse {
            contact = .mouse
            return send(.pointer(.button(.left, isDown: true)))
        }
        contact = .pen
        cursor.hideUntilMotion()
        send(.pen(.down(type == .eraser ? .eraser : .tip, at: position)))
    }

    private func lift() {
        switch contact {
        case .pen: send(.pen(.up))
        case .mouse: send(.pointer(.button(.left, isDown: false)))
        case .spent, nil: break
        }
        contact = nil
    }

    /// `arrives` says that the button may have been down before the pen came above the window.
    private func press(_ code: UInt32, isDown: Bool, _ serial: UInt32, arrives: Bool) {
        let mouse = PointerButton(inputEventCode: code)
        let button = PenButton(inputEventCode: code)
        guard isDown else {
            guard buttons.remove(code) != nil, window != nil, let mouse else { return }
            return send(.pointer(.button(mouse, isDown: false)))
        }
        guard window != nil, mouse != nil || button != nil else { return }
        guard buttons.insert(code).inserted, !arrives, contact == nil else { return }
        pressSerial = serial
        seat.pressed(serial: serial, by: .pen)
        if let mouse { send(.pointer(.button(mouse, isDown: true))) }
        if let button { send(.pen(.button(button, at: position))) }
    }

    // MARK: Sending

    private var moment: Moment { time.map { connection.moment(of: $0) } ?? connection.now }

    private func send(_ event: InputEvent) { seat.send(event, to: window, time: time) }
}

extension PenButton {
    /// The button for a Linux input event code (BTN_STYLUS, BTN_STYLUS2, BTN_STYLUS3); nil for others.
    fileprivate init?(inputEventCode code: UInt32) {
        switch code {
        case 0x14B: self = .first
        case 0x14C: self = .second
        case 0x149: self = .third
        default: return nil
        }
    }
}
