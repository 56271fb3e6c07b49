import Codecs
import Containers
import ImageTypes
import Localization
import Metadata

extension PictureMetadataCopy {
    /// What of the source, besides pixels, a new file of a format does not have.
    func losses(for output: OutputFormat) -> [String] {
        let metadata: [String]
        switch output {
        case .jpeg: metadata = JPEGMetadata.losses(source)
        case .png, .webP: metadata = metadataLosses(output)
        }
        // The index of a JPEG tells of its pictures.
        let pictures = hasFurtherPictures && format != .jpeg ? [EditLosses.pages] : []
        let parts = hasCompanionPictures ? [EditLosses.companionPictures] : []
        return EditLosses.distinct(pictures + parts + metadata)
    }

    private func metadataLosses(_ output: OutputFormat) -> [String] {
        var losses: [String] = []
        if leavesOutDataOfTIFF {
            losses.append(localized("the EXIF data are left out"))
        } else if let exif, ExifEditing.hasThumbnail(exif) {
            losses.append(EditLosses.thumbnailInExif)
        }
        losses += XMPStaleProperty.losses(blocks.xmp.map { XMPEditing.subjects($0) } ?? [])
        if blocks.iptc != nil, !keepsChunks(output) {
            losses.append(localized("the IPTC data are left out"))
        }
        if keepsChunks(output), leavesOutThumbnail {
            losses.append(EditLosses.thumbnailInPhotoshop)
        }
        if hasUnreadableMetadata { losses.append(EditLosses.unreadable) }
        if hasDataOfPixels || keepsChunks(output) && leavesOutChunks {
            losses.append(EditLosses.dataOfPixels)
        }
        if hasDataAfterPicture { losses.append(EditLosses.dataAfterPicture) }
        return losses
    }

    /// Whether the chunks of a PNG are copied.
    private func keepsChunks(_ output: OutputFormat) -> Bool {
        if case .png = output { format == .png } else { false }
    }

    /// Whether EXIF data are left out: those of a TIFF file are spread over the whole file.
    private var leavesOutDataOfTIFF: Bool {
        guard format == .tiff, let file = TIFFReader(source) else {
            return format == .tiff || format == .raw
        }
        // Blocks that are read are copied, or told by their own names.
        var others: Set<Int> = []
        if blocks.xmp != nil { others.insert(TIFFStructure.Tag.xmp) }
        if blocks.iptc != nil { others.insert(TIFFStructure.Tag.iptc) }
        return TIFFStructuralTags.hasFurther(in: file, besides: others)
    }

    private var hasUnreadableMetadata: Bool {
        if blocks.hasUnreadable || exif.map({ TIFFStructure($0) == nil }) ?? false { return true }
        switch format {
        // Metadata that are not read in these formats.
        case .jpeg2000: return ISOBoxes(source).contains { $0.type == "uuid" || $0.type == "xml " }
        case .gif: return source.firstIndex(of: Array("XMP DataXMP".utf8), from: 0) != nil
        default: return false
        }
    }

    /// The UUID of the box with a C2PA manifest.
    ///
    /// Source: C2PA 2.1, A.5.
    private static let manifest: [UInt8] = [
        0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4,
        0x81,
    ]

    /// Whether data such as a C2PA manifest are about the old pixels; in a PNG they are chunks.
    private var hasDataOfPixels: Bool {
        switch format {
        case .webP: RIFFChunks(source).contains { $0.name == "C2PA" }
        case .jpegXL: ISOBoxes(source).contains { $0.type == "jumb" }
        case .heic, .avif:
            ISOBoxes(source).contains { $0.type == "uuid" && $0.body.starts(with: Self.manifest) }
        default: false
        }
    }

    private var hasDataAfterPicture: Bool {
        switch format {
        case .png: source[PNGChunks(source).end...].contains { $0 != 0 }
        case .webP: source.dropFirst(RIFFChunks(source).fileLength).contains { $0 != 0 }
        // The video of a motion photo.
        case .heic, .avif: ISOBoxes(source).contains { $0.type == "mpvd" }
        default: false
        }
    }

    /// Whether the file has pictures that belong to the shown one.
    private var hasCompanionPictures: Bool {
        switch format {
        case .heic, .avif: HEIFPictures(source)?.hasAuxiliary ?? false
        // The gain map.
        case .jpegXL: ISOBoxes(source).contains { $0.type == "jhgm" }
        default: false
        }
    }

    /// Whether the file has other pictures than the one that is shown, such as further pages.
    var hasFurtherPictures: Bool {
        switch format {
        case .tiff: TIFFPages.count(source) > 1
        case .ico: ICODirectory.count(source) > 1
        case .heic, .avif: HEIFPictures(source)?.hasOthers ?? false
        case .jpeg: MultiPictureIndex(source)?.hasOtherViews ?? false
        default: false
        }
    }
}
