import CPainting
import Geometry
import ImageTypes
import SceneModel

/// The set of instructions that the code that paints pictures uses.
///
/// All sets give the same pixels.
package enum PaintingKernel: Sendable, CaseIterable {
    /// Runs on every processor.
    case portable
    /// Vectors of 16 bytes: SSSE3 on x86-64, NEON on aarch64.
    case simd
    case avx2
    /// The fastest set that this processor supports.
    case best

    /// Whether this processor supports the set.
    ///
    /// Where it does not, the portable code paints.
    package var isSupported: Bool { cpainting_supports(choice) != 0 }

    /// Makes `.best` stand for this set in the whole process.
    package func becomeBest() { cpainting_set_best(choice) }

    var choice: cpainting_kernel {
        switch self {
        case .portable: CPAINTING_PORTABLE
        case .simd: CPAINTING_SIMD
        case .avx2: CPAINTING_AVX2
        case .best: CPAINTING_BEST
        }
    }
}

extension cpainting_source {
    /// Nil if the bitmap has no memory, or has planes.
    init?(_ level: Bitmap.Level, of bitmap: Bitmap) {
        guard bitmap.format != .planes, let base = bitmap.memory.bytes.baseAddress else {
            return nil
        }
        self.init(
            pixels: base.assumingMemoryBound(to: UInt8.self) + level.offset, stride: level.stride,
            width: Int32(clamping: level.size.width), height: Int32(clamping: level.size.height))
    }
}

extension Double {
    /// An opacity 0…1 in units of 1/255; NaN is transparent.
    var opacityByte: UInt32 {
        UInt32(clamping: Int(clamping: (min(max(self, 0), 1) * 255).rounded()))
    }
}

extension Color {
    /// The pixel of the colour in the memory of a canvas: premultiplied ARGB.
    var premultiplied: UInt32 {
        func byte(_ value: Double) -> UInt32 { (value * alpha).opacityByte }
        return alpha.opacityByte << 24 | byte(red) << 16 | byte(green) << 8 | byte(blue)
    }
}
