import Containers
import Geometry
import Localization

/// The metadata of a JPEG whose pixels change.
enum JPEGMetadata {
    private static let adobe: UInt8 = 14
    private static let comment: UInt8 = 0xFE
    private static let multiPicture = "MPF\0"

    /// Segments that describe other pictures in the file, or pixels that change: the marker APPn, the
    /// start of the data, and whether a person is told.
    ///
    /// Sources: CIPA DC-007, 5.1 (MPF); ISO 21496-1, annex C (gain maps); ISO/IEC 19566-5, annex D, and
    /// ISO/IEC 18477-3 (APP11: C2PA, JPEG XT); JPS 1.0 (stereo pictures); ISO/IEC 10918-3, F (SPIFF).
    private static let stale: [(number: UInt8, name: String, isTold: Bool)] = [
        (2, multiPicture, false), (2, "urn:iso:std:iso:ts:21496:-1\0", false),
        (3, "_JPSJPS_", true), (8, "SPIFF\0", false), (11, "", true),
    ]

    private static func stale(
        _ segment: JPEGSegments.Segment
    ) -> (number: UInt8, name: String, isTold: Bool)? {
        stale.first {
            segment.marker == JPEGSegments.application + $0.number
                && segment.data.starts(with: $0.name.utf8)
        }
    }

    /// What a JPEG loses when its pixels change.
    static func losses(_ bytes: UnsafeRawBufferPointer) -> [String] {
        var losses: [String] = []
        if let tiff = exif(bytes) {
            if ExifEditing.hasThumbnail(tiff) { losses.append(EditLosses.thumbnailInExif) }
            if TIFFStructure(tiff) == nil { losses.append(EditLosses.unreadable) }
        }
        let extended = ExtendedXMP(bytes)
        let subjects = JPEGXMP.find(bytes).map { XMPEditing.subjects($0) } ?? []
        losses += XMPStaleProperty.losses(subjects.union(extended.subjects))
        if extended.isIncomplete {
            losses.append(localized("the incomplete part of the XMP data is left out"))
        }
        if !PhotoshopThumbnails(bytes).isEmpty {
            losses.append(EditLosses.thumbnailInPhotoshop)
        }
        let stale = JPEGSegments(bytes).compactMap { Self.stale($0) }
        if stale.contains(where: \.isTold) { losses.append(EditLosses.dataOfPixels) }
        let rest = rest(bytes)
        if stale.contains(where: { $0.name == multiPicture }) {
            losses.append(EditLosses.furtherPictures)
        } else if rest.starts(with: [0xFF, 0xD8, 0xFF]) {
            losses.append(EditLosses.pages)
        } else if !rest.isEmpty {
            losses.append(EditLosses.dataAfterPicture)
        }
        return EditLosses.distinct(losses)
    }

    private static func exif(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        JPEGSegments(bytes).first(JPEGSegments.application + 1, named: "Exif\0\0")
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
        let extended = ExtendedXMP(source)
        let guids = extended.keptGUIDs
        var photoshop = PhotoshopThumbnails(source).remaining.makeIterator()
        for segment in JPEGSegments(source) where isKept(segment) {
            if segment.marker == JPEGSegments.application + 1,
                segment.data.starts(with: JPEGTagWriter.exifName)
            {
                guard !hasExif, let exif = exif(segment, tag, size) else { continue }
                hasExif = true
                added += exif
            } else if PhotoshopThumbnails.isResources(segment) {
                if let rest = photoshop.next() ?? nil {
                    added += JPEGTagWriter.segment(segment.marker, rest)
                }
            } else if ExtendedXMP.isPart(segment) {
                // All segments follow the first one.
                guard !hasExtendedXMP else { continue }
                hasExtendedXMP = true
                for data in extended.repixeled(tag) {
                    added += JPEGTagWriter.segment(segment.marker, data)
                }
            } else {
                added += JPEGTagWriter.segment(segment.marker, content(segment, tag, guids))
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

    /// The new segment with EXIF data; nil if the old ones are corrupt.
    private static func exif(
        _ segment: JPEGSegments.Segment, _ tag: Orientation, _ size: PixelSize
    ) -> [UInt8]? {
        let name = JPEGTagWriter.exifName
        guard let exif = ExifEditing.repixeled(segment.data.dropping(name.count), tag, size),
            name.count + exif.count <= JPEGTagWriter.longestData
        else { return nil }
        return JPEGTagWriter.segment(segment.marker, name + exif)
    }

    /// Whether a segment of the source belongs into the new file: all metadata but what the library
    /// writes itself, and what describes other pictures or the old pixels.
    private static func isKept(_ segment: JPEGSegments.Segment) -> Bool {
        switch segment.marker {
        case JPEGSegments.application:
            return !segment.data.starts(with: "JFIF".utf8)
                && !segment.data.starts(with: "JFXX".utf8)
        case JPEGSegments.application + adobe: return !segment.data.starts(with: "Adobe".utf8)
        case JPEGSegments.application...(JPEGSegments.application + 15):
            return stale(segment) == nil
        case comment: return true
        default: return false
        }
    }

    private static func content(
        _ segment: JPEGSegments.Segment, _ tag: Orientation, _ guids: Set<[UInt8]>
    ) -> [UInt8] {
        let name = Array(JPEGXMP.name.utf8)
        guard segment.data.starts(with: name) else { return Array(segment.data) }
        let xmp = segment.data.dropping(name.count)
        let hasExtension = ExtendedXMP.names(guids, in: xmp)
        return name + XMPEditing.repixeled(xmp, tag, hasExtension: hasExtension)
    }
}
