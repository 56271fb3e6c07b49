import Glibc
import ImageTypes

/// Pixels between two inaccessible guard pages, next to the first or to the last of them.
///
/// `@unchecked Sendable`: written once, before it is shared.
final class GuardedMemory: PixelMemory, @unchecked Sendable {
    enum End: CaseIterable {
        case first, last

        static func random(using random: inout some RandomNumberGenerator) -> Self {
            allCases.randomElement(using: &random) ?? .first
        }
    }

    private let base: UnsafeMutableRawPointer
    private let length: Int
    let bytes: UnsafeRawBufferPointer

    init(_ pixels: [UInt32], at end: End) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let needed = pixels.count * 4
        let room = (needed + page - 1) / page * page
        length = room + 2 * page
        guard
            let base = mmap(
                nil, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), base != MAP_FAILED,
            mprotect(base + page, room, PROT_READ | PROT_WRITE) == 0
        else { fatalError("cannot allocate memory for a test") }
        self.base = base
        let start = base + page + (end == .first ? 0 : room - needed)
        pixels.withUnsafeBytes { pixels in
            UnsafeMutableRawBufferPointer(start: start, count: needed).copyMemory(from: pixels)
        }
        mprotect(base + page, room, PROT_READ)
        bytes = UnsafeRawBufferPointer(start: start, count: needed)
    }

    deinit { munmap(base, length) }
}
