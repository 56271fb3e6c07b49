import CLinux
import ImageWire
import Geometry
import Glibc
package import ImageTypes
import Localization

/// Zero-filled scratch memory for the decoded samples of a whole picture.
///
/// It is either anonymous memory, or the part of a disk-backed picture's file after the levels.
package final class ScratchMemory {
    /// The first byte; the alignment is that of a page.
    package let base: UnsafeMutableRawPointer
    private let length: Int
    private let isOnDisk: Bool

    /// Allocates anonymous memory.
    package init(bytes: Int) throws(DecodeFailure) {
        (length, isOnDisk) = (max(bytes, 1), false)
        base = try Self.map(length, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // Huge pages take less time for page faults.
        madvise(base, length, MADV_HUGEPAGE)
    }

    /// Maps `bytesPerPixel` bytes for each pixel of `size` in the disk file of a picture.
    ///
    /// The file has at least `PixelLayout.backingFileBytes(for:scratch:)` bytes. The caller keeps the
    /// descriptor.
    init(
        _ bytesPerPixel: Int, for size: PixelSize, in backingFile: Int32
    ) throws(DecodeFailure) {
        (length, isOnDisk) = (bytesPerPixel * size.width * size.height, true)
        let start = PixelLayout.scratchOffset(of: size)
        var status = stat()
        guard length > 0, fstat(backingFile, &status) == 0, status.st_size >= start + length else {
            throw .unreadable(reason: localized("there is no room on the disk for it"))
        }
        base = try Self.map(length, MAP_SHARED, backingFile, start)
    }

    deinit { munmap(base, length) }

    private static func map(
        _ length: Int, _ flags: Int32, _ descriptor: Int32, _ offset: Int
    ) throws(DecodeFailure) -> UnsafeMutableRawPointer {
        guard let base = mmap(nil, length, PROT_READ | PROT_WRITE, flags, descriptor, offset),
            base != MAP_FAILED
        else { throw .unreadable(reason: localized("there is not enough memory")) }
        return base
    }

    /// Releases resident pages of scratch memory on the disk, while other threads may use it.
    func releasePages() {
        if isOnDisk { clinux_release_pages(base, length) }
    }
}
