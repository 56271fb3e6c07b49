import Geometry
import Localization
import Metadata

/// The orientation tag of a TIFF file: of the first page, which is the one that is shown.
enum TIFFTagWriter: TagWriter {
    static func changes(
        _ bytes: UnsafeRawBufferPointer, from stand: Orientation, turning turn: Orientation
    ) throws(EditFailure) -> ByteChanges {
        let orientation = stand.followed(by: turn)
        guard let structure = TIFFStructure(bytes) else {
            throw .refused(localized("the orientation of BigTIFF files cannot be changed"))
        }
        var changes = structure.settingOrientation(orientation)
        XMPOrientation.change(MetadataBlocks(bytes).xmp, in: bytes, to: orientation, &changes)
        guard bytes.count + changes.growth <= Int(UInt32.max) else {
            throw .refused(localized("the file is too large for another directory"))
        }
        return changes
    }
}
