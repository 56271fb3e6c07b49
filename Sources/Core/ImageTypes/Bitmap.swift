package import Geometry

/// Reference-counted read-only memory that holds pixels.
package protocol PixelMemory: AnyObject, Sendable {
    var bytes: UnsafeRawBufferPointer { get }
}

/// The layout of pixels; those of 32 bits are in native byte order.
package enum PixelFormat: UInt32, Hashable, Sendable {
    /// 0xffRRGGBB, opaque; cairo's RGB24.
    case rgb24 = 0
    /// 0xAARRGGBB, premultiplied by alpha; cairo's ARGB32.
    case argb32 = 1
    /// Opaque: a plane with a byte of luma for each pixel, and one with two bytes, Cb and Cr, for one or
    /// more pixels.
    case planes = 2

    /// Bytes of a pixel, without chroma planes.
    package var bytesPerPixel: Int { self == .planes ? 1 : 4 }
    package var isOpaque: Bool { self != .argb32 }
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
        /// Bytes from one row of pixels, or of luma, to the next; a multiple of 4.
        package var stride: Int
        /// Bytes from the start of the memory to the first row.
        package var offset: Int
        /// The chroma plane of a level of planes, which several levels may share; nil otherwise.
        package var chroma: ChromaPlane?

        package init(
            mipLevel: Int, size: PixelSize, stride: Int, offset: Int, chroma: ChromaPlane? = nil
        ) {
            self.mipLevel = mipLevel
            self.size = size
            self.stride = stride
            self.offset = offset
            self.chroma = chroma
        }

        /// The end of the level's rows with their padding, in bytes from the start of the memory.
        package var end: Int {
            max(
                offset + stride * size.height,
                chroma.map { $0.offset + $0.stride * $0.size.height } ?? 0)
        }

        /// A stride, in bytes, that suits processor caches: an odd number of cache lines.
        ///
        /// A cache has sets of lines, and the lower bits of a line's number select the set. Rows that
        /// are an even number of lines apart leave sets unused and evict each other: a frame of a
        /// rotated picture takes up to twice as long.
        package static func stride(ofWidth width: Int, bytesPerPixel: Int = 4) -> Int {
            let line = 64
            return ((width * bytesPerPixel + line - 1) / line | 1) * line
        }

        /// Pixels of the level per picture pixel, along each axis.
        package var scale: Double { (isThreeQuarter ? 1.5 : 1) / Double(1 << mipLevel) }
    }

    /// Samples of two bytes: Cb and Cr.
    package struct ChromaPlane: Hashable, Sendable {
        /// In samples.
        package var size: PixelSize
        /// Bytes from one row to the next; a multiple of 64.
        package var stride: Int
        /// Bytes from the start of the memory to the first row.
        package var offset: Int

        package init(size: PixelSize, stride: Int, offset: Int) {
            (self.size, self.stride, self.offset) = (size, stride, offset)
        }
    }

    /// The size of the whole picture in pixels, even if the finest level here is smaller.
    package let size: PixelSize
    package let format: PixelFormat
    /// How planes are sampled; nil for other formats.
    package let chroma: ChromaFormat?
    /// Finest first, at least one.
    package let levels: [Level]
    package let memory: any PixelMemory
    /// The three-quarter level as a bitmap of one level, or empty.
    private var threeQuarterLevel: [Bitmap] = []
    /// The gain plane, or empty.
    private var gainPlanes: [GainPlane] = []

    /// How much brighter the picture becomes on a screen with headroom; nil for a picture that ends at white.
    package var gain: GainPlane? {
        get { gainPlanes.first }
        set { gainPlanes = newValue.map { [$0] } ?? [] }
    }

    /// Creates a bitmap over memory; the caller has checked that every level lies inside the
    /// memory.
    ///
    /// Traps where a level does not, because a painter would read out of bounds. `chroma` is set for
    /// planes, and for nothing else.
    package init(
        size: PixelSize, format: PixelFormat, chroma: ChromaFormat? = nil, levels: [Level],
        memory: any PixelMemory
    ) {
        precondition(!levels.isEmpty, "a bitmap without a level")
        precondition((format == .planes) == (chroma != nil), "planes without their format")
        let available = unsafe memory.bytes.count
        for level in levels {
            precondition(
                !level.size.isEmpty && level.offset >= 0
                    && level.stride >= level.size.width * format.bytesPerPixel
                    && level.endOfSamples <= available,
                "a bitmap level outside its memory")
            precondition(
                (format == .planes) == level.hasChroma, "a chroma plane outside its memory")
        }
        self.size = size
        self.format = format
        self.chroma = chroma
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
        levels[Self.index(for: scale, in: levels, of: size)]
    }

    private static func index(for scale: Double, in levels: [Level], of size: PixelSize) -> Int {
        levels.lastIndex { Double($0.size.width) >= scale * Double(size.width) } ?? 0
    }

    /// The index of the level for a picture of `size` pixels that is shown as large as it fits into
    /// `target`, but not enlarged.
    package static func index(
        fitting target: PixelSize, in levels: [Level], of size: PixelSize
    ) -> Int {
        index(for: scale(of: size, fitting: target), in: levels, of: size)
    }

    private static func scale(of size: PixelSize, fitting target: PixelSize) -> Double {
        let (width, height) = (Double(size.width), Double(size.height))
        return min(1, Double(target.width) / width, Double(target.height) / height)
    }

    /// Whether the finest level has the pixels to show the picture as large as it fits into `target`, but not
    /// enlarged.
    package func fills(_ target: PixelSize) -> Bool {
        Double(levels[0].size.width)
            >= Self.scale(of: size, fitting: target) * Double(size.width)
    }
}

extension Bitmap.Level {
    /// The end of the bytes that kernels read: pixels, or the rows of planes with their padding.
    fileprivate var endOfSamples: Int {
        chroma == nil ? offset + stride * (size.height - 1) + size.width * 4 : end
    }

    /// Whether there is a chroma plane, and both planes have rows that kernels may read to the end of
    /// their strides.
    fileprivate var hasChroma: Bool {
        guard let chroma else { return false }
        return !chroma.size.isEmpty && chroma.offset >= 0 && chroma.stride >= chroma.size.width * 2
            && stride.isMultiple(of: 64) && chroma.stride.isMultiple(of: 64)
    }

    /// Largest ratio of `scale` to the scale of a three-quarter level that is used: nearer to 1:1,
    /// interpolation would blur it, and the finer level costs little more.
    private static let largestRatio = 0.9

    /// Whether this level has enough pixels for `scale` pixels per picture pixel, and fewer than
    /// `other`.
    fileprivate func isPreferable(at scale: Double, to other: Bitmap.Level) -> Bool {
        self.scale * Self.largestRatio >= scale && self.scale < other.scale
    }
}
