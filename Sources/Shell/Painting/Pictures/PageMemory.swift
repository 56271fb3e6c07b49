import Glibc

/// Zero-filled memory in pages of its own, which return to the system when the value is destroyed.
///
/// The heap of a process keeps large blocks that are freed on one thread for later blocks of that thread.
/// A slideshow of a day, whose pixels come from many threads, would hold a frame for each of them.
struct PageMemory: ~Copyable {
    let base: UnsafeMutableRawPointer
    let length: Int

    private static let largePage = 2 << 20

    /// Maps at least one byte; nil without memory.
    ///
    /// Memory of at least 2 MiB begins at a multiple of 2 MiB and has large pages if possible, since page
    /// faults take longer than painting.
    init?(bytes: Int) {
        length = max(bytes, 1)
        guard length >= Self.largePage else {
            guard let memory = Self.map(length) else { return nil }
            base = memory
            return
        }
        let (reserved, isTooLong) = length.addingReportingOverflow(Self.largePage)
        guard !isTooLong, let memory = Self.map(reserved) else { return nil }
        let start = memory.alignedUp(toMultipleOf: Self.largePage)
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let end = (start + length).alignedUp(toMultipleOf: page)
        if start > memory { munmap(memory, start - memory) }
        if memory + reserved > end { munmap(end, memory + reserved - end) }
        madvise(start, length, MADV_HUGEPAGE)
        base = start
    }

    deinit { munmap(base, length) }

    private static func map(_ length: Int) -> UnsafeMutableRawPointer? {
        let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return memory == MAP_FAILED ? nil : memory
    }
}
