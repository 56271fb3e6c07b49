import Geometry
import Input
import Motion

/// Two fingers that scroll on a touchpad, and other sources of scrolling without detents.
///
/// A scroll is content held by one finger that moves against the axes' values: the content goes
/// up when one scrolls down. With Ctrl it zooms; which of the two it is, is decided by the first
/// event and kept until the fingers have left.
struct TouchpadScroll: Sendable {
    private enum Mode: Sendable {
        case idle
        case panning
        case zooming
    }

    /// What one axis has scrolled.
    private struct Track: Sendable {
        var tracker = ScalarVelocityTracker(maximumSpeed: VelocityTracker.maximumSpeed)
        var sum = 0.0
        var isMoving = false
        /// With which velocity it stopped, in px/s.
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

    private let settings: GestureSettings
    private var mode = Mode.idle
    private var base = Point.zero
    private var isKinetic = false
    private var vertical = Track()
    private var horizontal = Track()
    /// When the scroll is over even if nothing more is heard of it.
    private(set) var deadline: Moment?

    init(settings: GestureSettings) {
        self.settings = settings
    }

    mutating func scroll(
        _ axis: Axis, by value: Double, source: AxisSource, at pointer: Point, _ moment: Moment,
        zooms: Bool, into gestures: inout [TimedGesture]
    ) {
        if mode == .idle {
            begin(source: source, at: pointer, moment, zooms: zooms, into: &gestures)
        }
        deadline =
            isKinetic ? nil : moment.advanced(byMilliseconds: settings.continuousScrollPause)
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
        // A zoom takes over from what moves by itself, without a hold between.
        if !zooms { gestures.emit(.manipulationBegan(manipulation), at: moment) }
    }

    /// The fingers have left along one axis; the other one may follow a frame later.
    mutating func stop(_ axis: Axis, at moment: Moment, into gestures: inout [TimedGesture]) {
        switch axis {
        case .vertical: vertical.stop(at: moment)
        case .horizontal: horizontal.stop(at: moment)
        }
        if vertical.isMoving || horizontal.isMoving {
            deadline = moment.advanced(byMilliseconds: settings.axisStopPatience)
        } else {
            end(atRest: !isKinetic, at: moment, into: &gestures)
        }
    }

    mutating func expire(to moment: Moment, inclusive: Bool, into gestures: inout [TimedGesture]) {
        guard let deadline, deadline < moment || (inclusive && deadline == moment) else { return }
        end(atRest: !isKinetic, at: deadline, into: &gestures)
    }

    /// Something else takes over: the content is let go at rest.
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
