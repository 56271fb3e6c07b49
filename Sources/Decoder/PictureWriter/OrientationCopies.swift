import Containers
import Geometry
import Metadata

/// The copies of an orientation that a file has in its EXIF and XMP data, where readers of the format
/// ignore them: the copies follow, so that the file does not contradict itself.
///
/// Copies in packed data stay: changed data would have another length.
enum OrientationCopies {
    /// Adds the changes of the copies in `file`; their lengths stay.
    static func change(
        in file: UnsafeRawBufferPointer, to orientation: Orientation,
        _ changes: inout ByteChanges
    ) {
        let blocks = MetadataBlocks(file)
        defer { withExtendedLifetime(blocks) {} }
        if let exif = blocks.exif, file.contains(exif), let structure = TIFFStructure(exif) {
            let copy = structure.settingOrientation(orientation)
            // EXIF data without a tag for the orientation would grow, and have no room for that.
            if copy.growth == 0 { changes.add(copy.moved(by: file.offset(of: exif))) }
        }
        if let xmp = blocks.xmp, file.contains(xmp) {
            XMPOrientation.change(xmp, in: file, to: orientation, &changes)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a slice is one of these bytes, rather than of other memory.
    func contains(_ slice: UnsafeRawBufferPointer) -> Bool {
        guard let start = slice.baseAddress, let base = baseAddress else { return false }
        return start >= base && start + slice.count <= base + count
    }
}
