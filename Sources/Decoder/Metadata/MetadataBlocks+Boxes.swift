import Containers

/// HEIF, AVIF and JPEG XL.
extension MetadataBlocks {
    /// Reads the boxes of a JPEG XL container; compressed boxes are skipped.
    ///
    /// Source: ISO/IEC 18181-2, 9.3 and 9.4.
    mutating func readJXL(_ bytes: UnsafeRawBufferPointer) {
        exif = Self.exif(inJXL: bytes)
        xmp = ISOBoxes(bytes).first("xml ")
    }

    /// The TIFF structure with the EXIF data of a JPEG XL container.
    static func exif(inJXL bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        ISOBoxes(bytes).first("Exif").flatMap { exif(in: $0) }
    }

    /// Reads the metadata items and the ICC profile of a HEIF or AVIF file.
    ///
    /// Source: ISO/IEC 23008-12, annex A.2, and ISO/IEC 14496-12, 8.11.
    mutating func readHEIF(_ bytes: UnsafeRawBufferPointer) {
        // The first four bytes of a full box are version and flags.
        guard let meta = ISOBoxes(bytes).first("meta"), meta.count > 4 else { return }
        let boxes = ISOBoxes(meta.dropping(4))
        if let properties = boxes.first("iprp"), let list = ISOBoxes(properties).first("ipco") {
            profile = ISOBoxes(list).first {
                $0.type == "colr"
                    && ($0.body.starts(with: "prof".utf8) || $0.body.starts(with: "rICC".utf8))
            }?.body.dropping(4)
        }
        guard let items = boxes.first("iinf"), let iloc = boxes.first("iloc") else { return }
        let (exifItem, xmpItem) = Self.items(in: items)
        let data = boxes.first("idat")
        let locations = ISOItemLocations(
            iloc, wanted: Set([exifItem, xmpItem].compactMap(\.self)))
        exif = exifItem.flatMap { locations.bytes(of: $0, file: bytes, data: data) }
            .flatMap { Self.exif(in: $0) }
        xmp = xmpItem.flatMap { locations.bytes(of: $0, file: bytes, data: data) }
    }

    /// The TIFF structure, whose offset is in the first four bytes.
    private static func exif(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var reader = BigEndianReader(bytes)
        guard let offset = reader.number(4), offset < reader.rest.count else { return nil }
        return reader.rest.dropping(offset)
    }

    /// The IDs of the items with EXIF and XMP data.
    private static func items(
        in bytes: UnsafeRawBufferPointer
    ) -> (exif: Int?, xmp: Int?) {
        var (exif, xmp) = (Int?.none, Int?.none)
        guard let items = ISOItems(bytes) else { return (nil, nil) }
        for item in items {
            if item.type == "Exif" { exif = exif ?? item.number }
            // A zero-terminated name comes before the media type.
            guard item.type == "mime", let end = item.rest.firstIndex(of: 0) else { continue }
            let media = item.rest.dropFirst(end + 1)
            if media.starts(with: "application/rdf+xml".utf8) { xmp = xmp ?? item.number }
        }
        return (exif, xmp)
    }
}
