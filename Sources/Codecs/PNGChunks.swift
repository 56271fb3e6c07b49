/// The chunks of a PNG file, as far as the file goes.
///
/// Source: PNG, third edition (W3C), section 5.
struct PNGChunks: Sequence {
    struct Chunk {
        /// Four letters.
        var name: String
        /// Where its data is in the file.
        var data: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private static let signatureLength = 8

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func makeIterator() -> AnyIterator<Chunk> {
        var offset = Self.signatureLength
        return AnyIterator {
            guard offset + 12 <= bytes.count else { return nil }
            let length = Int(
                UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            let start = offset + 8
            guard length <= bytes.count - start - 4 else { return nil }
            let name = String(decoding: bytes[(offset + 4)..<start], as: UTF8.self)
            offset = start + length + 4
            return Chunk(name: name, data: start..<(start + length))
        }
    }

    /// The data of the first such chunk that comes before the pixels.
    func first(_ name: String) -> UnsafeRawBufferPointer? {
        for chunk in self {
            if chunk.name == name { return UnsafeRawBufferPointer(rebasing: bytes[chunk.data]) }
            if chunk.name == "IDAT" { return nil }
        }
        return nil
    }
}
