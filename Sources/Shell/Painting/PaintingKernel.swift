import CPainting
import Geometry
import ImageTypes
import SceneModel

/// The code that paints pictures.
///
/// All kernels give the same pixels in motion. At rest, a channel may differ by one step.
package enum PaintingKernel: Sendable, CaseIterable {
    /// Runs on every processor.
    case portable
    /// The fastest code that this processor supports.
    case best

    var choice: cpainting_kernel {
        self == .best ? CPAINTING_BEST : CPAINTING_PORTABLE
    }
}

extension cpainting_source {
    /// Nil if the bitmap has no memory.
    init?(_ level: Bitmap.Level, of bitmap: Bitmap) {
        guard let base = bitmap.memory.bytes.baseAddress else { return nil }
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
