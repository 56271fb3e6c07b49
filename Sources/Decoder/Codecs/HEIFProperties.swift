/// What a HEIF file says of its items: boxes, and which of them are whose.
///
/// Source: ISO/IEC 23008-12, 9.3.
struct HEIFProperties {
    struct Property {
        var box: ISOBoxes.Box
        /// Whether one has to know it to show the item.
        var isEssential: Bool
    }

    private let boxes: [ISOBoxes.Box]
    /// By items: the numbers of boxes, counted from 1, in 15 bits, and above them whether it is essential.
    private var links: [Int: [Int]] = [:]

    /// Of an iprp box; nil where it makes no sense.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let parts = ISOBoxes(bytes)
        guard let list = parts.first("ipco"), let table = parts.first("ipma") else { return nil }
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
            links[item] = numbers
        }
    }

    /// An item's, in their order.
    subscript(item: Int) -> [Property] {
        (links[item] ?? []).compactMap { link in
            let number = link & 0x7FFF
            guard boxes.indices.contains(number - 1) else { return nil }
            return Property(box: boxes[number - 1], isEssential: link & 0x8000 != 0)
        }
    }
}
