import Geometry

/// Turns small pictures upright, pixel by pixel; large ones go through `OrientedWriter`.
enum OrientationTransform {
    /// The pixels of a picture of `size`, upright, from how they are stored; rows without gaps.
    static func turned(
        _ pixels: [UInt32], _ size: PixelSize, _ orientation: Orientation
    ) -> [UInt32] {
        guard orientation != .upright else { return pixels }
        let stored = orientation.upright(size)
        var result: [UInt32] = []
        result.reserveCapacity(pixels.count)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (column, row) = source(x, y, orientation, stored)
                result.append(pixels[row * stored.width + column])
            }
        }
        return result
    }

    /// Where in the stored rows, of size `stored`, a part of the upright picture is.
    static func stored(
        _ part: PixelRect, _ orientation: Orientation, _ stored: PixelSize
    ) -> PixelRect {
        let first = source(part.x, part.y, orientation, stored)
        let last = source(part.maxX - 1, part.maxY - 1, orientation, stored)
        let (left, top) = (min(first.column, last.column), min(first.row, last.row))
        return PixelRect(
            x: left, y: top, width: abs(first.column - last.column) + 1,
            height: abs(first.row - last.row) + 1)
    }

    /// Where in the stored rows an upright pixel comes from.
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
        case .turnedLeft: (y, bottom - x)
        case .transversed: (right - y, bottom - x)
        case .turnedRight: (right - y, x)
        }
    }
}
