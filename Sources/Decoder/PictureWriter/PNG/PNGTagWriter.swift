import Containers
import Geometry
import ImageTypes

/// The orientation in the eXIf chunk of a PNG.
///
/// Source: PNG, third edition (W3C), 5.3 and 11.3.4.
enum PNGTagWriter: TagWriter {
    static func changes(
        _ bytes: UnsafeRawBufferPointer, from stand: Orientation, turning turn: Orientation
    ) throws(EditFailure) -> ByteChanges {
        let orientation = stand.followed(by: turn)
        var changes = ByteChanges()
        var exif: UnsafeRawBufferPointer?
        var hasPixels = false
        var place: Int?
        for chunk in PNGChunks(bytes) {
            let whole = PNGChunk.range(chunk)
            switch chunk.name {
            case "eXIf":
                // A chunk after the pixels moves to its place before them, where every reader
                // looks for it.
                if exif == nil { exif = UnsafeRawBufferPointer(rebasing: bytes[chunk.data]) }
                changes.remove(whole)
                if !hasPixels, place == nil { place = whole.lowerBound }
            case "IDAT":
                if !hasPixels, place == nil { place = whole.lowerBound }
                hasPixels = true
            case "iTXt":
                let data = UnsafeRawBufferPointer(rebasing: bytes[chunk.data])
                guard let xmp = PNGChunk.xmp(data) else { break }
                var inside = ByteChanges()
                XMPOrientation.change(xmp, in: data, to: orientation, &inside)
                let changed = inside.applied(to: data)
                if !changed.elementsEqual(data) {
                    changes.replace(whole, with: PNGChunk.bytes("iTXt", changed))
                }
            default: break
            }
        }
        guard let place else { throw .failed(.cutShort) }
        changes.insert(
            PNGChunk.bytes("eXIf", ExifEditing.oriented(exif, orientation)), at: place)
        return changes
    }
}

/// Chunks of a PNG that is written.
enum PNGChunk {
    /// The range of a chunk with its header and its checksum.
    static func range(_ chunk: PNGChunks.Chunk) -> Range<Int> {
        (chunk.data.lowerBound - PNGChunks.headerLength)..<(chunk.data.upperBound
            + PNGChunks.checksumLength)
    }

    /// A chunk with its header and its checksum.
    static func bytes(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return encoded(data.count) + body + encoded(Int(Checksum.crc32(body)))
    }

    static func encoded(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The XMP data in an iTXt chunk, if it is there and not compressed.
    static func xmp(_ data: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let name = Array("XML:com.adobe.xmp\0".utf8)
        guard data.starts(with: name), data.count > name.count + 2, data[name.count] == 0 else {
            return nil
        }
        var rest = data.dropping(name.count + 2)
        for _ in 0..<2 {
            guard let end = rest.firstIndex(of: 0) else { return nil }
            rest = rest.dropping(end + 1)
        }
        return rest
    }
}

/// The CRC of PNG chunks.
///
/// Source: PNG, third edition (W3C), annex D.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }

    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }
}
