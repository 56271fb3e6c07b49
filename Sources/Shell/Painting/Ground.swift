import SceneModel

/// Rows of premultiplied background pixels for the bottom picture of a scene: the backdrop, with or
/// without a checkerboard.
///
/// A transparent picture is blended over these rows instead of over a filled canvas. The rows are
/// read repeatedly from a core's cache; a filled canvas would have to be read from memory.
struct Ground: Sendable {
    /// One row of pixels through squares that begin dark, one through squares that begin light; a
    /// single row without a checkerboard.
    private let rows: [[UInt32]]
    private let checkerboard: Checkerboard?

    /// Makes rows of `width` pixels; `backdrop` is its colour with straight alpha.
    init(_ checkerboard: Checkerboard?, backdrop: Color, width: Int) {
        self.checkerboard = checkerboard
        guard let checkerboard else {
            rows = [[UInt32](repeating: backdrop.premultiplied, count: width)]
            return
        }
        let opacity = checkerboard.opacity
        func pixel(_ gray: Double) -> UInt32 {
            Color.gray(gray, opacity).over(backdrop).premultiplied
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

    /// Calls `body` with the addresses of the background pixels of each canvas row in `range`.
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
