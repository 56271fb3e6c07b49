import Input
import WaylandProtocol

/// The scrolling within one frame of pointer events.
struct ScrollFrame {
    private struct AxisState {
        var value = 0.0
        var value120: Int?
        var isMoved = false
        var isStopped = false
    }

    /// Nil before version 5, where only wheels exist.
    var source: WlPointer.AxisSource?
    /// The most 120ths of a frame: a compositor may send events without end, and never a frame.
    private static let most = 1 << 40

    private var vertical = AxisState()
    private var horizontal = AxisState()

    /// Whether a wheel has turned, which is what axis events without a source say, too.
    var isOfWheel: Bool {
        (vertical.isMoved || horizontal.isMoved) && source != .finger && source != .continuous
    }

    mutating func add(_ value: Double, along axis: WlPointer.Axis) {
        change(axis) { state in
            state.value += value
            state.isMoved = true
        }
    }

    /// Version 8 sends 120ths, version 5 whole steps; no version sends both.
    mutating func add(value120: Int, along axis: WlPointer.Axis) {
        change(axis) { state in
            state.value120 = min(max((state.value120 ?? 0) + value120, -Self.most), Self.most)
            state.isMoved = true
        }
    }

    mutating func stop(_ axis: WlPointer.Axis) {
        change(axis) { $0.isStopped = true }
    }

    /// The resulting events of the frame, vertical first.
    var events: [PointerEvent] {
        events(of: vertical, .vertical) + events(of: horizontal, .horizontal)
    }

    private func events(of state: AxisState, _ axis: Axis) -> [PointerEvent] {
        let source: AxisSource =
            switch self.source {
            case .finger: .finger
            case .continuous: .continuous
            default: .wheel
            }
        var events: [PointerEvent] = []
        if state.isMoved {
            events.append(
                .axis(axis, value: state.value, source: source, value120: state.value120))
        }
        if state.isStopped { events.append(.axisStop(axis)) }
        return events
    }

    private mutating func change(_ axis: WlPointer.Axis, _ body: (inout AxisState) -> Void) {
        switch axis {
        case .verticalScroll: body(&vertical)
        case .horizontalScroll: body(&horizontal)
        default: break
        }
    }
}
