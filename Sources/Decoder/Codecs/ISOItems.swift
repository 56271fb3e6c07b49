/// The items of an ISO media file, as their table has them.
///
/// Source: ISO/IEC 14496-12, 8.11.6.
struct ISOItems: Sequence {
    struct Item {
        var number: Int
        /// Four letters.
        var type: String
        /// What comes after that: a name, and what depends on the type.
        var rest: UnsafeRawBufferPointer
    }

    /// A grid has at most so many parts of its own.
    private static let most = 1 << 17

    private let entries: ISOBoxes

    /// Of an iinf box; nil where it makes no sense.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = BigEndianReader(bytes)
        guard let version = reader.number(1), reader.take(3) != nil,
            reader.number(version == 0 ? 2 : 4) != nil
        else { return nil }
        entries = ISOBoxes(reader.rest, most: Self.most)
    }

    /// Those before version 2 are of other kinds of files.
    func makeIterator() -> AnyIterator<Item> {
        let entries = entries.makeIterator()
        return AnyIterator {
            while let box = entries.next() {
                var entry = BigEndianReader(box.body)
                guard box.type == "infe", let version = entry.number(1), version >= 2,
                    entry.take(3) != nil, let number = entry.number(version == 2 ? 2 : 4),
                    entry.take(2) != nil, let type = entry.take(4)
                else { continue }
                return Item(
                    number: number, type: String(decoding: type, as: UTF8.self),
                    rest: entry.rest)
            }
            return nil
        }
    }
}
