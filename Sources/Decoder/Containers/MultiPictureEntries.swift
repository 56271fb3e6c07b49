/// The pictures of a JPEG file that has several, such as further views or a gain map.
///
/// Source: CIPA DC-007, 5.2.
package struct MultiPictureEntries {
    private static let entries = 0xB002
    private static let entryLength = 16
    private static let most = 256

    private let file: UnsafeRawBufferPointer
    /// The index, a TIFF structure; the offsets of pictures count from its start.
    package let index: UnsafeRawBufferPointer
    private let list: UnsafeRawBufferPointer
    private let isLittle: Bool

    /// Nil for a JPEG without an index, or with a corrupt one; the file has to outlive this value.
    package init?(_ file: UnsafeRawBufferPointer) {
        guard
            let index = JPEGSegments(file).first(JPEGSegments.application + 2, named: "MPF\0"),
            let reader = TIFFReader(index),
            let entry = reader.directory(at: reader.start)[Self.entries],
            let list = reader.value(entry, limit: Self.entryLength * Self.most)
        else { return nil }
        (self.file, self.index, self.list) = (file, index, list)
        isLittle = reader.isLittle
    }

    /// The offsets of the entries in the index.
    package var places: [Int] {
        let start = index.offset(of: list)
        return (0..<(list.count / Self.entryLength)).map { start + $0 * Self.entryLength }
    }

    /// The files of the further pictures that lie inside of the file after its first bytes, and begin like a JPEG.
    package var others: [UnsafeRawBufferPointer] {
        let start = file.offset(of: index)
        return (0..<(list.count / Self.entryLength)).dropFirst().compactMap { entry in
            let (length, offset) = (number(entry, 4), number(entry, 8))
            guard offset > 0, let picture = file.part(at: start + offset, length: length),
                picture.starts(with: [0xFF, 0xD8, 0xFF])
            else { return nil }
            return picture
        }
    }

    /// The number of four bytes at a place in an entry, which lies inside of the list.
    private func number(_ entry: Int, _ place: Int) -> Int {
        (0..<4).reduce(0) { value, byte in
            let at = entry * Self.entryLength + place + (isLittle ? 3 - byte : byte)
            return value << 8 | Int(list[at])
        }
    }
}
