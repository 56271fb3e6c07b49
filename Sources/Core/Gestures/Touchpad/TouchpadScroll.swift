import Geometry
import Input
import Motion

/// A scroll with two fingers on a touchpad, or from another source without detents.
///
/// A scroll is content held by one finger that moves against the axis values: scrolling down moves
/// the content up. With Ctrl a scroll zooms. The first event decides between the two until the
/// fingers have lifted.
struct TouchpadScroll: Sendable {
    private enum Mode: Sendable {
        case idle
        case panning
        case zooming
    }

    /// The scroll of one axis.
    private struct Track: Sendable {
        var tracker = ScalarVelocityTracker(maximumSpeed: VelocityTracker.maximumSpeed)
        var sum = 0.0
        var isMoving = false
        /// The velocity when the axis stopped, in px/s.
        var velocity = 0.0

        mutating func restart() {
            tracker.reset()
            (sum, isMoving, velocity) = (0, false, 0)
        }

        mutating func add(_ value: Double, at moment: Moment) {
            sum += value
            isMoving = true
            velocity = 0
            tracker.add(sum, at: moment)
        }

        mutating func stop(at moment: Moment) {
            guard isMoving else { return }
            isMoving = false
            velocity = tracker.velocity(at: moment)
        }
    }

    private let settings: GestureConstants
    private var mode = Mode.idle
    private var base = Point.zero
    private var isKinetic = false
    private var vertical = Track()
    private var horizontal = Track()
    /// When the scroll ends if no further event comes.
    private(set) var deadline: Moment?
    /// Whether the deadline belongs to a scroll without a stop.
    private var isSilent = false
    /// How long fingers may rest, in milliseconds: after this pause the scroll ends without a stop.
    private var patience: Double

    init(settings: GestureConstants) {
        self.settings = settings
        patience = settings.unendedScrollPause
    }

    mutating func scroll(
        _ axis: Axis, by value: Double, source: AxisSource, at pointer: Point, _ moment: Moment,
        zooms: Bool, into gestures: inout [TimedGesture]
    ) {
        if mode == .idle {
            begin(source: source, at: pointer, moment, zooms: zooms, into: &gestures)
        }
        deadline = moment.advanced(
            byMilliseconds: isKinetic ? patience : settings.continuousScrollPause)
        isSilent = isKinetic
        guard mode == .panning else {
            guard axis == .vertical else { return }
            gestures.emit(.scrollZoom(distance: value, at: pointer), at: moment)
            return
        }
        switch axis {
        case .vertical: vertical.add(value, at: moment)
        case .horizontal: horizontal.add(value, at: moment)
        }
        gestures.emit(.manipulationChanged(manipulation), at: moment)
    }

    private mutating func begin(
        source: AxisSource, at pointer: Point, _ moment: Moment, zooms: Bool,
        into gestures: inout [TimedGesture]
    ) {
        base = pointer
        isKinetic = source == .finger
        vertical.restart()
        horizontal.restart()
        mode = zooms ? .zooming : .panning
        // A zoom takes over a running motion directly, without a manipulation in between.
        if !zooms { gestures.emit(.manipulationBegan(manipulation), at: moment) }
    }

    /// The scroll has stopped along one axis; the stop of the other one may follow a frame later.
    mutating func stop(_ axis: Axis, at moment: Moment, into gestures: inout [TimedGesture]) {
        switch axis {
        case .vertical: vertical.stop(at: moment)
        case .horizontal: horizontal.stop(at: moment)
        }
        patience = settings.restingScrollPause
        isSilent = false
        if vertical.isMoving || horizontal.isMoving {
            deadline = moment.advanced(byMilliseconds: settings.axisStopPatience)
        } else {
            end(atRest: !isKinetic, at: moment, into: &gestures)
        }
    }

    mutating func expire(to moment: Moment, inclusive: Bool, into gestures: inout [TimedGesture]) {
        guard let deadline, deadline < moment || (inclusive && deadline == moment) else { return }
        if isSilent, patience == settings.unendedScrollPause {
            patience = settings.stoplessScrollPause
        }
        end(atRest: isSilent || !isKinetic, at: deadline, into: &gestures)
    }

    /// Another source takes over: the content is released without velocity.
    mutating func abandon(at moment: Moment, into gestures: inout [TimedGesture]) {
        end(atRest: true, isCancelled: true, at: moment, into: &gestures)
    }

    private mutating func end(
        atRest: Bool, isCancelled: Bool = false, at moment: Moment,
        into gestures: inout [TimedGesture]
    ) {
        let wasPanning = mode == .panning
        mode = .idle
        deadline = nil
        guard wasPanning else { return }
        let velocity = -Vector(dx: horizontal.velocity, dy: vertical.velocity)
        var release = Release(centroid: manipulation.centroid, isCancelled: isCancelled)
        if !atRest { release.velocity = settings.thrown(velocity) }
        gestures.emit(.manipulationEnded(release), at: moment)
    }

    var isActive: Bool { mode != .idle }

    private var manipulation: Manipulation {
        Manipulation(
            source: .scroll, fingers: 1, base: base,
            centroid: Point(x: base.x - horizontal.sum, y: base.y - vertical.sum))
    }
}
