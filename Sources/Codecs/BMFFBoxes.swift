/// The outermost boxes of a file such as HEIF, JPEG XL and JPEG 2000 have, as far as the file goes.
///
/// Source: ISO/IEC 14496-12, 4.2.
struct BMFFBoxes: Sequence {
    struct Box {
        /// Four letters.
        var name: String
        /// Where its content is in the file.
        var content: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func makeIterator() -> AnyIterator<Box> {
        var offset = 0
        return AnyIterator {
            guard offset + 8 <= bytes.count else { return nil }
            let name = String(decoding: bytes[(offset + 4)..<(offset + 8)], as: UTF8.self)
            var (start, length) = (offset + 8, number(at: offset))
            if length == 0 { length = bytes.count - offset }
            if length == 1, offset + 16 <= bytes.count, number(at: offset + 8) == 0 {
                (start, length) = (offset + 16, number(at: offset + 12))
            }
            guard length >= start - offset, length <= bytes.count - offset else { return nil }
            offset += length
            return Box(name: name, content: start..<offset)
        }
    }

    private func number(at offset: Int) -> Int {
        Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    /// What the box "Exif" says: four bytes tell where in the rest its TIFF structure begins.
    var exif: Exif {
        guard let box = first(where: { $0.name == "Exif" }), box.content.count > 4 else {
            return Exif()
        }
        let start = number(at: box.content.lowerBound)
        return Exif(tiff: bytes[box.content].dropFirst(4).dropFirst(start))
    }
}
