/// The chunks of a RIFF file, up to the first incomplete one.
///
/// Source: WebP Container Specification, "RIFF File Format".
package struct RIFFChunks: Sequence {
    /// A complete chunk.
    package struct Chunk {
        /// Four letters.
        package var name: String
        /// The range of the data in the file.
        package var data: Range<Int>
        /// The offset of the next chunk.
        var end: Int { data.upperBound + data.count % 2 }
    }

    private let bytes: UnsafeRawBufferPointer
    /// Bytes before the first chunk: "RIFF", the length of the rest, and the form type.
    private static let headerLength = 12

    /// The chunks of a file, which has to outlive this value.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package func makeIterator() -> AnyIterator<Chunk> {
        var offset = Self.headerLength
        return AnyIterator {
            guard offset + 8 <= bytes.count else { return nil }
            let start = offset + 8
            let length = number(at: offset + 4)
            guard length <= bytes.count - start else { return nil }
            let name = String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
            let chunk = Chunk(name: name, data: start..<(start + length))
            offset = chunk.end
            return chunk
        }
    }

    private func number(at offset: Int) -> Int {
        Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    /// Bytes of the file by its header, with the padding; other data may follow.
    package var fileLength: Int {
        guard bytes.count >= Self.headerLength else { return bytes.count }
        let length = number(at: 4)
        return 8 + length + length % 2
    }

    /// The data of the first complete chunk with this name.
    package func first(_ name: String) -> UnsafeRawBufferPointer? {
        first { $0.name == name }.map { UnsafeRawBufferPointer(rebasing: bytes[$0.data]) }
    }

    /// The TIFF structure of EXIF data, without the JPEG segment name that some programs write.
    package var exif: UnsafeRawBufferPointer? {
        first("EXIF").map { $0.starts(with: "Exif\0\0".utf8) ? $0.dropping(6) : $0 }
    }

    /// A repaired copy of a truncated file; nil if the file is complete.
    ///
    /// The copy ends after the last complete chunk `name`, and its RIFF length is corrected. The
    /// caller deallocates the copy.
    package func repaired(after name: String) -> UnsafeMutableRawBufferPointer? {
        guard bytes.count >= Self.headerLength, number(at: 4) > bytes.count - 8 else { return nil }
        let ends = lazy.filter { $0.name == name }.map(\.end)
        let end = Swift.min(ends.reduce(Self.headerLength) { $1 }, bytes.count)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: end, alignment: 16)
        copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        copy.storeBytes(of: UInt32(end - 8).littleEndian, toByteOffset: 4, as: UInt32.self)
        return copy
    }
}
