/// The pages of a TIFF or BigTIFF file.
///
/// Sources: TIFF 6.0, sections 2 and 8 (NewSubfileType, SubfileType); Aware Systems, "BigTIFF".
package struct TIFFPages {
    private let bytes: UnsafeRawBufferPointer
    private let isLittle: Bool
    /// Bytes of an offset and of a value field; the number of entries of a directory has as many, or two.
    private let offsetSize: Int
    private var isBig: Bool { offsetSize == 8 }

    private static let most = 4096
    private static let mostEntries = 1024
    private static let (subfile, oldSubfile) = (254, 255)

    /// The number of directories that are neither reduced copies nor masks of others; 0 for other data.
    package static func count(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let pages = TIFFPages(bytes) else { return 0 }
        var next = pages.number(pages.isBig ? 8 : 4, pages.offsetSize)
        var seen: Set<Int> = []
        var count = 0
        while let directory = next, directory > 0, seen.count < most,
            seen.insert(directory).inserted, let entries = pages.entries(at: directory)
        {
            if pages.isPage(directory, entries) { count += 1 }
            let end = pages.place(of: entries, in: directory)
            next = pages.number(end, pages.offsetSize)
        }
        return count
    }

    private init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 else { return nil }
        switch Array(bytes[..<4]) {
        case [0x49, 0x49, 42, 0]: (isLittle, offsetSize) = (true, 4)
        case [0x4D, 0x4D, 0, 42]: (isLittle, offsetSize) = (false, 4)
        case [0x49, 0x49, 43, 0]: (isLittle, offsetSize) = (true, 8)
        case [0x4D, 0x4D, 0, 43]: (isLittle, offsetSize) = (false, 8)
        default: return nil
        }
        self.bytes = bytes
    }

    private func number(_ offset: Int, _ size: Int) -> Int? {
        guard let part = bytes.part(at: offset, length: size) else { return nil }
        var value: UInt64 = 0
        for index in 0..<size {
            value = value << 8 | UInt64(part[isLittle ? size - 1 - index : index])
        }
        return Int(exactly: value)
    }

    /// The number of entries of the directory at an offset.
    private func entries(at directory: Int) -> Int? {
        number(directory, isBig ? 8 : 2).flatMap { $0 <= bytes.count ? $0 : nil }
    }

    /// The offset of an entry.
    private func place(of entry: Int, in directory: Int) -> Int {
        directory + (isBig ? 8 + 20 * entry : 2 + 12 * entry)
    }

    private func isPage(_ directory: Int, _ entries: Int) -> Bool {
        for entry in 0..<min(entries, Self.mostEntries) {
            let place = place(of: entry, in: directory)
            guard let tag = number(place, 2), let type = number(place + 2, 2),
                let value = number(place + 4 + offsetSize, type == 3 ? 2 : 4)
            else { break }
            // Bit 0: a reduced copy. Bit 2: a mask.
            if tag == Self.subfile { return value & 5 == 0 }
            if tag == Self.oldSubfile { return value != 2 }
        }
        return true
    }
}
