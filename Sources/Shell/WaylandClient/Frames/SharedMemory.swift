import CLinux
import Glibc
import Synchronization
import SystemCalls

/// Memory shared with the compositor: a sealed memfd, mapped for the lifetime of the object.
///
/// `@unchecked Sendable`: base and length are constant, the mapping lives as long as the last
/// reference, only the holder of the frame writes the contents, `prefault` does not change them, the pool
/// alone gives back the contents of frames that nobody holds, and the count of bytes is atomic.
final class SharedMemory: @unchecked Sendable {
    let length: Int
    let descriptor: Int32
    let base: UnsafeMutableRawPointer
    /// How many of the first bytes cause no page faults any more.
    private let populated = Atomic(0)

    /// Allocates zeroed memory, sealed against resizing, so that the compositor can rely on its
    /// size.
    init(length: Int) throws(FrameError) {
        do throws(SystemError) {
            (descriptor, base) = try Self.allocate(length)
        } catch { throw .noMemory(error) }
        self.length = length
    }

    private static func allocate(
        _ length: Int
    ) throws(SystemError) -> (descriptor: Int32, base: UnsafeMutableRawPointer) {
        let descriptor = try reporting { clinux_memfd_create("vitrine-frames") }
        do throws(SystemError) {
            try reporting { ftruncate(descriptor, length) }
            try reporting { clinux_add_seals(descriptor, 1, 0) }
            return (descriptor, try mapShared(descriptor, length: length))
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        munmap(base, length)
        close(descriptor)
    }

    /// Prefaults the first `length` bytes without changing them; may be called on any thread.
    func prefault(length: Int) {
        let begin = populated.load(ordering: .relaxed)
        guard length > begin, length <= self.length else { return }
        // A hint, supported by Linux 5.14 and later.
        _ = clinux_populate(descriptor, begin, base + begin, length - begin)
        noteWritten(length: length)
    }

    /// Notes that the first `length` bytes were written.
    func noteWritten(length: Int) { populated.max(length, ordering: .relaxed) }

    /// Gives all pages back to the system; the contents are then zero.
    func giveBack() {
        populated.store(0, ordering: .relaxed)
        clinux_give_back(base, length)
    }

    /// Whether pages were written or prefaulted, and not given back.
    var isPopulated: Bool { populated.load(ordering: .relaxed) > 0 }

    /// How many of the first `length` bytes may still cause page faults.
    func missing(length: Int) -> Int { max(length - populated.load(ordering: .relaxed), 0) }
}
