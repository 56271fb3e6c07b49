/// Reads the directories of a TIFF structure, believing nothing.
///
/// Source: TIFF 6.0, section 2. It never follows a pointer by itself: who reads says how far it goes,
/// so that directories which point to themselves are no loop.
struct TIFFReader {
    struct Entry {
        var type: Int
        var count: Int
        /// Where its value is, or the offset of its value.
        var place: Int
    }

    private let bytes: UnsafeRawBufferPointer
    let isLittle: Bool
    /// Where the first directory is.
    let start: Int

    /// More entries than this no camera writes.
    private static let mostEntries = 1024
    private static let (ascii, short, long, directory) = (2, 3, 4, 13)
    /// Bytes of a value by its type, from 1 on.
    private static let sizes = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]

    init?(_ bytes: UnsafeRawBufferPointer) {
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
        for place in 0..<size {
            value = value << 8 | Int(bytes[offset + (isLittle ? size - 1 - place : place)])
        }
        return value
    }

    private func number(_ offset: Int, _ size: Int) -> Int? {
        Self.number(bytes, isLittle, offset, size)
    }

    /// The entries of a directory by their tags; of two with the same tag the first counts.
    func directory(at offset: Int) -> [Int: Entry] {
        guard let count = number(offset, 2) else { return [:] }
        var entries: [Int: Entry] = [:]
        for index in 0..<min(count, Self.mostEntries) {
            let place = offset + 2 + index * 12
            guard let tag = number(place, 2), let type = number(place + 2, 2),
                let count = number(place + 4, 4)
            else { break }
            if entries[tag] == nil {
                entries[tag] = Entry(type: type, count: count, place: place + 8)
            }
        }
        return entries
    }

    /// Where the directory after the one at `offset` is; nil where there is none.
    func next(after offset: Int) -> Int? {
        guard let count = number(offset, 2), let next = number(offset + 2 + count * 12, 4),
            next > 0
        else { return nil }
        return next
    }

    func short(_ entry: Entry) -> Int? {
        entry.type == Self.short ? number(entry.place, 2) : nil
    }

    func long(_ entry: Entry) -> Int? {
        entry.type == Self.long ? number(entry.place, 4) : nil
    }

    /// The first of an entry's shorts or longs (or offsets, which are such).
    func numbers(_ entry: Entry, limit: Int) -> [Int] {
        let size = entry.type == Self.short ? 2 : 4
        let count = min(max(entry.count, 0), limit)
        guard entry.type == Self.short || entry.type == Self.long || entry.type == Self.directory,
            let place = entry.count * size <= 4 ? entry.place : number(entry.place, 4)
        else { return [] }
        return (0..<count).compactMap { number(place + $0 * size, size) }
    }

    /// A short text without its ending zeros.
    func text(_ entry: Entry) -> [UInt8]? {
        guard entry.type == Self.ascii, (5...64).contains(entry.count),
            let offset = number(entry.place, 4), offset + entry.count <= bytes.count
        else { return nil }
        return Array(bytes[offset..<(offset + entry.count)].prefix { $0 != 0 })
    }

    /// The bytes of a value, as many of them as are at most `limit`; none where they lie outside.
    func value(_ entry: Entry, limit: Int = .max) -> UnsafeRawBufferPointer? {
        guard Self.sizes.indices.contains(entry.type - 1) else { return nil }
        let size = Self.sizes[entry.type - 1]
        let length = size * entry.count
        guard length > 0 else { return nil }
        let offset = length <= 4 ? entry.place : number(entry.place, 4)
        guard let offset, offset <= bytes.count, length <= bytes.count - offset else { return nil }
        let kept = min(length, limit / size * size)
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + kept)])
    }

    /// How many bytes each of an entry's numbers has.
    func size(of entry: Entry) -> Int { Self.sizes[entry.type - 1] }
}
