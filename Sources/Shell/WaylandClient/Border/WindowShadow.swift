import Geometry

/// The soft shadow of a floating window, as premultiplied black.
///
/// The shadow depends on the distance to a rounded rectangle, the window moved down a little. So all
/// columns far from the corners are equal in a row, and all rows far from the corners are equal.
struct WindowShadow {
    /// How far the shadow reaches beyond the window, in logical pixels.
    static let extent = 32
    private static let offset = 4.0
    private static let strength = 0.42
    /// The corner radius of the shadow.
    private static let radius = 16.0
    /// How far from a corner its shape has an effect.
    private static let cornerReach = 24

    private let size: PixelSize
    private let windowRadius: Double

    init(around size: PixelSize, radius: Double) {
        self.size = size
        windowRadius = radius
    }

    /// Paints the part of the shadow in `rect`; rows are `stride` bytes apart.
    func paint(_ rect: PixelRect, into memory: UnsafeMutableRawBufferPointer, stride: Int) {
        let middle = Self.cornerReach..<max(Self.cornerReach, size.height - Self.cornerReach)
        var middleRow: UnsafeMutableRawBufferPointer?
        for row in 0..<rect.height {
            let bytes = UnsafeMutableRawBufferPointer(
                rebasing: memory[row * stride..<row * stride + rect.width * 4])
            let y = rect.y + row
            if middle.contains(y) {
                if let middleRow {
                    bytes.copyMemory(from: UnsafeRawBufferPointer(middleRow))
                    continue
                }
                middleRow = bytes
            }
            paint(row: y, from: rect.x, into: bytes.bindMemory(to: UInt32.self))
        }
    }

    private func paint(
        row y: Int, from left: Int, into row: UnsafeMutableBufferPointer<UInt32>
    ) {
        let columns = left..<left + row.count
        let middle = (Self.cornerReach..<max(Self.cornerReach, size.width - Self.cornerReach))
            .clamped(to: columns)
        let fill = middle.isEmpty ? 0 : pixel(middle.lowerBound, y)
        guard !middle.isEmpty else {
            for x in columns { row[x - left] = pixel(x, y) }
            return
        }
        for x in left..<middle.lowerBound { row[x - left] = pixel(x, y) }
        for x in middle.upperBound..<columns.upperBound { row[x - left] = pixel(x, y) }
        row[(middle.lowerBound - left)..<(middle.upperBound - left)].update(repeating: fill)
    }

    private func pixel(_ x: Int, _ y: Int) -> UInt32 {
        let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
        // Nothing under the window itself, which may be transparent.
        let depth = -distance(from: point, radius: windowRadius)
        guard depth < Double(BorderLayout.overlap) else { return 0 }
        let away = distance(
            from: Point(x: point.x, y: point.y - Self.offset), radius: Self.radius)
        let nearness = 1 - min(max(away / (Double(Self.extent) - Self.offset), 0), 1)
        return UInt32(Self.strength * nearness * nearness * 255) << 24
    }

    /// The distance to the edge of the window with rounded corners; negative inside.
    private func distance(from point: Point, radius: Double) -> Double {
        let half = Size(width: Double(size.width) / 2, height: Double(size.height) / 2)
        let radius = min(radius, half.width, half.height)
        let (dx, dy) = (
            abs(point.x - half.width) - (half.width - radius),
            abs(point.y - half.height) - (half.height - radius)
        )
        let outside = Vector(dx: max(dx, 0), dy: max(dy, 0)).length
        return outside + min(max(dx, dy), 0) - radius
    }
}
