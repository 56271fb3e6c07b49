import Geometry
import CMath
import Motion

/// A pinch whose fingers have lifted except for one, while that finger may still lift with them.
///
/// Fingers lift one after another. The pinch continues with its speeds from before the first lift
/// until the last finger lifts, or has stayed down for longer than
/// `GestureConstants.loneFingerDelay`. The speeds decay as in a released picture, x′ = v·exp(−k·t),
/// so that the moment of the last lift does not change where picture and grid come to rest.
struct CoastingPinch: Sendable {
    let start: Moment
    private let centroid: Point
    private let speeds: Kinetics.Speeds
    /// The position of the remaining finger at the start.
    private let finger: Point
    /// Set once the remaining finger pans: the centroid at that moment, and the position from which
    /// the finger's translation counts.
    private var pan: (centroid: Point, anchor: Point)?

    init(_ speeds: Kinetics.Speeds, centroid: Point, finger: Point, at start: Moment) {
        self.start = start
        self.centroid = centroid
        self.speeds = speeds
        self.finger = finger
    }

    var isPanning: Bool { pan != nil }

    /// Follows the remaining finger, which pans once it has left the slop.
    mutating func follow(_ position: Point, at moment: Moment, slop: Double) {
        let translation = position - finger
        guard pan == nil, translation.length > slop else { return }
        pan = (
            centroid: midpoint(at: moment, finger: position),
            anchor: finger + translation * (slop / translation.length)
        )
    }

    /// The pinch at `moment`, with the remaining finger at `position`.
    func manipulation(at moment: Moment, finger position: Point) -> Manipulation {
        var manipulation = Manipulation(
            source: .touch, fingers: 2, base: centroid,
            centroid: midpoint(at: moment, finger: position),
            scale: exp(speeds.zoomRate * extent(at: moment)),
            rotation: speeds.rotationRate * extent(at: moment))
        manipulation.isCoasting = true
        return manipulation
    }

    /// The speeds at `moment`; `panVelocity` is the velocity of a finger that pans.
    func speeds(at moment: Moment, panVelocity: Vector) -> Kinetics.Speeds {
        let share = 1 - Deceleration.zoom * extent(at: moment)
        let fade = exp(-Deceleration.fast * time(at: moment))
        return Kinetics.Speeds(
            velocity: isPanning ? panVelocity : speeds.velocity * fade,
            zoomRate: speeds.zoomRate * share, rotationRate: speeds.rotationRate * share)
    }

    /// Whether the pinch moves by itself.
    var isMoving: Bool { speeds != Kinetics.Speeds() }

    private func midpoint(at moment: Moment, finger position: Point) -> Point {
        if let pan { return pan.centroid + (position - pan.anchor) }
        let fade = exp(-Deceleration.fast * time(at: moment))
        return centroid + speeds.velocity * ((1 - fade) / Deceleration.fast)
    }

    /// The distance that an initial speed of 1 per second covers by `moment`: (1 − exp(−k·t)) / k.
    private func extent(at moment: Moment) -> Double {
        (1 - exp(-Deceleration.zoom * time(at: moment))) / Deceleration.zoom
    }

    /// Seconds since the start, at least 0: the time of a frame may lie before the start.
    private func time(at moment: Moment) -> Double { max(moment.seconds(since: start), 0) }
}
