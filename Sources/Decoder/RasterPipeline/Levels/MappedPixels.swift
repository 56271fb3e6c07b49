import Glibc
package import ImageWire

/// The sealed pixels of a decoded picture, mapped for reading.
package final class MappedPixels {
    package let header: PixelHeader
    /// The header and all levels.
    package let bytes: UnsafeRawBufferPointer

    /// Maps the memory with this descriptor, which the caller keeps; nil for memory that is not that of pixels.
    package init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size >= PixelHeader.length,
            let base = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
            base != MAP_FAILED
        else { return nil }
        let bytes = UnsafeRawBufferPointer(start: base, count: Int(status.st_size))
        guard
            let header = try? PixelHeader(
                checking: Array(bytes.prefix(PixelHeader.length)), memoryLength: bytes.count)
        else {
            munmap(base, bytes.count)
            return nil
        }
        (self.header, self.bytes) = (header, bytes)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}
