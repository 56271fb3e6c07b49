package import Geometry
package import ImageTypes

/// Where the levels of a picture lie in the memory, or in the file, that it is decoded into: after the
/// page of the header, from the finest on.
package enum PixelLayout {
    private static let alignment = 64
    /// The coarsest level has no side longer than this, in pixels.
    package static let smallestSide = 64

    /// The levels of a picture of this size, in pixels, from the one that is halved `exponent` times on.
    package static func levels(
        of size: PixelSize, from exponent: Int = 0, smallestSide: Int = smallestSide
    ) -> [Bitmap.Level] {
        var levels: [Bitmap.Level] = []
        var offset = PixelHeader.length
        var current = exponent
        while true {
            let reduced = size.reduced(by: current)
            let stride = Bitmap.Level.stride(ofWidth: reduced.width)
            levels.append(
                Bitmap.Level(exponent: current, size: reduced, stride: stride, offset: offset))
            offset += stride * reduced.height
            if max(reduced.width, reduced.height) <= smallestSide { return levels }
            current += 1
        }
    }

    /// Where they end, in bytes from the start of the memory.
    package static func end(of levels: [Bitmap.Level]) -> Int {
        levels.last.map { $0.offset + $0.stride * $0.size.height } ?? 0
    }

    /// Bytes, rounded up to what memories are multiples of.
    package static func aligned(_ bytes: Int) -> Int {
        (bytes + alignment - 1) / alignment * alignment
    }

    /// Bytes of a file for all levels of a picture that is laid on the disk, and for `scratch` bytes of
    /// each of its pixels behind them; nil where that is more than any may take.
    package static func room(for size: PixelSize, scratch: Int = 0) -> Int? {
        guard !size.isLarger(than: PictureLimits.spilledPixels) else { return nil }
        let behind = scratch * size.width * size.height
        let room =
            behind == 0 ? aligned(end(of: levels(of: size))) : scratchOffset(of: size) + behind
        return room <= PictureLimits.spilledBytes ? room : nil
    }

    /// Where scratch begins in that file: on a page of its own, however large the system's are.
    package static func scratchOffset(of size: PixelSize) -> Int {
        let page = 1 << 16
        return (end(of: levels(of: size)) + page - 1) / page * page
    }
}
