import Containers
import Testing

/// The pages of TIFF and BigTIFF files.
@Suite struct TIFFPageTests {
    struct Kind: Sendable, CustomStringConvertible {
        var isLittle: Bool
        var isBig: Bool
        var description: String { "\(isLittle ? "II" : "MM") \(isBig ? 43 : 42)" }
    }

    private static let kinds = [false, true].flatMap { isBig in
        [false, true].map { Kind(isLittle: $0, isBig: isBig) }
    }

    private func number(_ value: Int, _ size: Int, _ kind: Kind) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return kind.isLittle ? bytes : bytes.reversed()
    }

    /// A file of directories, each with one entry; the last one leads to the directory at an index.
    private func file(
        _ entries: [(tag: Int, type: Int, value: Int)], _ kind: Kind, last: Int? = nil
    )
        -> [UInt8]
    {
        let size = kind.isBig ? 8 : 4
        let header = kind.isBig ? 16 : 8
        let length = (kind.isBig ? 8 + 20 : 2 + 12) + size
        var file: [UInt8] = kind.isLittle ? [0x49, 0x49] : [0x4D, 0x4D]
        file += number(kind.isBig ? 43 : 42, 2, kind)
        if kind.isBig { file += number(8, 2, kind) + number(0, 2, kind) }
        file += number(entries.isEmpty ? 0 : header, size, kind)
        for (index, entry) in entries.enumerated() {
            file += number(1, kind.isBig ? 8 : 2, kind)
            file += number(entry.tag, 2, kind) + number(entry.type, 2, kind)
            file += number(1, size, kind)
            let value = number(entry.value, entry.type == 3 ? 2 : 4, kind)
            file += value + [UInt8](repeating: 0, count: size - value.count)
            let next = index + 1 < entries.count ? index + 1 : last
            file += number(next.map { header + $0 * length } ?? 0, size, kind)
        }
        return file
    }

    private func count(_ file: [UInt8]) -> Int { file.withUnsafeBytes { TIFFPages.count($0) } }

    @Test(arguments: kinds) func pagesAreCounted(kind: Kind) {
        let page = (tag: 256, type: 3, value: 64)
        #expect(count(file([], kind)) == 0)
        #expect(count(file([page], kind)) == 1)
        #expect(count(file([page, page, page], kind)) == 3)
        // A page of several; a reduced copy, a mask, and a mask of a reduced copy.
        for (value, pages) in [(2, 2), (0, 2), (1, 1), (4, 1), (5, 1)] {
            #expect(count(file([page, (254, 4, value)], kind)) == pages, "\(value)")
        }
        for (value, pages) in [(1, 2), (3, 2), (2, 1)] {
            #expect(count(file([page, (255, 3, value)], kind)) == pages, "\(value)")
        }
    }

    @Test(arguments: kinds) func damagedFilesEnd(kind: Kind) {
        let page = (tag: 256, type: 3, value: 64)
        // A ring counts once.
        #expect(count(file([page, page], kind, last: 0)) == 2)
        let whole = file([page, page, page], kind)
        for length in 0..<whole.count {
            #expect((0...3).contains(count(Array(whole.prefix(length)))))
        }
        for place in 4..<whole.count {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var damaged = whole
                damaged[place] = value
                #expect(count(damaged) >= 0)
            }
        }
    }
}
