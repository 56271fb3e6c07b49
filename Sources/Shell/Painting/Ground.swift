/// What lies under the picture at the bottom of a scene where it lets something through, in rows of
/// premultiplied pixels: the backdrop, with a checkerboard or without.
///
/// A row is read again and again from a core's cache, where a canvas that was filled before would have
/// to come from memory.
struct Ground: Sendable {
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

    /// Lends where the row of pixels begins that is seen at each of these rows.
    func withRows(
        _ range: Range<Int>, _ body: (UnsafePointer<UnsafePointer<UInt8>?>?) -> Void
    ) {
        rows[0].withUnsafeBytes { even in
            rows[rows.count - 1].withUnsafeBytes { odd in
                let starts = range.map { y in
                    let isEven = (checkerboard?.square(at: y) ?? 0).isMultiple(of: 2)
                    return (isEven ? even : odd).assumingMemoryBound(to: UInt8.self).baseAddress
                }
                starts.withUnsafeBufferPointer { body($0.baseAddress) }
            }
        }
    }
}
