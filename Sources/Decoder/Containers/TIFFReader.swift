/// Reads the directories of a TIFF structure from an untrusted file.
///
/// The reader follows no offset from directory to directory by itself. The caller limits how far to
/// go, so that directories that refer to themselves cause no endless loop. Sources: TIFF 6.0,
/// section 2; Adobe PageMaker 6.0 TIFF technical notes, 1 (the type IFD).
package struct TIFFReader {
    /// An entry of a directory.
    package struct Entry {
        /// The type of the elements, from 1 on.
        package var type: Int
        /// The number of elements.
        package var count: Int
        /// The offset of the value field, which has the value or the value's offset.
        var place: Int
    }

    private let bytes: UnsafeRawBufferPointer
    /// Whether numbers are little-endian.
    package let isLittle: Bool
    /// The offset of the first directory.
    package let start: Int

    /// Maximum number of entries that are read of a directory; no camera writes more.
    private static let mostEntries = 1024
    private static let (ascii, short, long, directory) = (2, 3, 4, 13)
    /// Bytes of one element of a value, by its type from 1 on.
    private static let sizes = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

    /// Reads the header of bytes that outlive the reader; nil if they are no TIFF structure.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0x49, 0x49): isLittle = true
        case (0x4D, 0x4D): isLittle = false
        default: return nil
        }
        self.bytes = bytes
        guard Self.number(bytes, isLittle, 2, 2) == 42,
            let start = Self.number(bytes, isLittle, 4, 4)
        else { return nil }
        self.start = start
    }

    private static func number(
        _ bytes: UnsafeRawBufferPointer, _ isLittle: Bool, _ offset: Int, _ size: Int
    ) -> Int? {
        guard offset >= 0, offset + size <= bytes.count else { return nil }
        var value = 0
        for index in 0..<size {
            value = value << 8 | Int(bytes[offset + (isLittle ? size - 1 - index : index)])
        }
        return value
    }

    private func number(_ offset: Int, _ size: Int) -> Int? {
        Self.number(bytes, isLittle, offset, size)
    }

    /// The entries of a directory by their tags; of several with the same tag, the first.
    package func directory(at offset: Int) -> [Int: Entry] {
        guard let count = number(offset, 2) else { return [:] }
        var entries: [Int: Entry] = [:]
        for index in 0..<min(count, Self.mostEntries) {
            let start = offset + 2 + index * 12
            guard let tag = number(start, 2), let type = number(start + 2, 2),
                let count = number(start + 4, 4)
            else { break }
            if entries[tag] == nil {
                entries[tag] = Entry(type: type, count: count, place: start + 8)
            }
        }
        return entries
    }

    /// The offset of the directory after the one at `offset`; nil if there is none.
    package func next(after offset: Int) -> Int? {
        guard let count = number(offset, 2), let next = number(offset + 2 + count * 12, 4),
            next > 0
        else { return nil }
        return next
    }

    /// A value of one SHORT; nil for others.
    package func short(_ entry: Entry) -> Int? {
        entry.type == Self.short ? number(entry.place, 2) : nil
    }

    /// A value of one LONG, or of the type IFD for the offset of a directory; nil for others.
    package func long(_ entry: Entry) -> Int? {
        entry.type == Self.long || entry.type == Self.directory ? number(entry.place, 4) : nil
    }

    /// The first `limit` elements of a value of type SHORT, LONG or IFD; none for other types.
    package func numbers(_ entry: Entry, limit: Int) -> [Int] {
        let size = entry.type == Self.short ? 2 : 4
        let count = min(max(entry.count, 0), limit)
        guard entry.type == Self.short || entry.type == Self.long || entry.type == Self.directory,
            let offset = entry.count * size <= 4 ? entry.place : number(entry.place, 4)
        else { return [] }
        return (0..<count).compactMap { number(offset + $0 * size, size) }
    }

    /// An ASCII value of 5 to 64 bytes up to its first zero; nil for others.
    package func text(_ entry: Entry) -> [UInt8]? {
        guard entry.type == Self.ascii, (5...64).contains(entry.count),
            let offset = number(entry.place, 4), offset + entry.count <= bytes.count
        else { return nil }
        return Array(bytes[offset..<(offset + entry.count)].prefix { $0 != 0 })
    }

    /// The bytes of a value, at most `limit` of them; nil if the value is not inside the file.
    ///
    /// The bytes are cut to whole elements.
    package func value(_ entry: Entry, limit: Int = .max) -> UnsafeRawBufferPointer? {
        guard Self.sizes.indices.contains(entry.type - 1) else { return nil }
        let size = Self.sizes[entry.type - 1]
        let length = size * entry.count
        guard length > 0 else { return nil }
        let offset = length <= 4 ? entry.place : number(entry.place, 4)
        guard let offset, offset <= bytes.count, length <= bytes.count - offset else { return nil }
        let kept = min(length, limit / size * size)
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + kept)])
    }

    /// Bytes of one element of an entry's value.
    package func size(of entry: Entry) -> Int { Self.sizes[entry.type - 1] }
}
