import Glibc

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

    package func makeIterator() -> AnyIterator<Chunk> { chunks(from: Self.signatureLength) }

    private func chunks(from first: Int) -> AnyIterator<Chunk> {
        var offset = first
        return AnyIterator {
            let start = offset + Self.headerLength
            guard start + Self.checksumLength <= bytes.count else { return nil }
            let length = length(at: offset)
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

    /// Bytes at the end of a file in which `tail` looks for chunks.
    private static let tailLength = 128 << 10

    /// The chunks that lie completely in the last bytes of a whole file.
    ///
    /// They are found from the end: a walk from the start would read every page of a large file.
    package var tail: [Chunk] {
        guard Self.isEnded(bytes) else { return [] }
        let start = Swift.max(Self.signatureLength, bytes.count - Self.tailLength)
        let shortest = Self.headerLength + Self.checksumLength
        guard bytes.count - start >= shortest, mentionsMetadata(from: start) else { return [] }
        // Whether chunks without gaps lead from an offset to the end.
        var leads = [Bool](repeating: false, count: bytes.count - start + 1)
        leads[bytes.count - start] = true
        var first = bytes.count
        for offset in (start...(bytes.count - shortest)).reversed() where hasName(at: offset + 4) {
            let end = offset + shortest + length(at: offset)
            guard end <= bytes.count, leads[end - start] else { continue }
            leads[offset - start] = true
            first = offset
        }
        return Array(chunks(from: first))
    }

    /// Whether the bytes from an offset on have the name of a chunk with metadata: most files have none there.
    private func mentionsMetadata(from start: Int) -> Bool {
        let names = ["eXIf", "tEXt", "zTXt", "iTXt"].map { Array($0.utf8) }
        guard let base = bytes.baseAddress else { return false }
        var place = start
        // All of these have an X, and few other bytes are one.
        while let found = memchr(base + place, Int32(UInt8(ascii: "X")), bytes.count - place) {
            let middle = UnsafeRawPointer(found) - base
            let starts = (middle - 2)...(middle - 1)
            if starts.contains(where: { first in
                first >= start && names.contains { bytes[first...].starts(with: $0) }
            }) {
                return true
            }
            place = middle + 1
        }
        return false
    }

    private func length(at offset: Int) -> Int {
        Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    private func hasName(at offset: Int) -> Bool {
        bytes[offset..<(offset + 4)].allSatisfy {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xDF)
        }
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
