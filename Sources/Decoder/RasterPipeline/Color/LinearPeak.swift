/// The peak of a linear float picture, without single outliers.
///
/// The peak is the value that one pixel in a thousand exceeds.
package struct LinearPeak {
    /// Histogram bins per octave, and octaves above white.
    private static let (steps, octaves) = (16, 20)
    /// One pixel in this many may exceed the peak.
    private static let pixelsPerOutlier = 1000

    private var pixels = 0
    private var counts = [Int](repeating: 0, count: steps * octaves)
    private var brightest: Float = 0

    /// A picture without pixels, whose peak is white.
    package init() {}

    /// Counts pixels of `samples` floats each, the first three of which are linear R, G and B.
    package mutating func add(_ floats: UnsafePointer<Float>, pixels count: Int, samples: Int) {
        for index in 0..<count {
            let pixel = floats + index * samples
            add(max(pixel[0], pixel[1], pixel[2]))
        }
    }

    /// Counts a pixel by the brightest of its samples.
    package mutating func add(_ value: Float) {
        pixels += 1
        guard value > 1 else { return }
        brightest = max(brightest, min(value, 1e6))
        // The upper bits of a float are nearly its logarithm.
        let bits = Int(value.bitPattern) - Int(Float(1).bitPattern)
        let bin = bits >> (Float.significandBitCount - 4)
        counts[min(bin, counts.count - 1)] += 1
    }

    /// The peak, at least 1, which is white.
    package var value: Float {
        var outliers = pixels / Self.pixelsPerOutlier
        for bin in counts.indices.reversed() {
            outliers -= counts[bin]
            guard outliers < 0 else { continue }
            let bits = (bin + 1) << (Float.significandBitCount - 4)
            return min(Float(bitPattern: Float(1).bitPattern + UInt32(bits)), max(brightest, 1))
        }
        return 1
    }
}
