package import Geometry

/// Position, zoom and rotation of a whole picture on the surface.
///
/// The centre is the reference point because it does not move when the picture rotates.
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

    /// The surface point of a picture point, given in picture pixels from the top left corner.
    ///
    /// `size` is the picture's size in picture pixels; the result is in logical pixels.
    package func surfacePoint(of point: Point, in size: PixelSize) -> Point {
        let fromCenter = Vector(
            dx: point.x - Double(size.width) / 2, dy: point.y - Double(size.height) / 2)
        return center + fromCenter.rotated(by: rotation) * zoom
    }

    /// The picture point, in picture pixels from the top left corner, at a surface point.
    ///
    /// `size` is the picture's size in picture pixels.
    package func picturePoint(at point: Point, in size: PixelSize) -> Point {
        let fromCenter = (point - center).rotated(by: -rotation) * (1 / zoom)
        return Point(
            x: Double(size.width) / 2 + fromCenter.dx, y: Double(size.height) / 2 + fromCenter.dy)
    }

    /// The picture's rectangle on the surface before the rotation about its centre.
    package func unrotatedRect(of size: PixelSize) -> Rect {
        Rect(center: center, size: size.size * zoom)
    }

    /// The axis-parallel bounding rectangle of the rotated picture, in logical pixels of the
    /// surface.
    package func boundingRect(of size: PixelSize) -> Rect { boundingRect(of: size.size) }

    /// The bounding rectangle of the centred part of the picture that has `size`, in picture
    /// pixels.
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
