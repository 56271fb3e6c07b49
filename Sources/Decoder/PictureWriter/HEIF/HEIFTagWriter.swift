import Containers
import Geometry
import ImageTypes
import Metadata

/// The orientation properties of a HEIC or AVIF file: irot (rotation) and imir (mirroring).
///
/// The boxes of properties and of their associations are written anew, because an item may share its
/// properties with others; the offsets of all items follow. The EXIF orientation is one that readers of
/// these formats ignore; it follows, so that the file does not contradict itself.
/// Source: ISO/IEC 23008-12, 6.5.10, 6.5.12 and 9.3.
enum HEIFTagWriter: TagWriter {
    static func changes(
        _ bytes: UnsafeRawBufferPointer, from stand: Orientation, turning turn: Orientation
    ) throws(EditFailure) -> ByteChanges {
        let file = try HEIFFile(bytes)
        var properties = file.properties
        let wanted = properties.transformation(of: file.primary)
        let new = try properties.orientation(of: file.primary).followed(by: turn)
        // The alpha channel, the depth map and the thumbnail are turned with their picture.
        for item in [file.primary] + file.companions
        where properties.transformation(of: item) == wanted {
            try properties.setOrientation(new, of: item)
        }
        var changes = ByteChanges()
        let written = properties.written
        changes.replace(file.propertiesRange, with: written)
        try file.move(by: written.count - file.propertiesRange.count, &changes)
        OrientationCopies.change(in: bytes, to: new, &changes)
        return changes
    }
}
