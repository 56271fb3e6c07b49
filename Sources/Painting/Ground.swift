/// What lies under the picture at the bottom of a scene where it lets something through, in rows of
/// premultiplied pixels: the backdrop, with a checkerboard or without.
///
/// A row is read again and again from a core's cache, where a canvas that was filled before would have
/// to come from memory.
struct Ground {
    /// Of squares that are dark at the left, then of those that are light there; or one alone.
    private let rows: [[UInt32]]
    private let checkerboard: Checkerboard?

    /// So many pixels wide, over black, `backdrop` 0…1 of it.
    init(_ checkerboard: Checkerboard?, backdrop: Double, width: Int) {
        self.checkerboard = checkerboard
        guard let checkerboard else {
            rows = [[UInt32](repeating: backdrop.parts << 24, count: width)]
            return
        }
        let opacity = checkerboard.opacity
        let alpha = opacity + backdrop * (1 - opacity)
        func pixel(_ gray: Double) -> UInt32 {
            alpha.parts << 24 | (gray * opacity).parts * 0x01_01_01
        }
        let (light, dark) = (pixel(Checkerboard.light), pixel(Checkerboard.dark))
        rows = (0...1).map { row in
            var pixels: [UInt32] = []
            pixels.reserveCapacity(width)
            for column in 0...checkerboard.square(at: width) {
                let end = min(checkerboard.start(of: column + 1), width)
                pixels += repeatElement(
                    Checkerboard.isDark(row, column) ? dark : light, count: end - pixels.count)
            }
            return pixels
        }
    }

    /// Lends the row of pixels at `y`; nil only where it has none.
    func withRow(at y: Int, _ body: (UnsafePointer<UInt8>?) -> Void) {
        rows[(checkerboard?.square(at: y) ?? 0) % rows.count].withUnsafeBytes { row in
            body(row.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// The first row after `y` that is another.
    func endOfRow(at y: Int) -> Int {
        checkerboard.map { $0.start(of: $0.square(at: y) + 1) } ?? .max
    }
}
