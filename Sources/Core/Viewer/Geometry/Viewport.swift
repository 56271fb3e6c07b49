package import Geometry

/// The surface that pictures are shown on.
package struct Viewport: Hashable, Sendable {
    /// The size of the surface, in logical pixels.
    package var size: Size
    /// Device pixels per logical pixel.
    package var scale: Double

    package init(size: Size, scale: Double = 1) {
        self.size = size
        self.scale = scale
    }

    package var center: Point { Point(x: size.width / 2, y: size.height / 2) }
}
