import CPainting
import CoreTestKit
import Testing

/// Pixels that become blocks.
@Suite struct EnlargingTests {
    private static let untouched: UInt32 = 0x1234_5678

    /// Enlarges noise into the middle of a larger field, `shift` pixels from a vector's border; the
    /// pixels that are not what they should be.
    private func wrongPixels(
        side: Int, width: Int, height: Int, shift: Int, rest: Int, _ random: inout SeededGenerator
    ) -> Int {
        let (columns, rows) = ((width + side - 1) / side, (height + side - 1) / side)
        let source = (0..<columns * rows).map { _ in
            UInt32.random(in: 0...UInt32.max, using: &random)
        }
        let stride = shift + width + rest
        let border = 64
        let count = stride * (height + 2) + border
        var wrong = 0
        withUnsafeTemporaryAllocation(byteCount: count * 4, alignment: 64) { memory in
            let words = memory.bindMemory(to: UInt32.self)
            words.initialize(repeating: Self.untouched)
            source.withUnsafeBytes { source in
                guard let from = source.baseAddress, let to = memory.baseAddress else { return }
                // Source rows end where the memory ends: nothing is read past them.
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

    /// Wherever it begins, however wide it is, and whether rows are vectors' borders apart or not.
    @Test(arguments: 1...6) func everyPixelIsThatOfItsBlockAndNoOtherIsTouched(side: Int) {
        var random = SeededGenerator(seed: UInt64(side))
        for width in 1...70 {
            let shift = Int.random(in: 0...7, using: &random)
            let whole = (4 - (shift + width) % 4) % 4
            for rest in [whole, whole + 1, whole + 2] {
                let height = Int.random(in: 1...9, using: &random)
                #expect(
                    wrongPixels(
                        side: side, width: width, height: height, shift: shift, rest: rest,
                        &random) == 0, "\(width) × \(height) from \(shift), \(rest) more")
            }
        }
    }

    @Test(arguments: 1...6) func onePixelIsABlockOfItsOwn(side: Int) {
        var random = SeededGenerator(seed: 7)
        #expect(
            wrongPixels(side: side, width: 1, height: 1, shift: 0, rest: 3, &random) == 0)
    }
}
