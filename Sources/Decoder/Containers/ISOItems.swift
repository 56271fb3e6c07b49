/// The items of an ISO media file, in the order of the iinf box.
///
/// Source: ISO/IEC 14496-12, 8.11.6.
package struct ISOItems: Sequence {
    /// An item.
    package struct Item {
        /// The ID, by which other boxes refer to the item.
        package var number: Int
        /// The four-character code.
        package var type: String
        /// Whether the item is not meant to be shown by itself.
        package var isHidden: Bool
        /// The bytes after the type: a name, and fields that depend on the type.
        package var rest: UnsafeRawBufferPointer
    }

    /// Limit for the number of items, which even the largest grid does not exceed.
    private static let most = 1 << 17

    private let entries: ISOBoxes

    /// Parses an iinf box; nil if the box is corrupt.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = BigEndianReader(bytes)
        guard let version = reader.number(1), reader.consume(3) != nil,
            reader.number(version == 0 ? 2 : 4) != nil
        else { return nil }
        entries = ISOBoxes(reader.rest, most: Self.most)
    }

    /// Entries before version 2 are skipped: only other kinds of files have them.
    package func makeIterator() -> AnyIterator<Item> {
        let entries = entries.makeIterator()
        return AnyIterator {
            while let box = entries.next() {
                var entry = BigEndianReader(box.body)
                guard box.type == "infe", let version = entry.number(1), version >= 2,
                    let flags = entry.number(3), let number = entry.number(version == 2 ? 2 : 4),
                    entry.consume(2) != nil, let type = entry.consume(4)
                else { continue }
                return Item(
                    number: number, type: String(decoding: type, as: UTF8.self),
                    isHidden: flags & 1 != 0, rest: entry.rest)
            }
            return nil
        }
    }
}
