/// The seven passes of an interlaced PNG, each of which refines the passes before.
///
/// Source: PNG, third edition (W3C), section 8.2.
struct PNGPasses {
    /// The first column and row of each pass, and the distances between its columns and rows.
    private static let passes: [(x: Int, y: Int, across: Int, down: Int)] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]

    /// All rows, without gaps.
    let base: UnsafeMutableRawPointer
    let width: Int
    let height: Int
    let bytesPerPixel: Int

    /// Fills all pixels from `row` of `pass` on with the pixels of earlier passes that they refine.
    ///
    /// Pixels of the first pass do not change. Returns early once `isWanted` returns false.
    func fill(from pass: Int, row: Int, while isWanted: () -> Bool) {
        var count = 0
        for number in max(pass, 1)..<Self.passes.count {
            let pattern = Self.passes[number]
            // The pixel to the left, or else the one above, belongs to an earlier pass.
            let (left, up) = pattern.x > 0 ? (pattern.x, 0) : (0, pattern.y)
            for y in stride(from: pattern.y, to: height, by: pattern.down)
            where number > pass || y >= row {
                count += 1
                if count.isMultiple(of: Self.rowsPerCheck), !isWanted() { return }
                for x in stride(from: pattern.x, to: width, by: pattern.across) {
                    pixel(x, y).copyMemory(
                        from: pixel(x - left, y - up), byteCount: bytesPerPixel)
                }
            }
        }
    }

    /// Rows between two calls of `isWanted`.
    private static let rowsPerCheck = 64

    private func pixel(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer {
        base + (y * width + x) * bytesPerPixel
    }
}
