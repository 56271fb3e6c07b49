import Geometry
import CMath
import Motion

/// A pinch of which one finger is left on the screen, as long as that finger may still lift with it.
///
/// Fingers lift one after another. Until the last one lifts, or stays for longer than
/// `GestureSettings.loneFingerDelay`, the pinch goes on with the speeds that it had before the first
/// lift. The speeds fade as those of a released picture do, x′ = v·exp(−k·t), so that picture
/// and grid come to rest at the same place whenever the last finger lifts.
struct CoastingPinch: Sendable {
    let start: Moment
    private let centroid: Point
    private let speeds: Kinetics.Speeds
    /// Where the finger that is left was at the start.
    private let finger: Point
    /// Set once that finger pans: the midpoint then, and where the finger counts from.
    private var pan: (centroid: Point, anchor: Point)?

    init(_ speeds: Kinetics.Speeds, centroid: Point, finger: Point, at start: Moment) {
        self.start = start
        self.centroid = centroid
        self.speeds = speeds
        self.finger = finger
    }

    var isPanning: Bool { pan != nil }

    /// Follows the finger that is left; it pans once it has left the slop.
    mutating func follow(_ position: Point, at moment: Moment, slop: Double) {
        let translation = position - finger
        guard pan == nil, translation.length > slop else { return }
        pan = (
            centroid: midpoint(at: moment, finger: position),
            anchor: finger + translation * (slop / translation.length)
        )
    }

    /// The pinch at `moment`, with the finger at `position`.
    func manipulation(at moment: Moment, finger position: Point) -> Manipulation {
        var manipulation = Manipulation(
            source: .touch, fingers: 2, base: centroid,
            centroid: midpoint(at: moment, finger: position),
            scale: exp(speeds.zoomRate * extent(at: moment)),
            rotation: speeds.rotationRate * extent(at: moment))
        manipulation.isCoasting = true
        return manipulation
    }

    /// The speeds that are left at `moment`; a finger that pans has its own, `panVelocity`.
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

    /// How far a speed of 1 has gone at `moment`: (1 − exp(−k·t)) / k.
    private func extent(at moment: Moment) -> Double {
        (1 - exp(-Deceleration.zoom * time(at: moment))) / Deceleration.zoom
    }

    /// Seconds since the start; a frame may be of a moment before it.
    private func time(at moment: Moment) -> Double { max(moment.seconds(since: start), 0) }
}
