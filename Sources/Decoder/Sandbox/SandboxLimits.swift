import CLinux
import ImageWire
import Glibc
import ImageTypes

/// Resource limits of a sandboxed process.
package struct SandboxLimits: Sendable {
    /// Bytes of address space, for all kinds of memory.
    package var addressSpace: Int
    /// Bytes of private writable memory: heap and stacks, but not shared memory.
    package var data: Int
    /// The largest file in bytes; it also applies to a memfd.
    package var file: Int
    /// Seconds of processor time of all threads, over the lifetime of the process.
    package var processorSeconds: Int
    /// The number of open descriptors, and of all descriptors of the user that wait in sockets while the
    /// process sends one.
    package var descriptors: Int
    /// The number of threads, if the kernel can count them per namespace (Linux 5.14 and later).
    package var threads: Int

    /// Limits that suffice for the largest picture of any format.
    ///
    /// Half a gigapixel takes 3 GiB for its mip levels, and up to 8 GiB inside the decoder. A disk-backed
    /// picture has up to 8 GiB of input file and up to 16 GiB of pixels and intermediate samples, all
    /// mapped, but never both maxima. A picture that needs more memory than is installed must fail in the
    /// decoder, before the whole machine runs out of memory.
    package static var decoder: SandboxLimits {
        let installed =
            max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))
        return SandboxLimits(
            addressSpace: 24 << 30, data: max(2 << 30, installed), file: PixelHeader.longestMemory,
            processorSeconds: PictureLimits.seconds * Int(clinux_processor_count()),
            descriptors: 256, threads: 1024)
    }
}
