import Containers

/// The properties of the items in a HEIF file.
///
/// Source: ISO/IEC 23008-12, 9.3.
struct HEIFProperties {
    struct Property {
        var box: ISOBoxes.Box
        /// Whether a reader must support the property to show the item.
        var isEssential: Bool
    }

    private let boxes: [ISOBoxes.Box]
    /// By item: box numbers, counted from 1, in 15 bits; bit 15 marks essential properties.
    private var associations: [Int: [Int]] = [:]

    /// Parses an iprp box; nil if the box is corrupt.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let nested = ISOBoxes(bytes)
        guard let list = nested.first("ipco"), let table = nested.first("ipma") else { return nil }
        boxes = Array(ISOBoxes(list))
        var reader = BigEndianReader(table)
        guard let version = reader.number(1), let flags = reader.number(3),
            let count = reader.number(4)
        else { return nil }
        let isLong = flags & 1 != 0
        for _ in 0..<min(count, table.count) {
            guard let item = reader.number(version < 1 ? 2 : 4), let length = reader.number(1)
            else { return nil }
            var numbers: [Int] = []
            for _ in 0..<length {
                guard let number = reader.number(isLong ? 2 : 1) else { return nil }
                numbers.append(isLong ? number : number & 0x7F | (number & 0x80) << 8)
            }
            associations[item] = numbers
        }
    }

    /// The properties of an item, in file order.
    subscript(item: Int) -> [Property] {
        (associations[item] ?? []).compactMap { association in
            let number = association & 0x7FFF
            guard boxes.indices.contains(number - 1) else { return nil }
            return Property(box: boxes[number - 1], isEssential: association & 0x8000 != 0)
        }
    }
}
