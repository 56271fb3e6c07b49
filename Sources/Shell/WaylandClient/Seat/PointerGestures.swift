import Geometry
import Input
import WaylandProtocol

/// The touchpad gestures of one pointer.
///
/// Only `begin` names the surface, so the window is stored. If the pointer is removed, its gestures
/// are cancelled here, since the compositor does not end them.
final class PointerGestures {
    private let pinch: ZwpPointerGesturePinchV1
    private let swipe: ZwpPointerGestureSwipeV1
    private let hold: ZwpPointerGestureHoldV1?
    private unowned let seat: Seat
    private unowned let connection: Connection
    private weak var pinched: Window?
    private weak var swiped: Window?
    private weak var held: Window?

    init(
        manager: ZwpPointerGesturesV1, pointer: WlPointer, seat: Seat, connection: Connection
    ) {
        self.seat = seat
        self.connection = connection
        pinch = manager.getPinchGesture(pointer: pointer)
        swipe = manager.getSwipeGesture(pointer: pointer)
        hold = manager.getHoldGesture(pointer: pointer)
        pinch.onEvent = { [weak self] in self?.receive($0) }
        swipe.onEvent = { [weak self] in self?.receive($0) }
        hold?.onEvent = { [weak self] in self?.receive($0) }
    }

    /// Cancels the gestures in progress.
    func cancel() {
        if let pinched { seat.send(.pinch(.end(cancelled: true)), to: pinched) }
        if let swiped { seat.send(.swipe(.end(cancelled: true)), to: swiped) }
        if let held { seat.send(.hold(.end(cancelled: true)), to: held) }
        (pinched, swiped, held) = (nil, nil, nil)
    }

    private func receive(_ event: ZwpPointerGesturePinchV1.Event) {
        switch event {
        case .begin(_, let time, let surface, let fingers):
            pinched = connection.window(of: surface)
            seat.send(.pinch(.begin(fingers: Int(fingers))), to: pinched, time: EventTime(time))
        case .update(let time, let dx, let dy, let scale, let rotation):
            let delta = Vector(dx: dx, dy: dy)
            let update = PinchEvent.update(delta: delta, scale: scale, rotation: rotation)
            seat.send(.pinch(update), to: pinched, time: EventTime(time))
        case .end(_, let time, let cancelled):
            seat.send(.pinch(.end(cancelled: cancelled != 0)), to: pinched, time: EventTime(time))
            pinched = nil
        }
    }

    private func receive(_ event: ZwpPointerGestureSwipeV1.Event) {
        switch event {
        case .begin(_, let time, let surface, let fingers):
            swiped = connection.window(of: surface)
            seat.send(.swipe(.begin(fingers: Int(fingers))), to: swiped, time: EventTime(time))
        case .update(let time, let dx, let dy):
            let update = SwipeEvent.update(delta: Vector(dx: dx, dy: dy))
            seat.send(.swipe(update), to: swiped, time: EventTime(time))
        case .end(_, let time, let cancelled):
            seat.send(.swipe(.end(cancelled: cancelled != 0)), to: swiped, time: EventTime(time))
            swiped = nil
        }
    }

    private func receive(_ event: ZwpPointerGestureHoldV1.Event) {
        switch event {
        case .begin(_, let time, let surface, let fingers):
            held = connection.window(of: surface)
            seat.send(.hold(.begin(fingers: Int(fingers))), to: held, time: EventTime(time))
        case .end(_, let time, let cancelled):
            seat.send(.hold(.end(cancelled: cancelled != 0)), to: held, time: EventTime(time))
            held = nil
        }
    }
}
