/// The brightest light of a picture in floats, but for a few sparks: that of which one pixel in a
/// thousand is brighter.
struct LightPeak {
    /// Bins an octave, and octaves from white on.
    private static let (steps, octaves) = (16, 20)
    private static let rareness = 1000

    private var pixels = 0
    private var counts = [Int](repeating: 0, count: steps * octaves)
    private var brightest: Float = 0

    /// Counts pixels of `samples` floats each, the first three of which are light.
    mutating func add(_ light: UnsafePointer<Float>, pixels count: Int, samples: Int) {
        for pixel in 0..<count {
            let place = light + pixel * samples
            add(max(place[0], place[1], place[2]))
        }
    }

    /// Counts a pixel by the brightest of its samples.
    mutating func add(_ value: Float) {
        pixels += 1
        guard value > 1 else { return }
        brightest = max(brightest, min(value, 1e6))
        // The exponent and the first bits behind it are the logarithm, nearly.
        let bits = Int(value.bitPattern) - Int(Float(1).bitPattern)
        let bin = bits >> (Float.significandBitCount - 4)
        counts[min(bin, counts.count - 1)] += 1
    }

    /// At least 1, which is white.
    var value: Float {
        var rest = pixels / Self.rareness
        for bin in counts.indices.reversed() {
            rest -= counts[bin]
            guard rest < 0 else { continue }
            let bits = (bin + 1) << (Float.significandBitCount - 4)
            return min(Float(bitPattern: Float(1).bitPattern + UInt32(bits)), max(brightest, 1))
        }
        return 1
    }
}
