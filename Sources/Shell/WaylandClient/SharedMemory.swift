import CLinux
import Glibc

/// Memory that the compositor reads too: a sealed memfd, mapped for as long as the object lives.
// Sendable: base and length never change, the mapping goes with the last reference, and what is in
// it is written by the one who holds the frame, with `prefault` leaving the contents as they are.
final class SharedMemory: @unchecked Sendable {
    let length: Int
    let descriptor: Int32
    let base: UnsafeMutableRawPointer

    /// Zeroed memory that neither shrinks nor grows, so that the compositor can rely on it.
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

    /// Makes the memory's first bytes present without changing them, on any thread.
    func prefault(length: Int) {
        guard (0...self.length).contains(length) else { return }
        // A hint, for kernels from 5.14 on.
        _ = clinux_populate(descriptor, 0, base, length)
    }
}
