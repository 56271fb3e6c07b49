package import Geometry

/// Reference-counted read-only memory that holds pixels.
package protocol PixelMemory: AnyObject, Sendable {
    var bytes: UnsafeRawBufferPointer { get }
}

/// The layout of a 32-bit pixel, in native byte order.
package enum PixelFormat: UInt32, Hashable, Sendable {
    /// 0xffRRGGBB, opaque; cairo's RGB24.
    case rgb24 = 0
    /// 0xAARRGGBB, premultiplied by alpha; cairo's ARGB32.
    case argb32 = 1
}

/// A decoded upright picture with one or more mip levels; immutable.
package struct Bitmap: Sendable {
    /// A mip level: the picture at 1/2^`mipLevel`, or the three-quarter level at 1.5 times that
    /// scale.
    package struct Level: Hashable, Sendable {
        package var mipLevel: Int
        /// Whether this is a three-quarter level, with 1.5 times as many pixels per side as
        /// `mipLevel` says.
        package var isThreeQuarter = false
        package var size: PixelSize
        /// Bytes from one row to the next; a multiple of 4.
        package var stride: Int
        /// Bytes from the start of the memory to the first row.
        package var offset: Int

        package init(mipLevel: Int, size: PixelSize, stride: Int, offset: Int) {
            self.mipLevel = mipLevel
            self.size = size
            self.stride = stride
            self.offset = offset
        }

        /// A stride, in bytes, that suits processor caches: a multiple of a cache line, but not of
        /// a page.
        ///
        /// Rows that are a multiple of a page apart evict each other from the cache, and a frame of
        /// a rotated picture takes twice as long.
        package static func stride(ofWidth width: Int) -> Int {
            let (line, page) = (64, 4096)
            let stride = (width * 4 + line - 1) / line * line
            return stride.isMultiple(of: page) ? stride + line : stride
        }

        /// Pixels of the level per picture pixel, along each axis.
        package var scale: Double { (isThreeQuarter ? 1.5 : 1) / Double(1 << mipLevel) }
    }

    /// The size of the whole picture in pixels, even if the finest level here is smaller.
    package let size: PixelSize
    package let format: PixelFormat
    /// Finest first, at least one.
    package let levels: [Level]
    package let memory: any PixelMemory
    /// The three-quarter level as a bitmap of one level, or empty.
    private var threeQuarterLevel: [Bitmap] = []

    /// Creates a bitmap over memory; the caller has checked that every level lies inside the
    /// memory.
    ///
    /// Traps where a level does not, because a painter would read out of bounds.
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

    /// The same bitmap with a three-quarter level for frames in motion.
    package func adding(_ threeQuarterLevel: Bitmap) -> Bitmap {
        var bitmap = self
        bitmap.threeQuarterLevel = [threeQuarterLevel]
        return bitmap
    }

    /// The bitmap to sample in motion at `scale` pixels per picture pixel: this one or its
    /// three-quarter level.
    package func bitmapInMotion(for scale: Double) -> Bitmap {
        let own = level(for: scale)
        return threeQuarterLevel.first { $0.levels[0].isPreferable(at: scale, to: own) } ?? self
    }

    /// The coarsest level with at least `scale` of its pixels per picture pixel, or else the finest
    /// level.
    ///
    /// Bilinear filtering then reduces it by less than one half.
    package func level(for scale: Double) -> Level {
        var best = levels[0]
        for level in levels where Double(level.size.width) >= scale * Double(size.width) {
            best = level
        }
        return best
    }
}

extension Bitmap.Level {
    /// Largest ratio of `scale` to the scale of a three-quarter level that is used: nearer to 1:1,
    /// interpolation would blur it, and the finer level costs little more.
    private static let largestRatio = 0.9

    /// Whether this level has enough pixels for `scale` pixels per picture pixel, and fewer than
    /// `other`.
    fileprivate func isPreferable(at scale: Double, to other: Bitmap.Level) -> Bool {
        self.scale * Self.largestRatio >= scale && self.scale < other.scale
    }
}
