import CLinux
import DecodeWire
import Glibc
import Pictures

/// Pixels that the decoder handed over: memory that nobody can change any more.
///
/// Sendable although it holds a pointer: the mapping is read-only, the file behind it is sealed
/// against writing and shrinking, and it stays until the last reference goes.
final class SealedMemory: PixelMemory, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let length: Int

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: length) }

    /// Maps `descriptor`, which is closed whatever happens; nil where it is not sealed or absurd.
    init?(taking descriptor: Int32) {
        defer { close(descriptor) }
        var info = stat()
        guard clinux_is_sealed(descriptor) != 0, fstat(descriptor, &info) == 0,
            info.st_size >= PixelHeader.length, info.st_size <= Self.longest,
            let base = mmap(nil, Int(info.st_size), PROT_READ, MAP_SHARED, descriptor, 0),
            base != MAP_FAILED
        else { return nil }
        self.base = base
        length = Int(info.st_size)
    }

    deinit { munmap(base, length) }

    /// All levels of the largest picture, and a profile.
    private static let longest = PictureLimits.pixels * 6

    /// The picture in the memory, if its header holds together.
    func bitmap() throws(WireError) -> Bitmap {
        let header = try PixelHeader(
            checking: Array(bytes.prefix(PixelHeader.length)), memoryLength: length)
        return Bitmap(
            size: header.size, format: header.format, levels: header.levels, memory: self)
    }
}
