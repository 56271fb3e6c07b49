import Containers
import Geometry
import ImageTypes
import Metadata

/// The orientation in the eXIf chunk of a PNG.
///
/// Source: PNG, third edition (W3C), 5.3 and 11.3.4.
enum PNGTagWriter: TagWriter {
    static func changes(
        _ bytes: UnsafeRawBufferPointer, from stand: Orientation, turning turn: Orientation
    ) throws(EditFailure) -> ByteChanges {
        let orientation = stand.followed(by: turn)
        let blocks = MetadataBlocks(bytes)
        defer { withExtendedLifetime(blocks) {} }
        let profiles = exifProfiles(bytes)
        var changes = ByteChanges()
        var hasPixels = false
        var index: Range<Int>?
        var place: Int?
        for chunk in PNGChunks(bytes) {
            let whole = PNGChunk.range(chunk)
            if chunk.name == "IDAT" { hasPixels = true }
            if chunk.name == "eXIf" || profiles.contains(chunk.data.lowerBound) {
                // Data after the pixels move to their place before them, where every reader looks
                // for them; a raw profile becomes a chunk.
                changes.remove(whole)
                // The distances in an index count from the index to the pixels.
                if !hasPixels, let range = index { changes.remove(range) }
                if !hasPixels { index = nil }
            } else if chunk.name == "iDOT" {
                index = whole
            } else {
                change(chunk, bytes, orientation, &changes)
                guard chunk.name == "IDAT" else { continue }
            }
            if place == nil, !hasPixels || chunk.name == "IDAT" { place = whole.lowerBound }
        }
        guard let place else { throw .failed(.cutShort) }
        changes.insert(
            PNGChunk.bytes("eXIf", ExifEditing.oriented(blocks.exif, orientation)), at: place)
        return changes
    }

    /// The offsets of the data of raw profiles that are EXIF data.
    private static func exifProfiles(_ bytes: UnsafeRawBufferPointer) -> Set<Int> {
        let exif = RawProfile.texts(in: PNGChunks(bytes), of: bytes).filter {
            if case .exif? = RawProfile($0.text) { true } else { false }
        }
        return Set(exif.map(\.chunk.data.lowerBound))
    }

    /// Adds the change of the orientation in XMP data, whose length stays.
    private static func change(
        _ chunk: PNGChunks.Chunk, _ bytes: UnsafeRawBufferPointer, _ orientation: Orientation,
        _ changes: inout ByteChanges
    ) {
        let data = bytes.slice(chunk.data)
        guard let text = PNGText(chunk.name, data), text.isXMP, let xmp = text.slice else { return }
        var inside = ByteChanges()
        XMPOrientation.change(xmp, in: data, to: orientation, &inside)
        let changed = inside.applied(to: data)
        guard !changed.elementsEqual(data) else { return }
        changes.replace(PNGChunk.range(chunk), with: PNGChunk.bytes("iTXt", changed))
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
