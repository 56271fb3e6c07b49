package import Geometry

/// Where a picture lies on the surface, whole and perhaps turned.
///
/// The centre is the reference point because a turn leaves it where it is; a corner would swing.
package struct Placement: Hashable, Sendable {
    /// The picture's centre, in logical pixels of the surface.
    package var center: Point
    /// Logical pixels per picture pixel.
    package var zoom: Double
    /// Radians clockwise.
    package var rotation: Double

    package init(center: Point, zoom: Double, rotation: Double = 0) {
        self.center = center
        self.zoom = zoom
        self.rotation = rotation
    }

    /// Where the picture's own point, in picture pixels from its top left corner, is on the
    /// surface.
    package func surfacePoint(of point: Point, in size: PixelSize) -> Point {
        let fromCenter = Vector(
            dx: point.x - Double(size.width) / 2, dy: point.y - Double(size.height) / 2)
        return center + fromCenter.rotated(by: rotation) * zoom
    }

    /// The picture's own point, in picture pixels from its top left corner, that is at `point` of the
    /// surface.
    package func picturePoint(at point: Point, in size: PixelSize) -> Point {
        let fromCenter = (point - center).rotated(by: -rotation) * (1 / zoom)
        return Point(
            x: Double(size.width) / 2 + fromCenter.dx, y: Double(size.height) / 2 + fromCenter.dy)
    }

    /// The picture's rectangle on the surface before it is turned about its centre.
    package func unrotatedRect(of size: PixelSize) -> Rect {
        Rect(center: center, size: size.size * zoom)
    }

    /// The smallest axis-parallel rectangle of the surface around the picture as it lies.
    package func boundingRect(of size: PixelSize) -> Rect { boundingRect(of: size.size) }

    /// The same around the middle of the picture, of `size` in picture pixels.
    package func boundingRect(of size: Size) -> Rect {
        let half = size * (zoom / 2)
        let across = Vector(dx: half.width, dy: 0).rotated(by: rotation)
        let down = Vector(dx: 0, dy: half.height).rotated(by: rotation)
        return Rect(
            center: center,
            size: Size(
                width: 2 * (abs(across.dx) + abs(down.dx)),
                height: 2 * (abs(across.dy) + abs(down.dy))))
    }
}
