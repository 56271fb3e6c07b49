/// The chunks of a PNG file, up to the first incomplete one.
///
/// Source: PNG, third edition (W3C), section 5.
package struct PNGChunks: Sequence {
    /// A complete chunk.
    package struct Chunk {
        /// Four letters.
        package var name: String
        /// The range of the data in the file.
        package var data: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private static let signatureLength = 8
    /// Bytes of a chunk before its data: the data's length, and the name.
    package static let headerLength = 8
    /// Bytes of a chunk after its data: the CRC.
    package static let checksumLength = 4

    /// The chunks of a file, which has to outlive this value.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package func makeIterator() -> AnyIterator<Chunk> {
        var offset = Self.signatureLength
        return AnyIterator {
            let start = offset + Self.headerLength
            guard start + Self.checksumLength <= bytes.count else { return nil }
            let length = Int(
                UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            guard length <= bytes.count - start - Self.checksumLength else { return nil }
            let name = String(decoding: bytes[(offset + 4)..<start], as: UTF8.self)
            offset = start + length + Self.checksumLength
            return Chunk(name: name, data: start..<(start + length))
        }
    }

    /// Whether the file ends with an IEND chunk.
    package static func isEnded(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.suffix(headerLength + checksumLength).dropLast(checksumLength)
            .elementsEqual([0, 0, 0, 0] + "IEND".utf8)
    }

    /// The offset after the last complete chunk.
    package var end: Int {
        var end = Self.signatureLength
        for chunk in self { end = chunk.data.upperBound + Self.checksumLength }
        return end
    }

    /// The data of the first chunk with this name that comes before the pixels.
    package func first(_ name: String) -> UnsafeRawBufferPointer? {
        for chunk in self {
            if chunk.name == name { return UnsafeRawBufferPointer(rebasing: bytes[chunk.data]) }
            if chunk.name == "IDAT" { return nil }
        }
        return nil
    }
}
