import CLinux
import ImageWire
import Geometry
import Glibc
package import ImageTypes
import Threads

/// Pixels from the decoder, in memory that no process can change any more.
///
/// `@unchecked Sendable`: the mapping is read-only, its memfd is sealed against writing and
/// shrinking, and the mapping exists as long as the object.
package final class SealedMemory: PixelMemory, @unchecked Sendable {
    /// The checked header from the first page.
    private let header: PixelHeader
    private let base: UnsafeMutableRawPointer
    private let length: Int

    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: length)
    }

    /// The picture in sRGB, without mip levels, if that was requested.
    package var sRGBCopy: Bitmap? {
        header.sRGBCopy.map {
            Bitmap(size: header.size, format: header.format, levels: [$0], memory: self)
        }
    }

    /// Maps the memfd `descriptor`, and always closes the descriptor.
    ///
    /// Throws if the memfd is not sealed, has more bytes than pixels within `limits` take, or has an
    /// inconsistent header.
    init(taking descriptor: Int32, _ limits: DecodeLimits = .standard) throws(WireError) {
        defer { close(descriptor) }
        var info = stat()
        // Private, since before Linux 6.7 a shared mapping of a file sealed against writing is
        // refused even for reading. Nothing writes to the mapping, so its pages are not copied.
        let most = min(limits.mostPixelBytes, PixelHeader.longestMemory)
        guard clinux_is_sealed(descriptor) != 0, fstat(descriptor, &info) == 0,
            info.st_size >= PixelHeader.length, info.st_size <= most,
            let base = mmap(nil, Int(info.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
            base != MAP_FAILED
        else { throw WireError() }
        let length = Int(info.st_size)
        do throws(WireError) {
            let page = UnsafeRawBufferPointer(start: base, count: PixelHeader.length)
            header = try PixelHeader(checking: Array(page), memoryLength: length)
        } catch {
            munmap(base, length)
            throw error
        }
        self.base = base
        self.length = length
    }

    deinit { Thread.unmap(base, length) }

    /// Whether the levels are those that an intact decoder makes: all that can be displayed, behind those
    /// that are too large for that.
    private static func hasUsualLayout(_ header: PixelHeader) -> Bool {
        (0...header.levels[0].mipLevel).contains { finest in
            let shown = PixelLayout.levels(of: header.size, chroma: header.chroma, from: finest)
                .filter { $0.size.longestSide <= PictureLimits.side }
            return shown == header.levels
        }
    }

    private var bitmap: Bitmap {
        Bitmap(
            size: header.size, format: header.format, chroma: header.chroma, levels: header.levels,
            memory: self)
    }

    /// The tile of a picture in the memory; throws if the memory does not hold the requested tile.
    func bitmap(of info: PictureInfo, part tile: PictureTile) throws(WireError) -> Bitmap {
        guard header.size.width == tile.rect.width, header.size.height == tile.rect.height,
            header.orientation == info.orientation, header.levels[0].mipLevel == 0,
            header.sRGBCopy == nil, header.format != .planes
        else { throw WireError() }
        return bitmap
    }

    /// The codes of the gain plane of a picture, which have at most the picture's size.
    func gainPlane(of info: PictureInfo) throws(WireError) -> Bitmap {
        guard header.size.width <= info.size.width, header.size.height <= info.size.height,
            header.levels[0].mipLevel == 0, header.format.isOpaque, header.sRGBCopy == nil,
            Self.hasUsualLayout(header)
        else { throw WireError() }
        return bitmap
    }

    /// The picture in the memory, or its thumbnail.
    ///
    /// Throws if size or orientation differ from the announced ones, if a level is missing or lies elsewhere
    /// than an intact decoder puts it, if a thumbnail lacks its finest level, or if a copy in sRGB is there
    /// without a request, or missing, or if there are planes that are not accepted. A frame without its coarse
    /// levels would be painted from the finest one, which takes long.
    func bitmap(
        of info: PictureInfo, as thumbnail: ThumbnailRequest?, acceptsPlanes: Bool
    ) throws(WireError) -> Bitmap {
        let size = thumbnail?.size(of: info.size) ?? info.size
        guard header.size == size, header.orientation == info.orientation,
            thumbnail == nil || header.levels[0].mipLevel == 0,
            Self.hasUsualLayout(header), acceptsPlanes || header.format != .planes,
            (header.sRGBCopy != nil) == (thumbnail?.wantsSRGBCopy ?? false)
        else { throw WireError() }
        return bitmap
    }
}
