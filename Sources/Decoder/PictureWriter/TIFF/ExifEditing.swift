import Containers
import Geometry

/// EXIF data of a changed picture.
enum ExifEditing {
    /// EXIF data with another orientation; minimal data if `tiff` is nil or corrupt.
    static func oriented(_ tiff: UnsafeRawBufferPointer?, _ orientation: Orientation) -> [UInt8] {
        guard let tiff, let structure = TIFFStructure(tiff) else {
            return TIFFStructure.minimal(orientation)
        }
        return structure.settingOrientation(orientation).applied(to: tiff)
    }

    /// EXIF data of a picture with other pixels, of `size` as stored: without the thumbnail, which
    /// shows the old ones.
    ///
    /// Returns nil for corrupt data.
    static func repixeled(
        _ tiff: UnsafeRawBufferPointer, _ orientation: Orientation, _ size: PixelSize
    ) -> (exif: [UInt8], hadThumbnail: Bool)? {
        guard let structure = TIFFStructure(tiff) else { return nil }
        var copy = Array(tiff)
        func set(_ tag: Int, at directory: Int, to value: Int) {
            for entry in structure.entries(tag, at: directory) {
                // As a LONG, which holds every size.
                let bytes =
                    structure.encoded(4, 2) + structure.encoded(1, 4) + structure.encoded(value, 4)
                copy.replaceSubrange((entry + 2)..<(entry + 12), with: bytes)
            }
        }
        set(TIFFStructure.Tag.width, at: structure.start, to: size.width)
        set(TIFFStructure.Tag.height, at: structure.start, to: size.height)
        if let exif = structure.value(TIFFStructure.Tag.exifDirectory, at: structure.start),
            let count = structure.number(at: exif, 2), exif + 2 + count * 12 <= tiff.count
        {
            set(TIFFStructure.Tag.pixelWidth, at: exif, to: size.width)
            set(TIFFStructure.Tag.pixelHeight, at: exif, to: size.height)
        }
        let hadThumbnail = removeThumbnail(structure, from: &copy)
        guard
            orientation != .upright
                || !structure.entries(TIFFStructure.Tag.orientation, at: structure.start).isEmpty
        else { return (copy, hadThumbnail) }
        return (
            copy.withUnsafeBytes { bytes in
                TIFFStructure(bytes)?.settingOrientation(orientation).applied(to: bytes) ?? copy
            }, hadThumbnail
        )
    }

    /// Takes the second directory out of the list, and overwrites the thumbnail, so that what was cut
    /// off the picture is not in the file any more.
    private static func removeThumbnail(
        _ structure: TIFFStructure, from copy: inout [UInt8]
    ) -> Bool {
        guard let count = structure.number(at: structure.start, 2) else { return false }
        let link = structure.start + 2 + count * 12
        guard let second = structure.number(at: link, 4), second > 0 else { return false }
        copy.replaceSubrange(link..<(link + 4), with: [0, 0, 0, 0])
        guard let offset = structure.value(TIFFStructure.Tag.thumbnailOffset, at: second),
            let length = structure.value(TIFFStructure.Tag.thumbnailLength, at: second),
            offset >= 8, length > 0, offset <= copy.count, length <= copy.count - offset
        else { return true }
        // Only data that begins as a JPEG: a corrupt offset must not destroy other values.
        guard copy[offset...].starts(with: [0xFF, 0xD8]) else { return true }
        if offset + length == copy.count {
            copy.removeSubrange(offset...)
        } else {
            copy.replaceSubrange(
                offset..<(offset + length), with: [UInt8](repeating: 0, count: length))
        }
        return true
    }
}
