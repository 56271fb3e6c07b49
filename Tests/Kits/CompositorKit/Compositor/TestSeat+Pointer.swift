import Geometry
import Input
import WaylandProtocol
import WaylandServer

/// The pointer and the touchpad's gestures.
extension TestSeat {
    func send(_ event: PointerEvent, to surface: TestSurface) {
        for pointer in pointers where pointer.isAlive { send(event, to: surface, by: pointer) }
        switch event {
        case .move: pointerFocus = surface
        case .leave: pointerFocus = nil
        default: break
        }
    }

    private func send(_ event: PointerEvent, to surface: TestSurface, by pointer: WlPointerResource)
    {
        let time = compositor.eventTime
        switch event {
        // An enter event has no timestamp.
        case .move where pointerFocus !== surface: break
        case .leave: break
        case .move, .button, .axis, .axisStop:
            for (stamped, stamps) in compositor.pointerStamps where stamped === pointer {
                compositor.stamp(stamps)
            }
        }
        switch event {
        case .move(let point):
            if pointerFocus === surface {
                pointer.motion(time: time, surfaceX: point.x, surfaceY: point.y)
            } else {
                enterSerial = compositor.nextSerial()
                pointer.enter(
                    serial: enterSerial, surface: surface.resource, surfaceX: point.x,
                    surfaceY: point.y)
            }
        case .leave: pointer.leave(serial: compositor.nextSerial(), surface: surface.resource)
        case .button(let button, let isDown):
            pointer.button(
                serial: serial(of: .button(button), isDown: isDown), time: time,
                button: button.inputEventCode,
                state: isDown ? .pressed : .released)
        case .axis(let axis, let value, let source, let value120):
            let axis: WlPointer.Axis = axis == .vertical ? .verticalScroll : .horizontalScroll
            if pointer.version >= 5 { pointer.axisSource(axisSource: source.wireSource) }
            if let value120, pointer.version >= 8 {
                pointer.axisValue120(axis: axis, value120: Int32(value120))
            } else if let value120, pointer.version >= 5, value120 % 120 == 0 {
                pointer.axisDiscrete(axis: axis, discrete: Int32(value120 / 120))
            }
            pointer.axis(time: time, axis: axis, value: value)
        case .axisStop(let axis):
            guard pointer.version >= 5 else { return }
            pointer.axisSource(axisSource: .finger)
            pointer.axisStop(
                time: time, axis: axis == .vertical ? .verticalScroll : .horizontalScroll)
        }
        if pointer.version >= 5 { pointer.frame() }
    }

    func send(_ event: PinchEvent, to surface: TestSurface) {
        let (time, serial) = (compositor.eventTime, compositor.nextSerial())
        for pinch in gestures.compactMap(\.pinch) {
            switch event {
            case .begin(let fingers):
                pinch.begin(
                    serial: serial, time: time, surface: surface.resource,
                    fingers: UInt32(fingers))
            case .update(let delta, let scale, let rotation):
                pinch.update(
                    time: time, dx: delta.dx, dy: delta.dy, scale: scale, rotation: rotation)
            case .end(let isCancelled):
                pinch.end(serial: serial, time: time, cancelled: isCancelled ? 1 : 0)
            }
        }
    }

    func send(_ event: SwipeEvent, to surface: TestSurface) {
        let (time, serial) = (compositor.eventTime, compositor.nextSerial())
        for swipe in gestures.compactMap(\.swipe) {
            switch event {
            case .begin(let fingers):
                swipe.begin(
                    serial: serial, time: time, surface: surface.resource,
                    fingers: UInt32(fingers))
            case .update(let delta): swipe.update(time: time, dx: delta.dx, dy: delta.dy)
            case .end(let isCancelled):
                swipe.end(serial: serial, time: time, cancelled: isCancelled ? 1 : 0)
            }
        }
    }

    func send(_ event: HoldEvent, to surface: TestSurface) {
        let (time, serial) = (compositor.eventTime, compositor.nextSerial())
        for hold in gestures.compactMap(\.hold) {
            switch event {
            case .begin(let fingers):
                hold.begin(
                    serial: serial, time: time, surface: surface.resource,
                    fingers: UInt32(fingers))
            case .end(let isCancelled):
                hold.end(serial: serial, time: time, cancelled: isCancelled ? 1 : 0)
            }
        }
    }

    /// The gesture objects of this seat's pointers.
    private var gestures: [PointerGestures] {
        compositor.gestures.filter { entry in
            entry.pointer.isAlive && pointers.contains { $0 === entry.pointer }
        }
    }
}

extension PointerButton {
    /// The button as linux/input-event-codes.h numbers it.
    fileprivate var inputEventCode: UInt32 {
        switch self {
        case .left: 0x110
        case .right: 0x111
        case .middle: 0x112
        }
    }
}

extension AxisSource {
    fileprivate var wireSource: WlPointer.AxisSource {
        switch self {
        case .wheel: .wheel
        case .finger: .finger
        case .continuous: .continuous
        }
    }
}
