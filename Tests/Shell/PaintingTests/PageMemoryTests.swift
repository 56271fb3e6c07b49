import Glibc
import Testing

@testable import Painting

@Suite struct PageMemoryTests {
    /// A heap would keep the block: it keeps blocks of up to 32 MiB once a larger one was freed.
    @Test func memoryReturnsToTheSystem() {
        free(malloc(30 << 20))
        // Another thread may map the same addresses at once, but hardly each time.
        let wereUnmapped = (0..<5).map { _ in
            let base: UnsafeMutableRawPointer
            do {
                guard let memory = PageMemory(bytes: 8 << 20) else { return false }
                memset(memory.base, 1, memory.length)
                base = memory.base
            }
            var page: UInt8 = 0
            return mincore(base, 4096, &page) != 0
        }
        #expect(wereUnmapped.contains(true))
    }

    @Test(arguments: [
        0, 1, 4095, 4096, 4097, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, (6 << 20) + 4097,
    ])
    func eachByteCanBeWritten(_ bytes: Int) {
        guard let memory = PageMemory(bytes: bytes) else {
            Issue.record("no memory")
            return
        }
        #expect(memory.length == max(bytes, 1))
        let contents = UnsafeRawBufferPointer(start: memory.base, count: memory.length)
        #expect(contents.allSatisfy { $0 == 0 })
        memset(memory.base, 255, memory.length)
        if bytes >= 2 << 20 { #expect(UInt(bitPattern: memory.base).isMultiple(of: 2 << 20)) }
    }

    @Test(arguments: [Int.max, Int.max - (1 << 20), 1 << 60])
    func impossibleSizesAreRefused(_ bytes: Int) {
        let isRefused = PageMemory(bytes: bytes) == nil
        #expect(isRefused)
    }
}
