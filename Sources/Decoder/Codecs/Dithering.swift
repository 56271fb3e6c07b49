/// From 16 bits a sample to the 8 that are painted, without bands.
///
/// Ordered, so that a pixel comes out the same whatever is decoded around it, and an even number of 8
/// bits stays what it is.
enum Dithering {
    /// Bayer's 8 × 8 matrix, in 1/65536 of a step of 8 bits.
    private static let thresholds: [UInt32] = {
        (0..<64).map { place in
            let (x, y) = (place % 8, place / 8)
            var rank = 0
            for bit in 0..<3 {
                let (u, v) = ((x >> bit) & 1, (y >> bit) & 1)
                rank = rank << 2 | (u ^ v) << 1 | v
            }
            return UInt32((rank * 2 + 1) * 65536 / 128)
        }
    }()

    /// The thresholds of row `y`, eight that repeat.
    static func row(_ y: Int) -> SIMD8<UInt32> {
        var row = SIMD8<UInt32>()
        for x in 0..<8 { row[x] = thresholds[(y & 7) * 8 + x] }
        return row
    }

    /// A sample of 16 bits as one of 8.
    @inline(__always)
    static func reduced(_ value: UInt32, _ threshold: UInt32) -> UInt32 {
        // 65535 · 65536 · 255 / 65535: in 64 bits the product is exact.
        UInt32((UInt64(value) &* 255 &* 65536 / 65535 &+ UInt64(threshold)) &>> 16)
    }
}
