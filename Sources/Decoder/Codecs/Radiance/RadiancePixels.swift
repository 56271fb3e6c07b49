/// Reads scan lines of a Radiance picture, uncompressed or with old or new run lengths.
struct RadiancePixels {
    private let bytes: UnsafeRawBufferPointer
    private let width: Int
    private var offset: Int
    /// Red, green, blue and exponent of each pixel of the line.
    private var line: [UInt8]

    /// The lengths of lines, in pixels, that may have new run lengths.
    private static let newLengths = 8...0x7FFF

    init(_ bytes: UnsafeRawBufferPointer, from offset: Int, width: Int) {
        (self.bytes, self.offset, self.width) = (bytes, offset, width)
        line = [UInt8](repeating: 0, count: width * 4)
    }

    /// Reads a line; false if the file ends early, or if the line is corrupt.
    mutating func next() -> Bool {
        guard offset + 4 <= bytes.count else { return false }
        let isNew =
            Self.newLengths.contains(width) && bytes[offset] == 2 && bytes[offset + 1] == 2
            && Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]) == width
        return isNew ? readNew() : readOld()
    }

    /// Reads a line with new run lengths: the four samples separately, as runs and literals.
    private mutating func readNew() -> Bool {
        offset += 4
        for sample in 0..<4 {
            var x = 0
            while x < width {
                guard offset + 2 <= bytes.count else { return false }
                let code = Int(bytes[offset])
                let isRun = code > 128
                let count = isRun ? code - 128 : code
                guard count > 0, count <= width - x, isRun || offset + 1 + count <= bytes.count
                else { return false }
                for index in 0..<count {
                    line[(x + index) * 4 + sample] = bytes[offset + 1 + (isRun ? 0 : index)]
                }
                x += count
                offset += isRun ? 2 : 1 + count
            }
        }
        return true
    }

    /// Reads an uncompressed line, or one with old run lengths.
    ///
    /// A pixel 1, 1, 1, n repeats the previous pixel n times. The count of a repetition right after
    /// another one is multiplied by 256.
    private mutating func readOld() -> Bool {
        var (x, shift) = (0, 0)
        while x < width {
            guard offset + 4 <= bytes.count else { return false }
            let pixel = bytes[offset..<(offset + 4)]
            offset += 4
            guard pixel.prefix(3).elementsEqual([1, 1, 1]) else {
                for (sample, value) in pixel.enumerated() { line[x * 4 + sample] = value }
                (x, shift) = (x + 1, 0)
                continue
            }
            let count = Int(bytes[offset - 1]) << shift
            guard x > 0, shift <= 16, count <= width - x else { return false }
            for index in x..<(x + count) {
                for sample in 0..<4 { line[index * 4 + sample] = line[(x - 1) * 4 + sample] }
            }
            (x, shift) = (x + count, shift + 8)
        }
        return true
    }

    /// Writes the line as linear red, green and blue of each pixel.
    func write(to target: UnsafeMutablePointer<Float>, exposure: Float) {
        for x in 0..<width {
            let exponent = Int(line[x * 4 + 3])
            // The samples are in units of 1/256, and the exponent has a bias of 128.
            let factor =
                exponent == 0 ? 0 : Float(sign: .plus, exponent: exponent - 136, significand: 1)
            for sample in 0..<3 {
                target[x * 3 + sample] =
                    exponent == 0
                    ? 0 : (Float(line[x * 4 + sample]) + 0.5) * factor / exposure
            }
        }
    }
}
