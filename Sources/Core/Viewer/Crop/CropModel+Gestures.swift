import CMath
import Geometry
package import Gestures
package import Motion

/// Fingers, the mouse and the wheel on the picture and the frame.
extension CropModel {
    /// How far a release carries the picture on: its speed times this, in seconds.
    private static let carry = 1 / Deceleration.fast
    /// Wheel detents per doubling of the zoom, as in the viewer.
    private static let detentsPerDoubling = 4.0
    /// The distance of a quick zoom that doubles the zoom, in logical pixels, as in the viewer.
    private static let quickZoomOctave = 128.0
    /// Scrolling with Ctrl zooms by a factor of e over this distance, in logical pixels.
    private static let scrollZoomExtent = 200.0

    /// Handles a gesture on the content; gestures that mean nothing here are ignored.
    package mutating func handle(_ gesture: Gesture, at moment: Moment) {
        switch gesture {
        case .caught: state = .stopped(view(at: moment))
        case .resumed: settle(at: moment)
        case .manipulationBegan(let fingers): begin(fingers, at: moment)
        case .manipulationChanged(let fingers): follow(fingers)
        case .manipulationPredicted(let fingers): predict(fingers)
        case .manipulationRebased(_, let predicted): rebase(predicted, at: moment)
        case .manipulationEnded(let release): letGo(release, at: moment)
        case .manipulationReverted: settle(at: moment)
        case .quickZoomBegan(let point): begin(quickZoom(at: point, 0), at: moment)
        case .quickZoomChanged(let distance):
            if let point = heldPoint { follow(quickZoom(at: point, distance)) }
        case .quickZoomPredicted(let distance):
            if let point = heldPoint { predict(quickZoom(at: point, distance)) }
        case .quickZoomEnded: settle(at: moment)
        case .doubleTap: reset(at: moment)
        case .wheel(let detents, let point, _):
            zoom(by: exp2(-detents.dy / 120 / Self.detentsPerDoubling), about: point, at: moment)
        case .scrollZoom(let distance, let point):
            zoom(by: exp(-distance / Self.scrollZoomExtent), about: point, at: moment)
        case .tap, .twoFingerTap, .longPress, .pen, .dragOut, .chrome:
            if case .stopped = state, dial == nil { settle(at: moment) }
        }
    }

    // MARK: Holding

    private var heldPoint: Point? {
        if case .held(let hold, _) = state { hold.fingers.base } else { nil }
    }

    private func quickZoom(at point: Point, _ distance: Double) -> Manipulation {
        Manipulation(
            source: .touch, fingers: 2, base: point, centroid: point,
            scale: exp2(distance / Self.quickZoomOctave))
    }

    private mutating func begin(_ fingers: Manipulation, at moment: Moment) {
        let start = view(at: moment)
        var base = fingers
        (base.centroid, base.scale, base.rotation) = (fingers.base, 1, 0)
        let isDrag = fingers.fingers == 1 && fingers.source != .scroll
        let handle = isDrag ? CropHandle(at: fingers.base, of: start.frame) : nil
        hold(start, handle, base: base)
        follow(fingers)
    }

    /// Continues with other fingers, from the drawn view.
    private mutating func rebase(_ fingers: Manipulation, at moment: Moment) {
        guard case .held(let old, _) = state else { return }
        hold(view(at: moment), fingers.fingers == 1 ? old.handle : nil, base: fingers)
    }

    private mutating func hold(_ start: CropView, _ handle: CropHandle?, base: Manipulation) {
        dial = nil
        let rules = CropHold.Rules(
            proportions: fixedProportions, area: area, hasRubberBand: !reducesMotion)
        state = .held(
            CropHold(start, handle, base: base, in: limits, rules), predicted: nil)
    }

    private mutating func follow(_ fingers: Manipulation) {
        guard case .held(var hold, _) = state else { return }
        hold.follow(fingers)
        state = .held(hold, predicted: nil)
    }

    private mutating func predict(_ fingers: Manipulation) {
        guard case .held(let hold, _) = state else { return }
        var predicted = hold
        predicted.follow(fingers)
        state = .held(hold, predicted: predicted.view)
    }

    private mutating func letGo(_ release: Release, at moment: Moment) {
        guard case .held(let hold, _) = state else { return settle(at: moment) }
        guard !release.isCancelled, hold.handle == nil else { return settle(at: moment) }
        var end = hold.view
        end.center =
            end.center - (release.velocity * Self.carry).rotated(by: -end.rotation) * (1 / end.zoom)
        end.width *= exp(-release.zoomRate * Self.carry)
        let target = rest(from: end, snaps: hold.fingers.fingers > 1)
        choose(target, velocity: limited(release.velocity, to: target, at: moment), at: moment)
    }

    /// The velocity with which the picture does not overshoot its place, in logical pixels per second.
    private func limited(
        _ velocity: Vector, to target: CropView, at moment: Moment
    ) -> Vector {
        let start = view(at: moment)
        let way = (start.center - target.center).rotated(by: start.rotation) * target.zoom
        func limit(_ velocity: Double, _ distance: Double) -> Double {
            guard velocity * distance > 0 else { return 0 }
            return Spring.velocityWithoutOvershoot(
                velocity, distance: distance, frequency: Spring.zoomFrequency)
        }
        return Vector(dx: limit(velocity.dx, way.dx), dy: limit(velocity.dy, way.dy))
    }

    /// Lets go of the picture: the frame becomes as large as it can be, and the picture covers it.
    package mutating func settle(at moment: Moment) {
        if case .moving = state { return }
        choose(target, at: moment)
    }
}
