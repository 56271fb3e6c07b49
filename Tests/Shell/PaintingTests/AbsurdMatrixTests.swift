import CPainting
import Testing

/// `cpainting_rotated` with matrices that no picture on a screen has.
@Suite struct AbsurdMatrixTests {
    private static let side = 64
    private static let columns = 256

    /// The painted pixels of a row of the target, of a white source of 64 × 64 pixels.
    private func paintedPixels(_ matrix: cpainting_affine, _ kernel: cpainting_kernel) -> Int {
        let source = [UInt32](repeating: ~0, count: Self.side * Self.side)
        var row = [UInt32](repeating: 0, count: Self.columns)
        source.withUnsafeBytes { source in
            row.withUnsafeMutableBytes { row in
                var level = cpainting_source(
                    pixels: source.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    stride: Self.side * 4, width: Int32(Self.side), height: Int32(Self.side))
                cpainting_rotated(
                    &level, matrix, 1, row.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    Self.columns * 4, 0, Int32(Self.columns), 0, 1, 255, kernel)
            }
        }
        return row.count { $0 != 0 }
    }

    /// Steps and positions that are limited to the same number would cancel each other.
    @Test(
        arguments: [CPAINTING_PORTABLE, CPAINTING_SIMD, CPAINTING_AVX2],
        [-1e9, 1e9, -1e300, 1e300, -.infinity, .infinity, .nan])
    func hugeStepsShowNothing(kernel: cpainting_kernel, step: Double) {
        for start in [-1e11, 0, 1e11, .nan] {
            let both = cpainting_affine(xx: step, xy: 0, x0: start, yx: step, yy: 1, y0: start)
            #expect(paintedPixels(both, kernel) == 0)
            let rows = cpainting_affine(xx: 1, xy: 0, x0: 0, yx: step, yy: 1, y0: start)
            #expect(paintedPixels(rows, kernel) == 0)
        }
    }

    /// The largest steps that are painted show at most the pixel at the source.
    @Test(arguments: [CPAINTING_PORTABLE, CPAINTING_SIMD, CPAINTING_AVX2])
    func largeStepsShowOnePixel(kernel: cpainting_kernel) {
        for step in [-131_071.0, 131_071] {
            for column in [0, 100, 255] {
                let start = 32 - step * (Double(column) + 0.5)
                let matrix = cpainting_affine(xx: step, xy: 0, x0: start, yx: 0, yy: 1, y0: 20)
                #expect(paintedPixels(matrix, kernel) == 1)
            }
        }
    }

    /// Nothing is painted far away from the source, on both sides of what positions can be.
    @Test(arguments: [CPAINTING_PORTABLE, CPAINTING_SIMD, CPAINTING_AVX2])
    func farPicturesShowNothing(kernel: cpainting_kernel) {
        for start in [-1e300, -1e12, 1e12, 1e300, -.infinity, .infinity, .nan] {
            for step in [-131_071.0, -1, 1, 131_071] {
                let matrix = cpainting_affine(xx: step, xy: 0, x0: start, yx: 0, yy: 1, y0: 20)
                #expect(paintedPixels(matrix, kernel) == 0)
            }
        }
    }
}
