package import Geometry

/// The four rounded corners of a window, in device pixels.
package struct WindowCorners: Hashable, Sendable {
    package let size: PixelSize
    /// At most half of the shorter side.
    package let radius: Double

    package init(size: PixelSize, radius: Double) {
        self.size = size
        let most = Double(min(size.width, size.height)) / 2
        self.radius = radius.isFinite ? min(max(radius, 0), most) : 0
    }

    /// The squares that contain the arcs; empty without a radius.
    package var squares: [PixelRect] {
        let side = Int(clamping: radius.rounded(.up))
        guard side > 0, !size.isEmpty else { return [] }
        let (right, bottom) = (max(size.width - side, 0), max(size.height - side, 0))
        return [(0, 0), (right, 0), (0, bottom), (right, bottom)].map { x, y in
            PixelRect(x: x, y: y, width: side, height: side)
                .intersection(PixelRect(size))
        }
    }

    /// How much of a pixel the window covers, 0…1; 1 outside of the squares.
    package func coverage(x: Int, y: Int) -> Double {
        // The distances of the middle of the pixel to the nearest edges.
        let column = Double(min(x, size.width - 1 - x)) + 0.5
        let row = Double(min(y, size.height - 1 - y)) + 0.5
        guard column < radius, row < radius else { return 1 }
        let distance = Vector(dx: radius - column, dy: radius - row).length
        return min(max(radius - distance + 0.5, 0), 1)
    }
}
