import Geometry
import Metadata

/// The copies of an orientation that a file has in its EXIF and XMP data, where readers of the format
/// ignore them: the copies follow, so that the file does not contradict itself.
enum OrientationCopies {
    /// Adds the changes of the copies in `file`; their lengths stay.
    static func change(
        in file: UnsafeRawBufferPointer, to orientation: Orientation,
        _ changes: inout ByteChanges
    ) {
        let blocks = MetadataBlocks(file)
        if let exif = blocks.exif, let structure = TIFFStructure(exif) {
            let copy = structure.settingOrientation(orientation)
            // EXIF data without a tag for the orientation would grow, and have no room for that.
            if copy.growth == 0 { changes.add(copy.moved(by: file.offset(of: exif))) }
        }
        XMPOrientation.change(blocks.xmp, in: file, to: orientation, &changes)
    }
}
