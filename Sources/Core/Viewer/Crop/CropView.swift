import CMath
package import Geometry
package import SceneModel

/// What a crop shows at a moment: the frame on the surface, and the picture below.
///
/// The picture is described by the part that is kept: so a frame that grows together with the picture
/// keeps the part unchanged. Picture points are in pixels from the centre of the turned picture, along
/// its own sides.
package struct CropView: Hashable, Sendable {
    /// Logical pixels of the surface.
    package var frame: Rect
    /// The picture point at the centre of the frame.
    package var center: Vector
    /// The width of the part that the frame shows, in picture pixels.
    package var width: Double
    /// The angle of the straightened picture, in radians clockwise, −π/4…π/4 at rest.
    package var angle: Double
    /// The remaining angle of an animated quarter turn, in radians clockwise; 0 at rest.
    package var spin = 0.0

    /// Logical pixels per picture pixel.
    package var zoom: Double { frame.width / width }

    /// The height of the part that the frame shows, in picture pixels.
    package var height: Double { width * frame.height / frame.width }

    /// The rotation of the turned picture on the surface, in radians clockwise.
    package var rotation: Double { angle + spin }

    /// The placement of the turned picture on the surface.
    package var placement: Placement {
        Placement(
            center: frame.center - center.rotated(by: rotation) * zoom, zoom: zoom,
            rotation: rotation)
    }

    /// The picture point at a point of the surface.
    func picturePoint(at point: Point) -> Vector {
        center + (point - frame.center).rotated(by: -rotation) * (1 / zoom)
    }

    /// The view with another frame over the same placement of the picture.
    func reframed(to new: Rect) -> CropView {
        var view = self
        view.center = picturePoint(at: new.center)
        view.width = new.width / zoom
        view.frame = new
        return view
    }

    /// The view with a zoom and rotation, in which the picture point `held` is at `point`.
    func showing(
        _ held: Vector, at point: Point, zoom: Double, angle: Double
    ) -> CropView {
        var view = self
        view.angle = angle
        view.width = frame.width / zoom
        view.center =
            held + (frame.center - point).rotated(by: -(angle + spin)) * (1 / zoom)
        return view
    }
}

/// The picture below a crop, and the limits of what a frame may show of the picture.
package struct CropLimits: Hashable, Sendable {
    /// The turned picture, in pixels.
    package var picture: Size

    /// The largest angle, in radians.
    static let largestAngle = Double.pi / 4
    /// The smallest side of the part that is kept, in pixels.
    package static let smallestSide = 16.0

    /// Half the size of the box around the frame in the picture's own directions, in logical pixels.
    private func reach(of frame: Size, _ rotation: Double) -> Size {
        let (sine, cosine) = (abs(sin(rotation)), abs(cos(rotation)))
        return Size(
            width: (frame.width * cosine + frame.height * sine) / 2,
            height: (frame.width * sine + frame.height * cosine) / 2)
    }

    /// The smallest zoom at which the picture covers a frame, in logical pixels per picture pixel.
    func smallestZoom(for frame: Size, rotation: Double) -> Double {
        let reach = reach(of: frame, rotation)
        return max(2 * reach.width / picture.width, 2 * reach.height / picture.height)
    }

    /// The zooms at which the picture covers a frame and the part is not too small.
    func zooms(for frame: Size, rotation: Double) -> ClosedRange<Double> {
        let least = smallestZoom(for: frame, rotation: rotation)
        return least...max(least, min(frame.width, frame.height) / Self.smallestSide)
    }

    /// The picture point nearest to `center` at which the picture covers the frame.
    func clamp(_ center: Vector, in view: CropView) -> Vector {
        let reach = reach(of: view.frame.size, view.rotation)
        let across = max(picture.width / 2 - reach.width / view.zoom, 0)
        let down = max(picture.height / 2 - reach.height / view.zoom, 0)
        return Vector(
            dx: min(max(center.dx, -across), across), dy: min(max(center.dy, -down), down))
    }

    /// The nearest view that may rest: the picture covers the frame.
    func resting(_ view: CropView) -> CropView {
        var rest = view
        rest.spin = 0
        rest.angle = min(max(view.angle, -Self.largestAngle), Self.largestAngle)
        let zooms = zooms(for: rest.frame.size, rotation: rest.angle)
        let zoom = min(max(view.zoom, zooms.lowerBound), zooms.upperBound)
        rest.width = rest.frame.width / zoom
        rest.center = clamp(view.center, in: rest)
        return rest
    }

    /// Whether the picture covers the frame, up to a ten-thousandth of a pixel.
    package func covers(_ view: CropView) -> Bool {
        let least = smallestZoom(for: view.frame.size, rotation: view.rotation)
        guard view.zoom >= least * (1 - 1e-9) else { return false }
        return (clamp(view.center, in: view) - view.center).length * view.zoom < 1e-4
    }

    /// The view with as little more zoom and shift as the picture needs to cover the frame.
    func covering(_ view: CropView) -> CropView {
        var view = view
        let least = smallestZoom(for: view.frame.size, rotation: view.rotation)
        if view.zoom < least { view.width = view.frame.width / least }
        view.center = clamp(view.center, in: view)
        return view
    }
}
