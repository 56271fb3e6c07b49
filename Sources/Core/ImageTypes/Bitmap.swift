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
    /// One reduction: the picture at 1/2^`exponent`, or in the middle between that and the next finer one.
    package struct Level: Hashable, Sendable {
        package var exponent: Int
        /// Whether it has one and a half times as many pixels a side as its exponent tells.
        package var isIntermediate = false
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

        /// Bytes from one row to the next that suit a processor's caches: whole lines, no whole pages.
        ///
        /// A page apart, rows below each other push each other out of a cache, so that a frame of a
        /// picture that is turned takes twice as long.
        package static func stride(ofWidth width: Int) -> Int {
            let (line, page) = (64, 4096)
            let stride = (width * 4 + line - 1) / line * line
            return stride.isMultiple(of: page) ? stride + line : stride
        }

        /// Its pixels per picture pixel along each axis.
        package var scale: Double { (isIntermediate ? 1.5 : 1) / Double(1 << exponent) }
    }

    /// Pixels of the whole picture, even where the finest level here is a reduction of it.
    package let size: PixelSize
    package let format: PixelFormat
    /// Finest first, at least one.
    package let levels: [Level]
    package let memory: any PixelMemory
    /// The same picture in a scale between two of the levels: one at most, with one level.
    private var intermediate: [Bitmap] = []

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

    /// The same, with an intermediate reduction for frames in motion.
    package func adding(_ intermediate: Bitmap) -> Bitmap {
        var bitmap = self
        bitmap.intermediate = [intermediate]
        return bitmap
    }

    /// Where the pixels are from which the picture is shown in motion with `scale` of them per picture
    /// pixel: itself or its intermediate reduction.
    package func inMotion(for scale: Double) -> Bitmap {
        let own = level(for: scale)
        return intermediate.first { $0.levels[0].helps(at: scale, beside: own) } ?? self
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

extension Bitmap.Level {
    /// Where an intermediate reduction is shown almost pixel by pixel, interpolation would blur it, and
    /// the finer level costs little more.
    private static let nearest = 0.9

    /// Whether it has enough pixels to be shown with `scale` of them per picture pixel, and fewer than
    /// the other.
    fileprivate func helps(at scale: Double, beside other: Bitmap.Level) -> Bool {
        self.scale * Self.nearest >= scale && self.scale < other.scale
    }
}
