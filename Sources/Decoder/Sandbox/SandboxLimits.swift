import CLinux
import ImageWire
import Glibc
import ImageTypes

/// How much a locked-in process may take.
package struct SandboxLimits: Sendable {
    /// Bytes of address space, of all kinds of memory.
    package var addressSpace: Int
    /// Bytes of memory of its own that it can write: heap, stacks, but not shared memory.
    package var data: Int
    /// Bytes of a file, and so of a memfd.
    package var file: Int
    /// Seconds of processor time, of all threads in all of its life.
    package var processorSeconds: Int
    /// Descriptors open at once.
    package var descriptors: Int
    /// Threads at once, where they can be counted.
    package var threads: Int

    /// What the largest picture of any format takes, and no more.
    ///
    /// Half a gigapixel has 3 GiB of pixels with their reductions, and up to 8 inside the decoder; one
    /// that lies on the disk has up to 8 of file and 16 of pixels and samples on their way, all mapped,
    /// but not of both. What there is no memory for must fail in the decoder, before the machine comes to
    /// a stand.
    package static var decoder: SandboxLimits {
        let installed =
            max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))
        return SandboxLimits(
            addressSpace: 24 << 30, data: max(2 << 30, installed), file: PixelHeader.longestMemory,
            // The viewer replaces one that is past `freshSeconds` before it gets another picture, so
            // that none dies of what those before it took.
            processorSeconds: DecoderAge.freshSeconds + PictureLimits.seconds
                * Int(clinux_processor_count()),
            descriptors: 64, threads: 1024)
    }
}
