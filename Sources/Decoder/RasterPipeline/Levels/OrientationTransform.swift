package import Geometry

/// Maps rectangles of the upright picture to the stored picture.
package enum OrientationTransform {
    /// The rectangle of stored pixels that shows as `rect` of the upright picture.
    ///
    /// `stored` is the size of the stored picture in pixels.
    package static func stored(
        _ rect: PixelRect, _ orientation: Orientation, _ stored: PixelSize
    ) -> PixelRect {
        let first = source(rect.x, rect.y, orientation, stored)
        let last = source(rect.maxX - 1, rect.maxY - 1, orientation, stored)
        let (left, top) = (min(first.column, last.column), min(first.row, last.row))
        return PixelRect(
            x: left, y: top, width: abs(first.column - last.column) + 1,
            height: abs(first.row - last.row) + 1)
    }

    /// The upright column and row of the stored pixel at (`x`, `y`); `upright` is the upright size in pixels.
    package static func upright(
        _ x: Int, _ y: Int, _ orientation: Orientation, _ upright: PixelSize
    ) -> (column: Int, row: Int) {
        source(x, y, orientation.inverse, upright)
    }

    /// The stored column and row of the upright pixel at (`x`, `y`).
    private static func source(
        _ x: Int, _ y: Int, _ orientation: Orientation, _ stored: PixelSize
    ) -> (column: Int, row: Int) {
        let (right, bottom) = (stored.width - 1, stored.height - 1)
        return switch orientation {
        case .upright: (x, y)
        case .mirrored: (right - x, y)
        case .upsideDown: (right - x, bottom - y)
        case .mirroredUpsideDown: (x, bottom - y)
        case .transposed: (y, x)
        case .rotatedLeft: (y, bottom - x)
        case .transversed: (right - y, bottom - x)
        case .rotatedRight: (right - y, x)
        }
    }
}
