import Geometry

/// The checkerboard behind transparent areas of a picture, fixed to the canvas.
struct Checkerboard: Sendable {
    /// Gray values of the squares, 0…1.
    static let (light, dark) = (0.8, 0.6)

    /// The side of a square, in device pixels.
    let side: Double
    /// The opacity of the picture, 0…1.
    let opacity: Double

    /// The side of a square, in logical pixels.
    private static let side = 8.0

    init(scale: Double, opacity: Double) {
        // Squares smaller than a pixel would look gray.
        side = max(1, Self.side * scale)
        self.opacity = opacity
    }

    /// The index of the square that contains a row or column of pixels.
    func square(at position: Int) -> Int {
        let square = Int(clamping: Double(position) / side)
        if position < start(of: square) { return square - 1 }
        return position < start(of: square + 1) ? square : square + 1
    }

    /// The first row or column of a square, in whole pixels, so that no line shows between squares.
    func start(of square: Int) -> Int { Int(clamping: (Double(square) * side).rounded()) }

    /// Whether the square at this row and column of squares is dark.
    static func isDark(_ row: Int, _ column: Int) -> Bool { (row + column).isMultiple(of: 2) }
}
