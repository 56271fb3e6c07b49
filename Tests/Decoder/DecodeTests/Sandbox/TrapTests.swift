import CLinux
import Glibc
import Testing

/// Tests of faults that end the process; they run on their own.
@Suite struct TrapTests {
    /// After the unmapping, a fault at the same address raises SIGBUS again.
    @Test func faultsAfterUnmappingRaiseSIGBUS() async {
        await #expect(processExitsWith: .signal(SIGBUS)) {
            let file = Decoding.file([UInt8](repeating: 7, count: 3 << 20))
            _ = clinux_map_file(file, 3 << 20)
            clinux_unmap_file()
            // The kernel most likely reuses the address.
            let base = mmap(nil, 1 << 20, PROT_READ, MAP_PRIVATE, file, 0)
            ftruncate(file, 0)
            _ = base?.load(as: UInt8.self)
        }
    }
}
