import CLinux
import ImageWire
import Geometry
import Glibc
import ImageTypes

/// Pixels that the decoder handed over: memory that nobody can change any more.
///
/// Sendable although it holds a pointer: the mapping is read-only, the file behind it is sealed
/// against writing and shrinking, and it stays until the last reference goes.
package final class SealedMemory: PixelMemory, @unchecked Sendable {
    /// What the first page says, checked.
    private let header: PixelHeader
    private let base: UnsafeMutableRawPointer
    private let length: Int

    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: length)
    }

    /// The same pixels as a PNG where that was asked for, unchecked; else empty.
    package var file: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[header.file])
    }

    /// Maps `descriptor`, which is closed whatever happens; throws where it is not sealed, absurd,
    /// or has a header that does not hold together.
    init(taking descriptor: Int32) throws(WireError) {
        defer { close(descriptor) }
        var info = stat()
        // Private, since before Linux 6.7 a shared mapping of a file sealed against writing is
        // refused even for reading; nothing is ever written, so the pages are the file's own.
        guard clinux_is_sealed(descriptor) != 0, fstat(descriptor, &info) == 0,
            info.st_size >= PixelHeader.length, info.st_size <= PixelHeader.longestMemory,
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

    deinit { munmap(base, length) }

    /// The part of a picture in the memory, which has to be the one that was asked for.
    func bitmap(of info: PictureInfo, part: PicturePart) throws(WireError) -> Bitmap {
        guard header.size.width == part.rect.width, header.size.height == part.rect.height,
            header.orientation == info.orientation, header.levels[0].exponent == 0
        else { throw WireError() }
        return Bitmap(
            size: header.size, format: header.format, levels: header.levels, memory: self)
    }

    /// The picture in the memory, which has to be the one that was announced, or its thumbnail.
    func bitmap(of info: PictureInfo, as thumbnail: ThumbnailRequest?) throws(WireError) -> Bitmap {
        let size = thumbnail?.size(of: info.size) ?? info.size
        guard header.size == size, header.orientation == info.orientation else {
            throw WireError()
        }
        return Bitmap(
            size: header.size, format: header.format, levels: header.levels, memory: self)
    }
}
