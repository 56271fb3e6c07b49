import CPainting
import SeededRandom
import Testing

/// `cpainting_enlarge`, which makes a block of pixels of each source pixel.
@Suite struct EnlargingTests {
    private static let untouched: UInt32 = 0x1234_5678

    /// Enlarges noise into the middle of a larger buffer, and counts the wrong pixels.
    ///
    /// Rows begin `shift` pixels after the start of a row of the buffer, and are followed by `padding`
    /// pixels.
    private func wrongPixels(
        side: Int, width: Int, height: Int, shift: Int, padding: Int,
        _ random: inout SeededGenerator
    ) -> Int {
        let (columns, rows) = ((width + side - 1) / side, (height + side - 1) / side)
        let source = (0..<columns * rows).map { _ in
            UInt32.random(in: 0...UInt32.max, using: &random)
        }
        let stride = shift + width + padding
        let border = 64
        let count = stride * (height + 2) + border
        var wrong = 0
        withUnsafeTemporaryAllocation(byteCount: count * 4, alignment: 64) { memory in
            let words = memory.bindMemory(to: UInt32.self)
            words.initialize(repeating: Self.untouched)
            source.withUnsafeBytes { source in
                guard let from = source.baseAddress, let to = memory.baseAddress else { return }
                // The source has no bytes after its last row; nothing may be read past it.
                cpainting_enlarge(
                    from.assumingMemoryBound(to: UInt8.self), columns * 4,
                    (to + (stride + shift) * 4).assumingMemoryBound(to: UInt8.self), stride * 4,
                    Int32(side), Int32(width), Int32(height))
            }
            for (index, word) in words.enumerated() {
                let (x, y) = (index % stride - shift, index / stride - 1)
                let isInside = (0..<width).contains(x) && (0..<height).contains(y)
                let wanted = isInside ? source[y / side * columns + x / side] : Self.untouched
                if word != wanted { wrong += 1 }
            }
        }
        return wrong
    }

    /// At any alignment and width, with rows that are and are not whole vectors apart.
    @Test(arguments: 1...6) func blocksAreFilledAndNothingElseIsWritten(side: Int) {
        var random = SeededGenerator(seed: UInt64(side))
        for width in 1...70 {
            let shift = Int.random(in: 0...7, using: &random)
            let whole = (4 - (shift + width) % 4) % 4
            for padding in [whole, whole + 1, whole + 2] {
                let height = Int.random(in: 1...9, using: &random)
                #expect(
                    wrongPixels(
                        side: side, width: width, height: height, shift: shift, padding: padding,
                        &random) == 0, "\(width) × \(height) from \(shift), padding \(padding)")
            }
        }
    }

    @Test(arguments: 1...6) func aCanvasOfOnePixelIsFilled(side: Int) {
        var random = SeededGenerator(seed: 7)
        #expect(
            wrongPixels(side: side, width: 1, height: 1, shift: 0, padding: 3, &random) == 0)
    }
}
