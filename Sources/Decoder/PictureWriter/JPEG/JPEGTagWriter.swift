import Containers
import Geometry
import Localization

/// The orientation tag in the EXIF segment of a JPEG.
///
/// Source: EXIF 2.3 (CIPA DC-008), 4.7.
enum JPEGTagWriter: TagWriter {
    static let exifName = Array("Exif\0\0".utf8)
    /// The longest data of a segment in bytes.
    static let longestData = 0xFFFF - 2

    static func changes(
        _ bytes: UnsafeRawBufferPointer, from stand: Orientation, turning turn: Orientation
    ) throws(EditFailure) -> ByteChanges {
        let orientation = stand.followed(by: turn)
        var (changes, place) = try exifChanges(bytes, orientation)
        MultiPictureIndex(bytes)?.grow(by: changes.growth, at: place, in: bytes, &changes)
        XMPOrientation.change(JPEGXMP.find(bytes), in: bytes, to: orientation, &changes)
        return changes
    }

    /// The changes of the EXIF segment, and their place.
    private static func exifChanges(
        _ bytes: UnsafeRawBufferPointer, _ orientation: Orientation
    ) throws(EditFailure) -> (ByteChanges, place: Int) {
        var changes = ByteChanges()
        let exif = JPEGSegments(bytes).first {
            $0.marker == JPEGSegments.application + 1 && $0.data.starts(with: exifName)
        }
        guard let data = exif?.data,
            let structure = TIFFStructure(data.dropping(exifName.count))
        else {
            let segment = segment(
                JPEGSegments.application + 1, exifName + TIFFStructure.minimal(orientation))
            changes.insert(segment, at: place(bytes))
            return (changes, place(bytes))
        }
        let tiff = data.dropping(exifName.count)
        let inside = structure.settingOrientation(orientation)
        let start = bytes.offset(of: data)
        guard inside.growth > 0 else { return (inside.moved(by: bytes.offset(of: tiff)), start) }
        let length = data.count + inside.growth
        guard length <= longestData else {
            throw .refused(localized("the EXIF data has no room for the orientation"))
        }
        changes.replace(
            (start - 4)..<(start + data.count),
            with: segment(
                JPEGSegments.application + 1, exifName + inside.applied(to: tiff)))
        return (changes, start)
    }

    /// A segment with its marker and its length.
    static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        let length = data.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + data
    }

    /// Where a new segment goes: after the JFIF segment, which has to come first.
    static func place(_ bytes: UnsafeRawBufferPointer) -> Int {
        for segment in JPEGSegments(bytes) {
            guard segment.marker == JPEGSegments.application,
                segment.data.starts(with: "JFIF".utf8) || segment.data.starts(with: "JFXX".utf8)
            else { break }
            return bytes.offset(of: segment.data) + segment.data.count
        }
        return 2
    }
}

/// The XMP segment of a JPEG.
enum JPEGXMP {
    static let name = "http://ns.adobe.com/xap/1.0/\0"

    static func find(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        JPEGSegments(bytes).first(JPEGSegments.application + 1, named: name)
    }
}
