import Geometry
import CMath
import Motion

/// A pinch that the touchpad driver has recognised, including the slop.
struct TouchpadPinch: Sendable {
    var settings: GestureConstants
    private var manipulation: Manipulation?
    private var rotates = false
    private var turn = 0.0
    private var lockedRotation = 0.0
    private var isRotating = false
    /// The displayed ln(scale): follows the reported scale, which comes in steps of 1/256.
    private var predicted = Spring(from: 0, to: 0, at: .zero, frequency: 1)
    /// When the pinch ends if no further update comes.
    private(set) var deadline: Moment?
    /// The reported scale at which a pinch has ended without an event; nil if no pinch has.
    private var suspended: (scale: Double, fingers: Int, point: Point)?
    /// The reported scale when the present hold began.
    private var firstScale = 1.0
    /// When the last pinch ended.
    private var lastEnd = Moment(milliseconds: -.infinity)
    private var logScale: ScalarVelocityTracker
    private var turnTracker: ScalarVelocityTracker

    /// Plausible scale factors; a touchpad is a hand wide.
    private static let scales = 1e-3...1e3

    init(settings: GestureConstants) {
        self.settings = settings
        logScale = ScalarVelocityTracker(maximumSpeed: settings.maximumZoomRate)
        turnTracker = ScalarVelocityTracker(maximumSpeed: settings.maximumRotationRate)
    }

    var isActive: Bool { manipulation != nil }

    /// Whether the next update goes on with a pinch that has ended without an event.
    var isSuspended: Bool { suspended != nil }

    mutating func begin(
        fingers: Int, at pointer: Point, _ moment: Moment, rotates: Bool,
        into gestures: inout [TimedGesture]
    ) {
        let held = Manipulation(
            source: .touchpad, fingers: fingers, base: pointer, centroid: pointer)
        manipulation = held
        self.rotates = rotates
        (suspended, firstScale) = (nil, 1)
        deadline = moment.advanced(byMilliseconds: settings.restingPinchPause)
        // With another number of fingers the driver begins a new pinch, but the user continues the
        // same one.
        let joins = moment.seconds(since: lastEnd) * 1000 < settings.pinchJoinDelay
        isRotating = rotates && isRotating && joins
        (turn, lockedRotation) = (0, 0)
        follow(from: 0, velocity: 0, to: 0, at: moment)
        logScale.reset()
        turnTracker.reset()
        logScale.add(0, at: moment)
        turnTracker.add(0, at: moment)
        gestures.emit(.manipulationBegan(held), at: moment)
    }

    /// `scale` is relative to the beginning; `delta` (logical pixels) and `rotation` (degrees) to
    /// the last update.
    mutating func update(
        delta: Vector, scale: Double, rotation: Double, at moment: Moment,
        into gestures: inout [TimedGesture]
    ) {
        resume(at: moment, into: &gestures)
        guard var held = manipulation else { return }
        deadline = moment.advanced(byMilliseconds: settings.restingPinchPause)
        let centroid = held.centroid + delta
        if centroid.isPlausible { held.centroid = centroid }
        let scale = scale / firstScale
        if Self.scales.contains(scale) {
            held.scale = scale
            follow(
                from: predicted.value(at: moment), velocity: predicted.velocity(at: moment),
                to: log(scale), at: moment)
        }
        if rotates, abs(rotation) <= 360 {
            turn += rotation * .pi / 180
            if !isRotating, abs(turn) > settings.rotationLock {
                isRotating = true
                lockedRotation = turn < 0 ? -settings.rotationLock : settings.rotationLock
            }
            held.rotation = isRotating ? turn - lockedRotation : 0
        }
        manipulation = held
        logScale.add(log(held.scale), at: moment)
        turnTracker.add(held.rotation, at: moment)
        gestures.emit(.manipulationChanged(held), at: moment)
    }

    private mutating func follow(
        from start: Double, velocity: Double, to end: Double, at moment: Moment
    ) {
        predicted = Spring(
            from: start, to: end, velocity: velocity, at: moment,
            frequency: settings.pinchFollowFrequency)
    }

    /// Emits the displayed manipulation at `moment`, the time of a frame.
    func sample(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard var held = manipulation else { return }
        if !predicted.isAtRest(at: moment, tolerance: .logScale) {
            held.scale = exp(predicted.value(at: moment))
        }
        gestures.emit(.manipulationPredicted(held), at: moment)
    }

    /// Whether the displayed scale still changes after `moment` if no event comes.
    func isFollowing(after moment: Moment) -> Bool {
        isActive && !predicted.isAtRest(at: moment, tolerance: .logScale)
    }

    /// Ends a pinch without updates, whose end may have been lost: the held content settles.
    mutating func expire(to moment: Moment, inclusive: Bool, into gestures: inout [TimedGesture]) {
        guard let deadline, deadline < moment || (inclusive && deadline == moment),
            let held = manipulation
        else { return }
        let reported = (held.scale * firstScale, held.fingers, held.centroid)
        abandon(at: deadline, into: &gestures)
        suspended = reported
    }

    /// Fingers that rested go on with their pinch from where they are.
    private mutating func resume(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard let (scale, fingers, point) = suspended else { return }
        begin(fingers: fingers, at: point, moment, rotates: rotates, into: &gestures)
        firstScale = scale
    }

    /// Ends the pinch with its speeds, or with a return to the beginning if `cancelled`.
    mutating func end(
        cancelled: Bool, at moment: Moment, into gestures: inout [TimedGesture]
    ) {
        suspended = nil
        guard let held = manipulation else { return }
        let residual = log(held.scale) - leave(held, at: moment, into: &gestures)
        guard !cancelled else {
            gestures.emit(.manipulationReverted, at: moment)
            return
        }
        lastEnd = moment
        var release = Release(
            centroid: held.centroid, zoomRate: logScale.velocity(at: moment),
            rotationRate: turnTracker.velocity(at: moment))
        release.residualZoom = residual
        gestures.emit(.manipulationEnded(release), at: moment)
    }

    /// Another source takes over: the content is released without velocity.
    mutating func abandon(at moment: Moment, into gestures: inout [TimedGesture]) {
        suspended = nil
        guard let held = manipulation else { return }
        _ = leave(held, at: moment, into: &gestures)
        let release = Release(centroid: held.centroid, isCancelled: true)
        gestures.emit(.manipulationEnded(release), at: moment)
    }

    /// Ends the pinch at the displayed scale; returns ln(scale) of that scale.
    private mutating func leave(
        _ held: Manipulation, at moment: Moment, into gestures: inout [TimedGesture]
    ) -> Double {
        (manipulation, deadline) = (nil, nil)
        let logScale = predicted.value(at: moment)
        var displayed = held
        displayed.scale = exp(logScale)
        gestures.emit(.manipulationChanged(displayed), at: moment)
        return logScale
    }
}

/// Fingers that rest on the touchpad and stop what moves.
struct TouchpadHold: Sendable {
    /// Where moving content was caught; nil if nothing was moving.
    private var heldPoint: Point?

    var isActive: Bool { heldPoint != nil }

    mutating func begin(
        fingers: Int, at pointer: Point, _ moment: Moment, contentIsMoving: Bool,
        into gestures: inout [TimedGesture]
    ) {
        gestures.emit(.caught(at: pointer), at: moment)
        guard contentIsMoving else { return }
        heldPoint = pointer
        let held = Manipulation(
            source: .touchpad, fingers: fingers, base: pointer, centroid: pointer)
        gestures.emit(.manipulationBegan(held), at: moment)
    }

    /// The fingers have lifted or have begun another gesture: the caught content settles.
    mutating func end(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard let point = heldPoint else { return }
        heldPoint = nil
        gestures.emit(.manipulationEnded(Release(centroid: point)), at: moment)
    }
}
