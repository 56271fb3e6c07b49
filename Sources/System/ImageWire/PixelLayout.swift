package import Geometry
package import ImageTypes

/// Offsets of the mip levels of a picture in the memfd or the file that receives its pixels.
///
/// The levels follow the page of the header, the finest first.
package enum PixelLayout {
    private static let alignment = 64
    /// The longest side of the coarsest mip level, in pixels.
    package static let smallestSide = 64

    /// The mip levels of a picture of `size` pixels, starting with the level that is halved `mipLevel`
    /// times; levels of planes if `chroma` is not nil.
    package static func levels(
        of size: PixelSize, chroma: ChromaFormat? = nil, from mipLevel: Int = 0,
        smallestSide: Int = smallestSide
    ) -> [Bitmap.Level] {
        let bytesPerPixel = chroma == nil ? 4 : 1
        var levels: [Bitmap.Level] = []
        var offset = PixelHeader.length
        var current = mipLevel
        while true {
            let reduced = size.reduced(by: current)
            let stride = Bitmap.Level.stride(
                ofWidth: reduced.width, bytesPerPixel: bytesPerPixel)
            var level = Bitmap.Level(
                mipLevel: current, size: reduced, stride: stride, offset: offset)
            offset += stride * reduced.height
            if let chroma {
                let plane = chromaPlane(
                    of: size, chroma, mipLevel: current, at: offset, after: levels.last?.chroma)
                level.chroma = plane
                offset = max(offset, plane.offset + plane.stride * plane.size.height)
            }
            levels.append(level)
            if max(reduced.width, reduced.height) <= smallestSide { return levels }
            current += 1
        }
    }

    /// The chroma plane of a level: that of the finer level if it has the same size, else one at `offset`.
    private static func chromaPlane(
        of size: PixelSize, _ format: ChromaFormat, mipLevel: Int, at offset: Int,
        after finer: Bitmap.ChromaPlane?
    ) -> Bitmap.ChromaPlane {
        let samples = format.samples(of: size, at: mipLevel)
        if let finer, mipLevel > 0, format.shifts(at: mipLevel - 1) == format.shifts(at: mipLevel) {
            return finer
        }
        return Bitmap.ChromaPlane(
            size: samples,
            stride: Bitmap.Level.stride(ofWidth: samples.width, bytesPerPixel: 2), offset: offset)
    }

    /// The end of the last mip level, in bytes from the start of the memfd.
    package static func end(of levels: [Bitmap.Level]) -> Int {
        levels.map(\.end).max() ?? 0
    }

    /// A number of bytes, rounded up to a multiple of the alignment.
    package static func aligned(_ bytes: Int) -> Int {
        (bytes + alignment - 1) / alignment * alignment
    }

    /// Bytes of the backing file of a disk-backed picture: all mip levels, then `scratch` bytes per pixel.
    ///
    /// Nil if the picture or the file is larger than the limits allow.
    package static func backingFileBytes(for size: PixelSize, scratch: Int = 0) -> Int? {
        guard !size.isLarger(than: PictureLimits.diskBackedPixels) else { return nil }
        let samples = scratch * size.width * size.height
        let bytes =
            samples == 0 ? aligned(end(of: levels(of: size))) : scratchOffset(of: size) + samples
        return bytes <= PictureLimits.diskBackedBytes ? bytes : nil
    }

    /// The offset of the scratch area in the backing file, in bytes.
    ///
    /// A multiple of 64 KiB, so that the area starts on a page boundary whatever the page size.
    package static func scratchOffset(of size: PixelSize) -> Int {
        let page = 1 << 16
        return (end(of: levels(of: size)) + page - 1) / page * page
    }
}
