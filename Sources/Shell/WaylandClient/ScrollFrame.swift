import Input
import WaylandProtocol

/// The scrolling within one frame of pointer events.
struct ScrollFrame {
    private struct Part {
        var value = 0.0
        var value120: Int?
        var isMoved = false
        var isStopped = false
    }

    /// Absent before version 5, where all there is are wheels.
    var source: WlPointer.AxisSource?
    private var vertical = Part()
    private var horizontal = Part()

    mutating func add(_ value: Double, along axis: WlPointer.Axis) {
        change(axis) { part in
            part.value += value
            part.isMoved = true
        }
    }

    /// Version 8 sends 120ths, version 5 whole steps; no version sends both.
    mutating func add(value120: Int32, along axis: WlPointer.Axis) {
        change(axis) { part in
            part.value120 = (part.value120 ?? 0) + Int(value120)
            part.isMoved = true
        }
    }

    mutating func stop(_ axis: WlPointer.Axis) {
        change(axis) { $0.isStopped = true }
    }

    /// What the frame comes to, vertical first.
    var events: [PointerEvent] {
        events(of: vertical, .vertical) + events(of: horizontal, .horizontal)
    }

    private func events(of part: Part, _ axis: Axis) -> [PointerEvent] {
        let source: AxisSource =
            switch self.source {
            case .finger: .finger
            case .continuous: .continuous
            default: .wheel
            }
        var events: [PointerEvent] = []
        if part.isMoved {
            events.append(
                .axis(axis, value: part.value, source: source, value120: part.value120))
        }
        if part.isStopped { events.append(.axisStop(axis)) }
        return events
    }

    private mutating func change(_ axis: WlPointer.Axis, _ body: (inout Part) -> Void) {
        switch axis {
        case .verticalScroll: body(&vertical)
        case .horizontalScroll: body(&horizontal)
        default: break
        }
    }
}
