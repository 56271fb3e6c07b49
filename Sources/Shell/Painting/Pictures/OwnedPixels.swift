import Geometry
import ImageTypes

/// Memory of a bitmap that is painted once and then only read.
///
/// `@unchecked Sendable`: the threads of a pool write the memory, and finish, before the object is
/// shared; `PixelCopy` and `FadeCopies`, which fill parts of it later, prove why nothing reads these parts before.
/// The memory is unmapped with the last reference.
final class OwnedPixels: PixelMemory, @unchecked Sendable {
    private let size: PixelSize
    /// Bytes from one row to the next.
    private let stride: Int
    private let memory: PageMemory
    private let base: UnsafeMutablePointer<UInt32>

    /// Nil if the memory cannot be mapped.
    init?(size: PixelSize) {
        let stride = Bitmap.Level.stride(ofWidth: size.width)
        guard
            let memory = PageMemory(bytes: stride * size.height)
        else { return nil }
        (self.size, self.stride) = (size, stride)
        base = memory.base.bindMemory(to: UInt32.self, capacity: stride / 4 * size.height)
        self.memory = memory
    }

    private var length: Int { stride * size.height }
    /// Pixels from one row to the next.
    private var pitch: Int { stride / 4 }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: length) }

    var canvas: Canvas {
        Canvas(
            memory: UnsafeMutableRawBufferPointer(start: base, count: length), size: size,
            stride: stride)
    }

    /// The pixels as an opaque bitmap with a single level.
    var bitmap: Bitmap {
        Bitmap(size: size, format: .rgb24, levels: [level(mipLevel: 0)], memory: self)
    }

    /// The pixels as an opaque level at 1/2^`mipLevel` of a picture.
    func level(mipLevel: Int) -> Bitmap.Level {
        .init(mipLevel: mipLevel, size: size, stride: stride, offset: 0)
    }

    /// A copy rotated clockwise by 1 to 3 right angles; nil if cancelled or out of memory.
    func rotated(by quarters: Int, until cancellation: PaintingCancellation) -> OwnedPixels? {
        let (width, height) = (size.width, size.height)
        guard let result = OwnedPixels(size: quarters == 2 ? size : size.transposed) else {
            return nil
        }
        // The target index of the source's upper left pixel, and the index steps to the next source
        // column and the next source row.
        let (start, across, down) =
            switch quarters {
            case 1: (height - 1, result.pitch, -1)
            case 2: ((height - 1) * result.pitch + width - 1, -1, -result.pitch)
            default: ((width - 1) * result.pitch, -result.pitch, 1)
            }
        for y in 0..<height {
            if cancellation.isCancelled { return nil }
            var index = start + y * down
            for x in 0..<width {
                result.base[index] = base[y * pitch + x]
                index += across
            }
        }
        return result
    }
}
