/// The seven passes in which an interlaced PNG comes, each of which refines what was there before.
///
/// Source: PNG, third edition (W3C), section 8.2.
struct PNGPasses {
    /// Where the pixels of a pass lie: from a column and row on, and so many apart.
    private static let places: [(x: Int, y: Int, across: Int, down: Int)] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]

    /// All rows, one behind the other.
    let base: UnsafeMutableRawPointer
    let width: Int
    let height: Int
    let bytesPerPixel: Int

    /// Gives every pixel from a pass's row on that of an earlier pass which it would have refined;
    /// those of the first pass stay what they are.
    ///
    /// `isWanted` is asked now and then, and ends it.
    func fill(from pass: Int, row: Int, while isWanted: () -> Bool) {
        var count = 0
        for number in max(pass, 1)..<Self.places.count {
            let place = Self.places[number]
            // To the left, or else above, lies a pixel of a pass before.
            let (left, up) = place.x > 0 ? (place.x, 0) : (0, place.y)
            for y in stride(from: place.y, to: height, by: place.down)
            where number > pass || y >= row {
                count += 1
                if count.isMultiple(of: Self.rowsAtOnce), !isWanted() { return }
                for x in stride(from: place.x, to: width, by: place.across) {
                    pixel(x, y).copyMemory(
                        from: pixel(x - left, y - up), byteCount: bytesPerPixel)
                }
            }
        }
    }

    /// Rows between two questions whether they are wanted.
    private static let rowsAtOnce = 64

    private func pixel(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer {
        base + (y * width + x) * bytesPerPixel
    }
}
