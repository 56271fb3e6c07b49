import CoreTestKit
import Painting
import ImageTypes
import Testing

/// Every set of instructions paints the same pixels.
extension ResamplingTests {
    /// The sets that this processor supports, without the portable one.
    static let sets = PaintingKernel.allCases.filter { $0 != .portable && $0.isSupported }

    /// Opaque and transparent pictures of 1×1 to 400×500, upright and rotated, in rows that begin with
    /// a cache line and in others.
    @Test(arguments: sets, [false, true])
    func everySetPaintsThePixelsOfThePortableOne(set: PaintingKernel, isRotated: Bool) {
        var random = SeededGenerator(seed: 21)
        for number in 0..<60 {
            let test =
                number % 3 == 0
                ? randomCase(&random, zoom: -4...5) { _, _, random in
                    UInt32.random(in: 0...0xFF_FFFF, using: &random)
                } : transparentCase(&random, isRotated: isRotated)
            let expected = test.scene.painted(with: test.bitmap, kernel: .portable)
            for isAligned in [true, false] {
                #expect(
                    expected
                        == test.scene.painted(
                            with: test.bitmap, kernel: set, isAligned: isAligned),
                    "\(test.item) \(test.bitmap.format)")
            }
        }
    }

    /// The best set is one that the processor supports; the portable one always is.
    @Test func theProcessorSupportsASet() {
        #expect(PaintingKernel.portable.isSupported)
        #expect(PaintingKernel.best.isSupported)
        #if arch(arm64)
            #expect(PaintingKernel.simd.isSupported)
            #expect(!PaintingKernel.avx2.isSupported)
        #endif
    }
}
