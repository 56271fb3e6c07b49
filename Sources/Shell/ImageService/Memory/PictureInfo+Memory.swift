package import Geometry
package import ImageTypes
import ImageWire

extension PictureInfo {
    /// The mip level at which a tiled JPEG has its overview.
    private static let overviewMipLevel = 3
    /// The most pixels of the overview of a disk-backed picture.
    private static let overviewPixels = 24_000_000

    /// Bytes of the picture in memory with all mip levels.
    package var wholeBytes: Int { Self.bytes(size, from: 0) }

    /// Bytes of what is decoded of the picture at first: the overview of a tiled picture, or else the
    /// whole picture.
    ///
    /// `target` is the size at which the picture is shown, in device pixels; nil if unknown.
    package func bytes(target: PixelSize?) -> Int {
        guard isTiled else { return wholeBytes }
        if backingFileBytes > 0 {
            var mipLevel = 0
            while size.reduced(by: mipLevel).isLarger(than: Self.overviewPixels) { mipLevel += 1 }
            return Self.bytes(size, from: mipLevel)
        }
        // A drawing is rendered for the surface.
        if detail > 0 { return Self.bytes(target ?? size, from: 0) }
        return Self.bytes(size, from: Self.overviewMipLevel)
    }

    private static func bytes(_ size: PixelSize, from mipLevel: Int) -> Int {
        PixelLayout.end(of: PixelLayout.levels(of: size, from: mipLevel))
    }
}
