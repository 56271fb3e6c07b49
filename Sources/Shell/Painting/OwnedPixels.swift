import Geometry
import Glibc
import ImageTypes

/// Memory of the program's own that pixels are painted into once, and shown from.
///
/// `@unchecked Sendable`: it is written only for who made it, before anyone else hears of it, by threads
/// of a pool that are done with it by then; afterwards it is only read, and it is freed with the last
/// reference.
final class OwnedPixels: PixelMemory, @unchecked Sendable {
    private let size: PixelSize
    /// Bytes from one row to the next.
    private let stride: Int
    private let base: UnsafeMutablePointer<UInt32>
    private static let largePage = 2 << 20

    /// Nil where there is no memory for so many.
    init?(size: PixelSize) {
        let stride = Bitmap.Level.stride(ofWidth: size.width)
        let length = stride * size.height
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, Self.largePage, length) == 0, let base = memory else {
            return nil
        }
        madvise(base, length / Self.largePage * Self.largePage, MADV_HUGEPAGE)
        (self.size, self.stride) = (size, stride)
        self.base = base.bindMemory(to: UInt32.self, capacity: stride / 4 * size.height)
    }

    deinit { free(base) }

    private var length: Int { stride * size.height }
    /// Pixels from one row to the next.
    private var pitch: Int { stride / 4 }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: length) }

    var canvas: Canvas {
        Canvas(
            memory: UnsafeMutableRawBufferPointer(start: base, count: length), size: size,
            stride: stride)
    }

    /// All there is of a picture of its own.
    var bitmap: Bitmap {
        Bitmap(size: size, format: .rgb24, levels: [level(exponent: 0)], memory: self)
    }

    /// Opaque pixels that are a picture at that exponent.
    func level(exponent: Int) -> Bitmap.Level {
        .init(exponent: exponent, size: size, stride: stride, offset: 0)
    }

    /// The same turned clockwise by so many right angles, 1 to 3; nil when that was cancelled.
    func turned(by quarters: Int, until cancellation: PaintingCancellation) -> OwnedPixels? {
        let (width, height) = (size.width, size.height)
        guard let result = OwnedPixels(size: quarters == 2 ? size : size.transposed) else {
            return nil
        }
        // Where the upper left pixel comes to lie, and how far the next one of its row and of its column
        // are from there.
        let (start, across, down) =
            switch quarters {
            case 1: (height - 1, result.pitch, -1)
            case 2: ((height - 1) * result.pitch + width - 1, -1, -result.pitch)
            default: ((width - 1) * result.pitch, -result.pitch, 1)
            }
        for y in 0..<height {
            if cancellation.isCancelled { return nil }
            var place = start + y * down
            for x in 0..<width {
                result.base[place] = base[y * pitch + x]
                place += across
            }
        }
        return result
    }
}
