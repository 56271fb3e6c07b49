import Containers
import Geometry
import ImageTypes
import Localization
import Metadata
import RasterPipeline

/// The metadata of a source for a new file, of the same format or another one.
struct PictureMetadataCopy {
    private let source: UnsafeRawBufferPointer
    private let format: PictureFormat
    private let blocks: MetadataBlocks

    init(_ source: UnsafeRawBufferPointer, _ format: PictureFormat) {
        (self.source, self.format) = (source, format)
        blocks = MetadataBlocks(source)
    }

    /// EXIF data that can be copied: in TIFF files, they are spread over the whole file.
    private var exif: UnsafeRawBufferPointer? {
        format == .tiff || format == .raw ? nil : blocks.exif
    }

    /// What of the source's metadata a new file of a format does not have.
    func losses(for output: OutputFormat) -> [String] {
        if case .jpeg = output { return JPEGMetadata.losses(source) }
        var losses: [String] = []
        if format == .tiff || format == .raw {
            losses.append(localized("the EXIF data are left out"))
        } else if let exif, ExifEditing.hasThumbnail(exif) {
            losses.append(localized("the thumbnail inside the EXIF data is left out"))
        }
        if hasXMPThumbnail { losses.append(JPEGMetadata.xmpThumbnailLoss) }
        if blocks.iptc != nil {
            losses.append(localized("the IPTC data are left out"))
        }
        if format == .heic || format == .avif, hasFurtherPictures {
            losses.append(
                localized("the further pictures in the file, such as a depth map, are left out"))
        }
        return losses
    }

    /// Whether a HEIF file has auxiliary pictures.
    private var hasFurtherPictures: Bool {
        guard let meta = ISOBoxes(source).first("meta"), meta.count > 4,
            let references = ISOBoxes(meta.dropping(4)).first("iref"), references.count > 4
        else { return false }
        return ISOBoxes(references.dropping(4)).contains { $0.type == "auxl" }
    }

    private var hasXMPThumbnail: Bool {
        blocks.xmp.map { !XMPThumbnails.elements($0).isEmpty } ?? false
    }

    private func newExif(_ size: PixelSize) -> [UInt8]? {
        exif.flatMap { ExifEditing.repixeled($0, .upright, size) }
    }

    /// XMP data without thumbnails, whose orientation, if any, is upright.
    private var newXMP: [UInt8]? { blocks.xmp.map { XMPEditing.repixeled($0, .upright) } }

    // MARK: PNG

    /// Chunks that describe the samples of the old file.
    private static let ownChunks: Set<String> = [
        "IHDR", "PLTE", "tRNS", "IDAT", "IEND", "bKGD", "hIST", "sBIT", "sPLT", "acTL", "fcTL",
        "fdAT",
    ]

    /// What to add to a PNG without metadata, `file`.
    func changes(
        ofPNG file: UnsafeRawBufferPointer, _ source: UnsafeRawBufferPointer, _ size: PixelSize,
        _ color: ColorSource
    ) throws(EditFailure) -> ByteChanges {
        var added: [UInt8] = []
        if format == .png {
            for chunk in PNGChunks(source) where !Self.ownChunks.contains(chunk.name) {
                added += copied(chunk, size)
            }
        } else {
            guard let colors = PNGColorChunks.bytes(color) else {
                throw .refused(localized("the colour space of the picture cannot be saved as PNG"))
            }
            added += colors
            if let exif = newExif(size) { added += PNGChunk.bytes("eXIf", exif) }
            if let xmp = newXMP {
                let name = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0]
                added += PNGChunk.bytes("iTXt", name + xmp)
            }
        }
        var changes = ByteChanges()
        changes.insert(added, at: PNGEncoder.headerLength)
        return changes
    }

    private func copied(_ chunk: PNGChunks.Chunk, _ size: PixelSize) -> [UInt8] {
        let data = UnsafeRawBufferPointer(rebasing: source[chunk.data])
        switch chunk.name {
        case "eXIf":
            guard let exif = ExifEditing.repixeled(data, .upright, size) else { break }
            return PNGChunk.bytes("eXIf", exif)
        case "iTXt":
            guard let xmp = PNGChunk.xmp(data) else { break }
            return PNGChunk.bytes(
                "iTXt",
                data[..<data.offset(of: xmp)] + XMPEditing.repixeled(xmp, .upright))
        default: break
        }
        return Array(source[PNGChunk.range(chunk)])
    }

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
