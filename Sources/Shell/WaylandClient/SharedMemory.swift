import CLinux
import Glibc

/// Memory shared with the compositor: a sealed memfd, mapped for the lifetime of the object.
// Sendable: base and length are constant, the mapping lives as long as the last reference, and only
// the holder of the frame writes the contents; `prefault` does not change them.
final class SharedMemory: @unchecked Sendable {
    let length: Int
    let descriptor: Int32
    let base: UnsafeMutableRawPointer

    /// Allocates zeroed memory, sealed against resizing, so that the compositor can rely on its
    /// size.
    init(length: Int) throws(FrameError) {
        descriptor = clinux_memfd_create("vitrine-frames")
        guard descriptor >= 0 else { throw .noMemory(errno: errno) }
        guard ftruncate(descriptor, length) == 0, clinux_add_seals(descriptor, 1, 0) == 0,
            let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            base != MAP_FAILED
        else {
            let code = errno
            close(descriptor)
            throw .noMemory(errno: code)
        }
        self.base = base
        self.length = length
    }

    deinit {
        munmap(base, length)
        close(descriptor)
    }

    /// Prefaults the first `length` bytes without changing them; may be called on any thread.
    func prefault(length: Int) {
        guard (0...self.length).contains(length) else { return }
        // A hint, supported by Linux 5.14 and later.
        _ = clinux_populate(descriptor, 0, base, length)
    }
}
