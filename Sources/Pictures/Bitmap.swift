package import Geometry

/// Read-only memory that holds pixels and lives as long as someone refers to it.
package protocol PixelMemory: AnyObject, Sendable {
    var bytes: UnsafeRawBufferPointer { get }
}

/// How four bytes make a pixel, in the machine's byte order.
package enum PixelFormat: UInt32, Hashable, Sendable {
    /// 0xffRRGGBB, opaque; cairo's RGB24.
    case rgb24 = 0
    /// 0xAARRGGBB with the colours multiplied by alpha; cairo's ARGB32.
    case argb32 = 1
}

/// A decoded picture, upright, in one or more power-of-two reductions; immutable.
package struct Bitmap: Sendable {
    /// One reduction: the picture at 1/2^`exponent`.
    package struct Level: Hashable, Sendable {
        package var exponent: Int
        package var size: PixelSize
        /// Bytes from one row to the next; a multiple of 4.
        package var stride: Int
        /// Bytes from the start of the memory to the first row.
        package var offset: Int

        package init(exponent: Int, size: PixelSize, stride: Int, offset: Int) {
            self.exponent = exponent
            self.size = size
            self.stride = stride
            self.offset = offset
        }
    }

    /// Pixels of the whole picture, even where the finest level here is a reduction of it.
    package let size: PixelSize
    package let format: PixelFormat
    /// Finest first, at least one.
    package let levels: [Level]
    package let memory: any PixelMemory

    /// Takes what was checked by the caller: every level lies inside the memory.
    ///
    /// Traps where that does not hold, since a painter would read outside.
    package init(
        size: PixelSize, format: PixelFormat, levels: [Level], memory: any PixelMemory
    ) {
        precondition(!levels.isEmpty, "a bitmap without a level")
        let available = unsafe memory.bytes.count
        for level in levels {
            precondition(
                !level.size.isEmpty && level.offset >= 0 && level.stride >= level.size.width * 4
                    && level.offset + level.stride * level.size.height <= available,
                "a bitmap level outside its memory")
        }
        self.size = size
        self.format = format
        self.levels = levels
        self.memory = memory
    }

    /// The coarsest level that still has at least `scale` of its pixels per picture pixel, or the
    /// finest where none has: what bilinear filtering shrinks by less than one half.
    package func level(for scale: Double) -> Level {
        var best = levels[0]
        for level in levels where Double(level.size.width) >= scale * Double(size.width) {
            best = level
        }
        return best
    }
}
