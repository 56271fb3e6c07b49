/// Light and dark squares, which lie still on a canvas where a picture lets something through.
struct Checkerboard: Sendable {
    /// Grays, 0…1.
    static let (light, dark) = (0.8, 0.6)

    /// Of a square, in device pixels.
    let side: Double
    /// 0…1, as opaque as the picture.
    let opacity: Double

    /// In logical pixels.
    private static let side = 8.0

    init(scale: Double, opacity: Double) {
        // Squares of less than a pixel would be gray.
        side = max(1, Self.side * scale)
        self.opacity = opacity
    }

    /// The number of the square that a row or column of pixels lies in.
    func square(at place: Int) -> Int {
        let square = Int(Double(place) / side)
        if place < start(of: square) { return square - 1 }
        return place < start(of: square + 1) ? square : square + 1
    }

    /// The row or column that a square begins with: whole pixels, so that no line shows between two.
    func start(of square: Int) -> Int { Int((Double(square) * side).rounded()) }

    /// Whether one is dark, by the numbers of its row and column.
    static func isDark(_ row: Int, _ column: Int) -> Bool { (row + column).isMultiple(of: 2) }
}
