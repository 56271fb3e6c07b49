package import Geometry
import Glibc
import ImageTypes
import ImageWire

/// Copies the coarse mip levels of decoded pictures.
///
/// A picture that is decoded ahead is held at the size of the screen. All formats are decoded whole and
/// reduced alike, so the copied levels have the same pixels as those of the whole picture.
package enum CoarseLevels {
    /// A copy of the levels that show a picture as large as it fits into `target`.
    ///
    /// `memory` is the descriptor of sealed pixels without a copy in sRGB. The caller owns the returned
    /// descriptor. Nil if no level is finer than that, and without memory.
    package static func copy(of memory: Int32, covering target: PixelSize) -> Int32? {
        guard let pixels = MappedPixels(memory), let base = pixels.bytes.baseAddress,
            pixels.header.sRGBCopy == nil
        else { return nil }
        defer { withExtendedLifetime(pixels) {} }
        let header = pixels.header
        let first = Bitmap.index(fitting: target, in: header.levels, of: header.size)
        guard first > 0 else { return nil }
        return try? copy(header, from: first, at: base)
    }

    private static func copy(
        _ header: PixelHeader, from first: Int, at base: UnsafeRawPointer
    ) throws(DecodeFailure) -> Int32 {
        let levels = header.levels[first...]
        let store = try PixelStore(
            size: header.size, from: header.levels[first].mipLevel, chroma: header.chroma)
        for (source, target) in zip(levels, store.levels) {
            store.write(source.stride * source.size.height, at: target.offset, base + source.offset)
            guard let chroma = source.chroma, let place = target.chroma else { continue }
            // Levels may share a chroma plane, which is then written again.
            store.write(chroma.stride * chroma.size.height, at: place.offset, base + chroma.offset)
        }
        return try store.seal(as: header.format, orientation: header.orientation)
    }
}
