/// Ordered dithering of 16-bit samples to 8 bits, which prevents banding.
///
/// A pixel depends on its position and value alone, and not on the pixels around it. A 16-bit
/// sample that stands for an exact 8-bit value keeps that value.
package enum Dithering {
    /// Bayer's 8 × 8 matrix, in 1/65536 of an 8-bit step.
    private static let thresholds: [UInt32] = {
        (0..<64).map { index in
            let (x, y) = (index % 8, index / 8)
            var rank = 0
            for bit in 0..<3 {
                let (u, v) = ((x >> bit) & 1, (y >> bit) & 1)
                rank = rank << 2 | (u ^ v) << 1 | v
            }
            return UInt32((rank * 2 + 1) * 65536 / 128)
        }
    }()

    /// The thresholds of row `y`, which repeat every eight pixels.
    static func row(_ y: Int) -> SIMD8<UInt32> {
        var row = SIMD8<UInt32>()
        for x in 0..<8 { row[x] = thresholds[(y & 7) * 8 + x] }
        return row
    }

    /// Reduces `count` 16-bit samples of row `y` of a plane to 8 bits.
    package static func reduce(
        _ samples: UnsafePointer<UInt16>, to target: UnsafeMutablePointer<UInt8>, count: Int, y: Int
    ) {
        let thresholds = row(y)
        for x in 0..<count {
            target[x] = UInt8(
                truncatingIfNeeded: reduced(UInt32(samples[x]), thresholds[x & 7]))
        }
    }

    /// Reduces a 16-bit sample to 8 bits.
    @inline(__always)
    static func reduced(_ value: UInt32, _ threshold: UInt32) -> UInt32 {
        // The product is exact: 65535 · 255 · 65536 fits into 64 bits.
        UInt32((UInt64(value) &* 255 &* 65536 / 65535 &+ UInt64(threshold)) &>> 16)
    }
}
