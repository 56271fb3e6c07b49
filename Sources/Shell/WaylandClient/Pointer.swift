import Geometry
import Input
import WaylandProtocol

/// The pointer of a seat: mouse, touchpad or tablet.
///
/// From version 5 on, events are collected until `frame`, so that the events of one scroll step
/// stay together.
final class Pointer {
    let cursor: PointerCursor
    private let raw: WlPointer
    private let gestures: PointerGestures?
    private unowned let seat: Seat
    private unowned let connection: Connection
    private weak var window: Window?
    private var pending: [PointerEvent] = []
    private var scroll = ScrollFrame()
    private var time: EventTime?
    private let timestamps: InputTimestamps?
    private var heldButtons: Set<PointerButton> = []

    init(raw: WlPointer, seat: Seat, connection: Connection) {
        self.raw = raw
        self.seat = seat
        self.connection = connection
        cursor = PointerCursor(pointer: raw, connection: connection)
        gestures = connection.globals.gestures.map { manager in
            PointerGestures(manager: manager, pointer: raw, seat: seat, connection: connection)
        }
        timestamps = connection.globals.inputTimestamps.map { manager in
            InputTimestamps(manager.getPointerTimestamps(pointer: raw))
        }
        raw.onEvent = { [weak self] in self?.receive($0) }
    }

    deinit { raw.release() }

    private func eventTime(_ time: UInt32) -> EventTime {
        timestamps?.consume(time) ?? EventTime(time)
    }

    /// Ends all presses and gestures, since the pointer was removed.
    func lose() {
        gestures?.cancel()
        leave()
        endFrame()
    }

    /// Releases all buttons, for example when the compositor takes over the drag.
    func releaseButtons() {
        for button in PointerButton.allCases where heldButtons.contains(button) {
            pending.append(.button(button, isDown: false))
        }
        heldButtons.removeAll()
        endFrame()
    }

    private func receive(_ event: WlPointer.Event) {
        switch event {
        case .enter(let serial, let surface, let x, let y):
            window = connection.window(of: surface)
            cursor.entered(serial: serial, window: window)
            pending.append(.move(to: Point(x: x, y: y)))
        case .leave: leave()
        case .motion(let time, let x, let y):
            self.time = eventTime(time)
            cursor.moved()
            pending.append(.move(to: Point(x: x, y: y)))
        case .button(let serial, let time, let code, let state):
            self.time = eventTime(time)
            button(serial, code, isDown: state == .pressed)
        case .axis(let time, let axis, let value):
            self.time = eventTime(time)
            scroll.add(value, along: axis)
        case .axisSource(let source): scroll.source = source
        case .axisStop(let time, let axis):
            self.time = eventTime(time)
            scroll.stop(axis)
        case .axisDiscrete(let axis, let steps): scroll.add(value120: 120 * steps, along: axis)
        case .axisValue120(let axis, let value): scroll.add(value120: value, along: axis)
        case .frame: endFrame()
        }
        if raw.version < 5 { endFrame() }
    }

    private func button(_ serial: UInt32, _ code: UInt32, isDown: Bool) {
        guard let button = PointerButton(inputEventCode: code) else { return }
        if isDown {
            heldButtons.insert(button)
            seat.pressed(serial: serial, byTouch: false)
        } else if heldButtons.remove(button) == nil {
            // Pressed before the pointer entered, or already released by `releaseButtons`.
            return
        }
        pending.append(.button(button, isDown: isDown))
    }

    /// Sends the pending events, then the leave; the window gets no further events.
    private func leave() {
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
        for event in events {
            if let time {
                seat.send(.pointer(event), to: window, time: time)
            } else {
                seat.send(.pointer(event), to: window)
            }
        }
    }
}

extension PointerButton {
    /// The button for a Linux input event code (BTN_LEFT, BTN_RIGHT, BTN_MIDDLE); nil for others.
    fileprivate init?(inputEventCode code: UInt32) {
        switch code {
        case 0x110: self = .left
        case 0x111: self = .right
        case 0x112: self = .middle
        default: return nil
        }
    }
}
