import CMath
package import Geometry
import Interface
package import Motion

/// The dial, keys and buttons.
extension CropModel {
    // MARK: Steps

    /// Zooms about a point of the surface, from where the picture comes to rest.
    package mutating func zoom(by factor: Double, about point: Point, at moment: Moment) {
        let view = target
        let zooms = limits.zooms(for: view.frame.size, rotation: view.angle)
        let zoom = min(max(view.zoom * factor, zooms.lowerBound), zooms.upperBound)
        let zoomed = view.showing(
            view.picturePoint(at: view.frame.clamp(point)), at: view.frame.clamp(point),
            zoom: zoom, angle: view.angle)
        choose(limits.resting(zoomed), at: moment)
    }

    /// Moves the picture by a translation on the surface, in logical pixels.
    package mutating func pan(by translation: Vector, at moment: Moment) {
        var view = target
        view.center =
            view.center - translation.rotated(by: -view.rotation) * (1 / view.zoom)
        choose(limits.resting(view), at: moment)
    }

    /// Moves the right or the lower edge of the frame by a translation on the surface, in logical pixels.
    package mutating func resizeFrame(by translation: Vector, at moment: Moment) {
        let handle = CropHandle(
            x: translation.dx == 0 ? 0 : 1, y: translation.dy == 0 ? 0 : 1)
        let resized = handle.resized(
            target, by: translation, proportions: fixedProportions, in: limits, area: nil)
        choose(rest(from: resized), at: moment)
    }

    // MARK: Angle

    /// Straightens by degrees clockwise, to whole degrees for whole ones.
    package mutating func straighten(by degrees: Double, at moment: Moment) {
        let old = target.angle * 180 / .pi
        let whole =
            degrees > 0
            ? (old + Self.rounding).rounded(.down) : (old - Self.rounding).rounded(.up)
        choose(straightened(target, to: whole + degrees), at: moment)
    }

    /// Straightens to an angle in degrees clockwise, in tenths of a degree.
    package mutating func straighten(to degrees: Double, at moment: Moment) {
        dial = nil
        let angle = min(max(degrees, -CropDial.largest), CropDial.largest)
        choose(straightened(target, to: (angle * 10).rounded() / 10), at: moment)
    }

    /// What a rounding error may change an angle by, in degrees.
    private static let rounding = 1e-6

    /// A view with another angle in degrees: the picture grows as far as it needs to.
    private func straightened(_ view: CropView, to degrees: Double) -> CropView {
        var straight = view
        let least = limits.smallestZoom(for: view.frame.size, rotation: view.angle)
        straight.angle = degrees * .pi / 180
        // A picture that just covers the frame goes on doing so, and may become smaller again.
        if view.zoom <= least * (1 + Self.rounding) {
            straight.width = Self.unlimitedWidth
        }
        return limits.resting(straight)
    }

    /// A width that no picture has, in pixels.
    private static let unlimitedWidth = 1e12

    /// Turns the dial by a finger, a distance in logical pixels since the drag began.
    package mutating func turnDial(by distance: Double, at moment: Moment) {
        let dial =
            dial
            ?? Dial(
                position: CropDial.position(of: degrees(at: moment)), view: target)
        self.dial = dial
        let limit = CropDial.largest + CropDial.detent
        let position = min(max(dial.position - distance / CropDial.spacing, -limit), limit)
        let tenths = (CropDial.degrees(at: position) * 10).rounded()
        state = .stopped(straightened(dial.view, to: tenths / 10))
    }

    /// Straightens by a tenth of a degree towards a place that was tapped, in logical pixels to the right of
    /// the mark.
    package mutating func tapDial(at distance: Double, at moment: Moment) {
        let step = distance < 0 ? -0.1 : 0.1
        straighten(to: target.angle * 180 / .pi + step, at: moment)
    }

    /// Lets go of the dial.
    package mutating func endDial(at moment: Moment) {
        dial = nil
        settle(at: moment)
    }
}
