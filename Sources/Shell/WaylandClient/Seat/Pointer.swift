import Geometry
import Input
import WaylandProtocol

/// The pointer of a seat: mouse or touchpad.
///
/// From version 5 on, events are collected until `frame`, so that the events of one scroll step
/// stay together.
final class Pointer {
    let cursor: PointerCursor
    private let raw: WlPointer
    private let gestures: PointerGestures?
    private unowned let seat: Seat
    private unowned let connection: Connection
    /// The window that the pointer is above.
    private(set) weak var window: Window?
    /// The part of a window's border under the pointer, and the pointer's position there.
    private var border: (part: BorderPart, position: Point)?
    private var pending: [PointerEvent] = []
    private var scroll = ScrollFrame()
    private var time: EventTime?
    /// The time of the events that wait for their frame; nil if none has a time.
    private var openTime: EventTime?
    private let timestamps: InputTimestamps?
    /// The buttons that are down, in the order of their presses.
    private var held: [(button: PointerButton, serial: UInt32)] = []

    init(raw: WlPointer, seat: Seat, connection: Connection) {
        self.raw = raw
        self.seat = seat
        self.connection = connection
        cursor = PointerCursor(
            of: raw, connection.globals.cursorShape?.getPointer(pointer: raw),
            connection: connection)
        gestures = connection.globals.gestures.map { manager in
            PointerGestures(manager: manager, pointer: raw, seat: seat, connection: connection)
        }
        timestamps = connection.globals.inputTimestamps.map { manager in
            InputTimestamps(manager.getPointerTimestamps(pointer: raw))
        }
        raw.onEvent = { [weak self] in self?.receive($0) }
    }

    deinit { raw.release() }

    /// The serial of the latest press of a button that is still down; nil if none is down.
    var heldSerial: UInt32? { held.last?.serial }

    /// Takes the time of an event.
    ///
    /// Events of an earlier time that wait for their frame come first: a compositor that was held up sends
    /// many movements or scroll steps, each with its own time, in one frame. The steps of a wheel stay
    /// together, since the numbers of their detents have no time.
    private func setTime(_ milliseconds: UInt32) {
        let time = timestamps?.consume(milliseconds) ?? EventTime(milliseconds)
        if let openTime, openTime != time, !scroll.isOfWheel {
            let source = scroll.source
            endFrame()
            scroll.source = source
        }
        (self.time, openTime) = (time, time)
    }

    /// Ends all presses and gestures, since the pointer was removed.
    func lose() {
        gestures?.cancel()
        leave()
        endFrame()
    }

    /// Releases all buttons, for example when the compositor takes over the drag.
    func releaseButtons() {
        for button in PointerButton.allCases where held.contains(where: { $0.button == button }) {
            pending.append(.button(button, isDown: false))
        }
        held.removeAll()
        endFrame()
    }

    private func receive(_ event: WlPointer.Event) {
        switch event {
        case .enter(let serial, let surface, let x, let y):
            enter(serial, surface, at: Point(x: x, y: y))
        case .leave: leave()
        case .motion(let time, let x, let y):
            setTime(time)
            cursor.moved()
            move(to: Point(x: x, y: y))
        case .button(let serial, let time, let code, let state):
            setTime(time)
            button(serial, code, isDown: state == .pressed)
        case .axis(let time, let axis, let value):
            setTime(time)
            scroll.add(value, along: axis)
        case .axisSource(let source): scroll.source = source
        case .axisStop(let time, let axis):
            setTime(time)
            scroll.stop(axis)
        case .axisDiscrete(let axis, let steps): scroll.add(value120: 120 * Int(steps), along: axis)
        case .axisValue120(let axis, let value): scroll.add(value120: Int(value), along: axis)
        // The content follows the fingers by `axis`, whatever direction the fingers moved in.
        case .axisRelativeDirection: break
        case .frame: endFrame()
        }
        if raw.version < 5 { endFrame() }
    }

    private func enter(_ serial: UInt32, _ surface: WlSurface?, at point: Point) {
        window = connection.window(of: surface)
        border = connection.borderPart(of: surface).map { ($0, point) }
        guard let part = border?.part else {
            cursor.entered(serial: serial, window: window)
            add(.move(to: point))
            return
        }
        cursor.entered(
            serial: serial, window: part.window, borderCursor: .resize(part.edges(at: point)))
    }

    private func move(to point: Point) {
        guard let part = border?.part else {
            add(.move(to: point))
            return
        }
        border?.position = point
        cursor.show(borderCursor: .resize(part.edges(at: point)))
    }

    private func button(_ serial: UInt32, _ code: UInt32, isDown: Bool) {
        guard let button = PointerButton(inputEventCode: code) else { return }
        if isDown { seat.pressed(serial: serial, by: .pointer) }
        if let border {
            guard isDown, button == .left else { return }
            border.part.beginResize(at: border.position, seat: seat, serial: serial)
            return
        }
        let index = held.firstIndex { $0.button == button }
        // A release without a press was pressed before the pointer entered, or already released by
        // `releaseButtons`.
        guard isDown || index != nil else { return }
        if let index { held.remove(at: index) }
        if isDown { held.append((button, serial)) }
        add(.button(button, isDown: isDown))
    }

    /// Adds an event to the frame, in which the last one of successive positions counts.
    private func add(_ event: PointerEvent) {
        if case .move = event, case .move? = pending.last { pending.removeLast() }
        pending.append(event)
        if pending.count >= Self.mostPending { endFrame() }
    }

    /// A frame with more events, which no pointer makes, ends before its time.
    private static let mostPending = 64

    /// Sends the pending events, then the leave; the window gets no further events.
    private func leave() {
        if border != nil {
            border = nil
            scroll = ScrollFrame()
            cursor.left()
        }
        guard window != nil else { return }
        releaseButtons()
        pending.append(.leave)
        endFrame()
        window = nil
        cursor.left()
    }

    private func endFrame() {
        let events = pending + scroll.events
        pending.removeAll(keepingCapacity: true)
        scroll = ScrollFrame()
        openTime = nil
        for event in events { seat.send(.pointer(event), to: window, time: time) }
    }
}

extension PointerButton {
    /// The button for a Linux input event code (BTN_LEFT, BTN_RIGHT, BTN_MIDDLE); nil for others.
    init?(inputEventCode code: UInt32) {
        switch code {
        case 0x110: self = .left
        case 0x111: self = .right
        case 0x112: self = .middle
        default: return nil
        }
    }
}
