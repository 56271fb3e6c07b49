import CLinux
import Glibc
import ImageWire

/// A file that a decoder wrote, in memory that no process can change any more.
package final class SealedFile: Sendable {
    /// Open for reading, and closed with the object.
    package let descriptor: Int32
    /// The length of the file in bytes.
    package let length: Int

    /// Takes over a memfd; the descriptor is closed if it is not sealed or has an invalid size.
    init(taking descriptor: Int32) throws(WireError) {
        var info = stat()
        guard clinux_is_sealed(descriptor) != 0, fstat(descriptor, &info) == 0,
            info.st_size > 0, info.st_size <= EditReply.largestFile
        else {
            close(descriptor)
            throw WireError()
        }
        self.descriptor = descriptor
        length = Int(info.st_size)
    }

    deinit { close(descriptor) }
}
