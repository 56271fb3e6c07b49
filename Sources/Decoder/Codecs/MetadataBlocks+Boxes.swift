/// HEIF, AVIF and JPEG XL.
extension MetadataBlocks {
    /// Reads the boxes of a container; those that are compressed are left alone.
    ///
    /// Source: ISO/IEC 18181-2, 9.3 and 9.4.
    mutating func readJXL(_ bytes: UnsafeRawBufferPointer) {
        exif = Self.exif(inJXL: bytes)
        xmp = ISOBoxes(bytes).first("xml ")
    }

    /// The TIFF structure in a container.
    static func exif(inJXL bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        ISOBoxes(bytes).first("Exif").flatMap { exif(in: $0) }
    }

    /// Source: ISO/IEC 23008-12, annex A.2, and ISO/IEC 14496-12, 8.11.
    mutating func readHEIF(_ bytes: UnsafeRawBufferPointer) {
        // The first four bytes of these boxes are their version and flags.
        guard let meta = ISOBoxes(bytes).first("meta"), meta.count > 4 else { return }
        let boxes = ISOBoxes(meta.dropping(4))
        if let properties = boxes.first("iprp"), let list = ISOBoxes(properties).first("ipco") {
            profile = ISOBoxes(list).first {
                $0.type == "colr"
                    && ($0.body.starts(with: "prof".utf8) || $0.body.starts(with: "rICC".utf8))
            }?.body.dropping(4)
        }
        guard let items = boxes.first("iinf"), let places = boxes.first("iloc") else { return }
        let (exifItem, xmpItem) = Self.items(in: items)
        let data = boxes.first("idat")
        let locations = ISOItemLocations(
            places, wanted: Set([exifItem, xmpItem].compactMap(\.self)))
        exif = exifItem.flatMap { locations.bytes(of: $0, file: bytes, data: data) }
            .flatMap { Self.exif(in: $0) }
        xmp = xmpItem.flatMap { locations.bytes(of: $0, file: bytes, data: data) }
    }

    /// The TIFF structure behind the offset to it.
    private static func exif(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var reader = BigEndianReader(bytes)
        guard let offset = reader.number(4), offset < reader.rest.count else { return nil }
        return reader.rest.dropping(offset)
    }

    /// The numbers of the items that are EXIF and XMP.
    private static func items(
        in bytes: UnsafeRawBufferPointer
    ) -> (exif: Int?, xmp: Int?) {
        var (exif, xmp) = (Int?.none, Int?.none)
        guard let items = ISOItems(bytes) else { return (nil, nil) }
        for item in items {
            if item.type == "Exif" { exif = exif ?? item.number }
            // A name that ends with a zero, then the media type.
            guard item.type == "mime", let end = item.rest.firstIndex(of: 0) else { continue }
            let media = item.rest.dropFirst(end + 1)
            if media.starts(with: "application/rdf+xml".utf8) { xmp = xmp ?? item.number }
        }
        return (exif, xmp)
    }
}
