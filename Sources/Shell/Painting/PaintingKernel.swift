import CPainting
import Geometry
import ImageTypes

/// Which code paints pictures; all give the same pixels, but for a step here and there at rest.
package enum PaintingKernel: Sendable, CaseIterable {
    /// What every processor can run.
    case portable
    /// The fastest that this processor has.
    case best

    var choice: cpainting_kernel {
        self == .best ? CPAINTING_BEST : CPAINTING_PORTABLE
    }
}

extension cpainting_source {
    /// Nil where there is no memory of it.
    init?(_ level: Bitmap.Level, of bitmap: Bitmap) {
        guard let base = bitmap.memory.bytes.baseAddress else { return nil }
        self.init(
            pixels: base.assumingMemoryBound(to: UInt8.self) + level.offset, stride: level.stride,
            width: Int32(clamping: level.size.width), height: Int32(clamping: level.size.height))
    }
}

extension Double {
    /// Of an opacity 0…1, in 1/255.
    var parts: UInt32 { UInt32((min(max(self, 0), 1) * 255).rounded()) }
}
