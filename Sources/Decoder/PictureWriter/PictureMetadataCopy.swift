import Containers
import Geometry
import ImageTypes
import Localization
import Metadata
import RasterPipeline

/// The metadata of a source for a new file, of the same format or another one.
struct PictureMetadataCopy {
    let source: UnsafeRawBufferPointer
    let format: PictureFormat
    let blocks: MetadataBlocks

    init(_ source: UnsafeRawBufferPointer, _ format: PictureFormat) {
        (self.source, self.format) = (source, format)
        blocks = MetadataBlocks(source)
    }

    /// EXIF data that can be copied: in TIFF files, they are spread over the whole file.
    var exif: UnsafeRawBufferPointer? {
        format == .tiff || format == .raw ? nil : blocks.exif
    }

    func newExif(_ size: PixelSize) -> [UInt8]? {
        exif.flatMap { ExifEditing.repixeled($0, .upright, size) }
    }

    /// XMP data without what describes the old file, whose orientation, if any, is upright.
    var newXMP: [UInt8]? { blocks.xmp.map { XMPEditing.repixeled($0, .upright) } }

    // MARK: WebP

    /// What to add to a WebP without metadata, `file`.
    func changes(
        ofWebP file: UnsafeRawBufferPointer, _ size: PixelSize, _ pixels: EditedPixels
    ) throws(EditFailure) -> ByteChanges {
        var before: [UInt8] = []
        var after: [UInt8] = []
        var features: UInt8 = 0
        if case .profile(let profile) = pixels.color {
            before += WebPTagWriter.chunk("ICCP", profile)
            features |= WebPTagWriter.Feature.profile
        }
        if let exif = newExif(size) {
            after += WebPTagWriter.chunk("EXIF", exif)
            features |= WebPTagWriter.Feature.exif
        }
        if let xmp = newXMP {
            after += WebPTagWriter.chunk("XMP ", xmp)
            features |= WebPTagWriter.Feature.xmp
        }
        return try WebPTagWriter.extended(file, features, before: before, after: after)
    }
}
