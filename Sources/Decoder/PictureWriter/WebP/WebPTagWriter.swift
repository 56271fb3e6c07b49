import Containers
import Geometry
import ImageTypes
import Localization

/// The orientation in the EXIF chunk of a WebP, which needs the extended format.
///
/// Source: RFC 9649, 2.7.
enum WebPTagWriter: TagWriter {
    /// The features in the first byte of a VP8X chunk.
    enum Feature {
        static let alpha: UInt8 = 0x10
        static let exif: UInt8 = 0x08
        static let xmp: UInt8 = 0x04
        static let profile: UInt8 = 0x20
    }

    static func changes(
        _ bytes: UnsafeRawBufferPointer, from stand: Orientation, turning turn: Orientation
    ) throws(EditFailure) -> ByteChanges {
        let orientation = stand.followed(by: turn)
        var fileEnd = riffLength(bytes) + 8
        guard fileEnd >= 12, fileEnd <= bytes.count else { throw .failed(.cutShort) }
        // Some programs do not count the padding of the last chunk.
        if !fileEnd.isMultiple(of: 2), fileEnd < bytes.count, bytes[fileEnd] == 0 { fileEnd += 1 }
        // Other data may follow the file, and stay.
        let file = UnsafeRawBufferPointer(rebasing: bytes[..<fileEnd])
        let chunks = Array(RIFFChunks(file))
        guard let first = chunks.first, let last = chunks.last,
            range(last, in: file).upperBound == fileEnd
        else { throw .refused(localized("the chunks of the file do not fill it")) }
        var changes = ByteChanges()
        let exif = chunks.first { $0.name == "EXIF" }
        let data = exif.map { UnsafeRawBufferPointer(rebasing: bytes[$0.data]) }
        // Some programs write the name of the JPEG segment, too.
        let hasName = data?.starts(with: JPEGTagWriter.exifName) ?? false
        let tiff = data.map { hasName ? $0.dropping(JPEGTagWriter.exifName.count) : $0 }
        let new = (hasName ? JPEGTagWriter.exifName : []) + ExifEditing.oriented(tiff, orientation)
        if let exif {
            changes.replace(range(exif, in: file), with: chunk("EXIF", new))
        } else {
            let place = chunks.first { $0.name == "XMP " }.map { $0.data.lowerBound - 8 }
            changes.insert(
                (place == nil && !fileEnd.isMultiple(of: 2) ? [0] : []) + chunk("EXIF", new),
                at: place ?? fileEnd)
        }
        if first.name == "VP8X", first.data.count >= 10 {
            let place = first.data.lowerBound
            changes.replace(place..<(place + 1), with: [bytes[place] | Feature.exif])
        } else {
            let extended = try extendedHeader(bytes, first, Feature.exif)
            changes.insert(chunk("VP8X", extended), at: 12)
        }
        let xmp = RIFFChunks(file).first("XMP ")
        XMPOrientation.change(xmp, in: bytes, to: orientation, &changes)
        changes.replace(4..<8, with: encoded(fileEnd - 8 + changes.growth, 4))
        return changes
    }

    /// What to add to a file of one image so that it has further chunks.
    ///
    /// `features` are bits of the extended header, `before` and `after` are whole chunks.
    static func extended(
        _ file: UnsafeRawBufferPointer, _ features: UInt8, before: [UInt8], after: [UInt8]
    ) throws(EditFailure) -> ByteChanges {
        let chunks = Array(RIFFChunks(file))
        guard let first = chunks.first, let last = chunks.last else { throw .failed(.cutShort) }
        var changes = ByteChanges()
        guard features != 0 else { return changes }
        if first.name == "VP8X", first.data.count >= 10 {
            let place = first.data.lowerBound
            changes.replace(place..<(place + 1), with: [file[place] | features])
            changes.insert(before, at: range(first, in: file).upperBound)
        } else {
            let header = try extendedHeader(file, first, features)
            changes.insert(chunk("VP8X", header) + before, at: 12)
        }
        changes.insert(after, at: range(last, in: file).upperBound)
        changes.replace(4..<8, with: encoded(file.count - 8 + changes.growth, 4))
        return changes
    }

    private static func riffLength(_ bytes: UnsafeRawBufferPointer) -> Int {
        Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    }

    /// The range of a chunk with its header and its padding, as far as the padding is there.
    static func range(_ chunk: RIFFChunks.Chunk, in bytes: UnsafeRawBufferPointer) -> Range<Int> {
        let end = chunk.data.upperBound + chunk.data.count % 2
        return (chunk.data.lowerBound - 8)..<min(end, bytes.count)
    }

    /// A chunk with its header and its padding.
    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        Array(name.utf8) + encoded(data.count, 4) + data
            + [UInt8](repeating: 0, count: data.count % 2)
    }

    static func encoded(_ number: Int, _ size: Int) -> [UInt8] {
        TIFFStructure.encoded(number, size, isLittle: true)
    }

    /// The data of a VP8X chunk for a file with a single VP8 or VP8L chunk.
    private static func extendedHeader(
        _ bytes: UnsafeRawBufferPointer, _ image: RIFFChunks.Chunk, _ wanted: UInt8
    ) throws(EditFailure) -> [UInt8] {
        let data = UnsafeRawBufferPointer(rebasing: bytes[image.data])
        var (width, height, features) = (0, 0, wanted)
        switch image.name {
        case "VP8L" where data.count >= 5 && data[0] == 0x2F:
            let bits = UInt32(littleEndian: data.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
            (width, height) = (Int(bits & 0x3FFF) + 1, Int(bits >> 14 & 0x3FFF) + 1)
            if bits >> 28 & 1 == 1 { features |= Feature.alpha }
        case "VP8 " where data.count >= 10:
            let sizes = [6, 8].map {
                Int(UInt16(littleEndian: data.loadUnaligned(fromByteOffset: $0, as: UInt16.self)))
                    & 0x3FFF
            }
            (width, height) = (sizes[0], sizes[1])
        default: throw .refused(localized("the file has no chunk with a picture"))
        }
        guard width > 0, height > 0 else { throw .refused(localized("the picture has no size")) }
        return [features, 0, 0, 0] + encoded(width - 1, 3) + encoded(height - 1, 3)
    }
}
