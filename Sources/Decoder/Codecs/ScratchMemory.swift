import CLinux
import ImageWire
import Geometry
import Glibc
import ImageTypes

/// Zeros for all samples of a picture on their way from a library to rows: in memory, or behind the
/// levels of a picture that is laid on the disk.
final class ScratchMemory {
    let base: UnsafeMutableRawPointer
    private let length: Int
    private let isOnDisk: Bool

    /// In memory of the process.
    init(bytes: Int) throws(DecodeFailure) {
        (length, isOnDisk) = (max(bytes, 1), false)
        base = try Self.map(length, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // Fewer and larger pages take less time to come.
        madvise(base, length, MADV_HUGEPAGE)
    }

    /// `bytesPerPixel` bytes for each pixel of `size`, in the file that a picture of that size is laid in
    /// and that has `PixelLayout.room(for:scratch:)`; the descriptor stays the caller's.
    init(
        _ bytesPerPixel: Int, for size: PixelSize, in room: Int32
    ) throws(DecodeFailure) {
        (length, isOnDisk) = (bytesPerPixel * size.width * size.height, true)
        let start = PixelLayout.scratchOffset(of: size)
        var status = stat()
        guard length > 0, fstat(room, &status) == 0, status.st_size >= start + length else {
            throw .unreadable(reason: "there is no room on the disk for it")
        }
        base = try Self.map(length, MAP_SHARED, room, start)
    }

    deinit { munmap(base, length) }

    private static func map(
        _ length: Int, _ flags: Int32, _ descriptor: Int32, _ offset: Int
    ) throws(DecodeFailure) -> UnsafeMutableRawPointer {
        guard let base = mmap(nil, length, PROT_READ | PROT_WRITE, flags, descriptor, offset),
            base != MAP_FAILED
        else { throw .unreadable(reason: "there is not enough memory for it") }
        return base
    }

    /// Gives back the memory of what lies on the disk, while others may use it.
    func relieve() {
        if isOnDisk { clinux_relieve(base, length) }
    }
}
