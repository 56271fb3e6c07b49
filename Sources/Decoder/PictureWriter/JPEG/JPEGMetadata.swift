import Containers
import Geometry
import Localization

/// The metadata of a JPEG whose pixels change.
enum JPEGMetadata {
    private static let multiPicture = Array("MPF\0".utf8)
    private static let adobe: UInt8 = 14
    private static let comment: UInt8 = 0xFE

    /// What is told of a thumbnail in XMP data.
    static let xmpThumbnailLoss = localized("the thumbnail inside the XMP data is left out")

    /// What a JPEG loses when its pixels change.
    static func losses(_ bytes: UnsafeRawBufferPointer) -> [String] {
        var losses: [String] = []
        if let tiff = exif(bytes), ExifEditing.hasThumbnail(tiff) {
            losses.append(localized("the thumbnail inside the EXIF data is left out"))
        }
        let extended = ExtendedXMP(bytes)
        let hasXMPThumbnail =
            JPEGXMP.find(bytes).map { !XMPThumbnails.elements($0).isEmpty } ?? false
        if hasXMPThumbnail || extended.hasThumbnail { losses.append(xmpThumbnailLoss) }
        if extended.isIncomplete {
            losses.append(localized("the incomplete part of the XMP data is left out"))
        }
        if !PhotoshopThumbnails(bytes).isEmpty {
            losses.append(localized("the thumbnail inside the Photoshop data is left out"))
        }
        let rest = rest(bytes)
        if JPEGSegments(bytes).contains(where: isMultiPicture) {
            losses.append(
                localized(
                    "the further pictures in the file, such as a gain map or a depth map, are left out"
                ))
        } else if rest.starts(with: [0xFF, 0xD8, 0xFF]) {
            losses.append(localized("the further pictures in the file are left out"))
        } else if !rest.isEmpty {
            losses.append(localized("the data after the picture, such as a video, are left out"))
        }
        return losses
    }

    private static func exif(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        JPEGSegments(bytes).first(JPEGSegments.application + 1, named: "Exif\0\0")
    }

    private static func isMultiPicture(_ segment: JPEGSegments.Segment) -> Bool {
        segment.marker == JPEGSegments.application + 2 && segment.data.starts(with: multiPicture)
    }

    /// What follows the end of the picture, without the padding before it.
    private static func rest(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        guard let end = JPEGSegments(bytes).end else { return bytes[bytes.count...] }
        let rest = bytes[end...]
        guard rest.contains(where: { $0 != 0 && $0 != 0xFF }) else { return bytes[bytes.count...] }
        return rest.drop { $0 == 0 }
    }

    /// What to add to a JPEG without metadata, `file`, so that it has those of `source`.
    ///
    /// `tag` is the new orientation, `size` the new stored size in pixels.
    static func changes(
        of file: UnsafeRawBufferPointer, from source: UnsafeRawBufferPointer, _ tag: Orientation,
        _ size: PixelSize
    ) -> ByteChanges {
        var added: [UInt8] = []
        var hasExif = false
        var hasExtendedXMP = false
        var photoshop = PhotoshopThumbnails(source).remaining.makeIterator()
        for segment in JPEGSegments(source) where isKept(segment) {
            if segment.marker == JPEGSegments.application + 1,
                segment.data.starts(with: JPEGTagWriter.exifName)
            {
                let tiff = segment.data.dropping(JPEGTagWriter.exifName.count)
                guard !hasExif, let exif = ExifEditing.repixeled(tiff, tag, size),
                    exif.count + JPEGTagWriter.exifName.count <= JPEGTagWriter.longestData
                else { continue }
                hasExif = true
                added += JPEGTagWriter.segment(
                    segment.marker, JPEGTagWriter.exifName + exif)
            } else if PhotoshopThumbnails.isResources(segment) {
                if let rest = photoshop.next() ?? nil {
                    added += JPEGTagWriter.segment(segment.marker, rest)
                }
            } else if ExtendedXMP.isPart(segment) {
                // All segments follow the first one.
                guard !hasExtendedXMP else { continue }
                hasExtendedXMP = true
                for data in ExtendedXMP(source).repixeled(tag) {
                    added += JPEGTagWriter.segment(segment.marker, data)
                }
            } else {
                added += JPEGTagWriter.segment(segment.marker, content(segment, tag))
            }
        }
        if !hasExif, tag != .upright {
            added =
                JPEGTagWriter.segment(
                    JPEGSegments.application + 1,
                    JPEGTagWriter.exifName + TIFFStructure.minimal(tag)) + added
        }
        var changes = ByteChanges()
        changes.insert(added, at: JPEGTagWriter.place(file))
        return changes
    }

    /// Whether a segment of the source belongs into the new file: all metadata but what the library
    /// writes itself, and what describes other pictures.
    private static func isKept(_ segment: JPEGSegments.Segment) -> Bool {
        switch segment.marker {
        case JPEGSegments.application:
            return !segment.data.starts(with: "JFIF".utf8)
                && !segment.data.starts(with: "JFXX".utf8)
        case JPEGSegments.application + adobe: return !segment.data.starts(with: "Adobe".utf8)
        case JPEGSegments.application...(JPEGSegments.application + 15):
            return !isMultiPicture(segment)
        case comment: return true
        default: return false
        }
    }

    private static func content(
        _ segment: JPEGSegments.Segment, _ tag: Orientation
    ) -> [UInt8] {
        let name = Array(JPEGXMP.name.utf8)
        guard segment.data.starts(with: name) else { return Array(segment.data) }
        return name + XMPEditing.repixeled(segment.data.dropping(name.count), tag)
    }
}
