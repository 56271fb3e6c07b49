import Containers

/// HEIF, AVIF and JPEG XL.
extension MetadataBlocks {
    /// Reads the boxes of a JPEG XL container.
    ///
    /// Source: ISO/IEC 18181-2, 9.3 and 9.4.
    mutating func readJXL(_ bytes: UnsafeRawBufferPointer) {
        exif = content("Exif", in: bytes).flatMap { Self.exif(in: $0) }
        xmp = content("xml ", in: bytes)
        // A version, then the length of the metadata.
        if let map = ISOBoxes(bytes).first("jhgm"), map.count > 3,
            let data = map.part(at: 3, length: Int(map[1]) << 8 | Int(map[2])), map[0] == 0,
            let gains = GainMap(iso: data)
        {
            dynamicRange = .gainMap(headroom: gains.headroom)
        }
    }

    /// The content of a box, which may be packed.
    private mutating func content(
        _ type: String, in bytes: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        guard let box = JXLBox.first(type, in: bytes) else { return nil }
        switch box {
        case .plain(let body): return body
        case .packed(let body):
            guard let data = UnpackedBytes.unpacked(brob: body) else {
                hasUnreadable = true
                return nil
            }
            return keep(data)
        }
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
            dynamicRange = Self.dynamicRange(ofProperties: ISOBoxes(list))
        }
        guard let items = boxes.first("iinf"), let iloc = boxes.first("iloc") else { return }
        let (exifItem, xmpItem, mapItem) = Self.items(in: items)
        let data = boxes.first("idat")
        let locations = ISOItemLocations(
            iloc, wanted: Set([exifItem, xmpItem, mapItem].compactMap(\.self)))
        // The colours of such a file may be those of the brighter picture, which is not stored.
        if let mapItem {
            dynamicRange = locations.bytes(of: mapItem, file: bytes, data: data)
                .flatMap { HighDynamicRange(versioned: $0) }
        }
        exif = exifItem.flatMap { locations.bytes(of: $0, file: bytes, data: data) }
            .flatMap { Self.exif(in: $0) }
        xmp = xmpItem.flatMap { locations.bytes(of: $0, file: bytes, data: data) }
        hasUnreadable = exifItem != nil && exif == nil || xmpItem != nil && xmp == nil
    }

    /// The TIFF structure, whose offset is in the first four bytes.
    fileprivate static func exif(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var reader = BigEndianReader(bytes)
        guard let offset = reader.number(4), offset < reader.rest.count else { return nil }
        return reader.rest.dropping(offset)
    }

    /// What the colours of the items, and Apple's kind of an auxiliary picture, say of light.
    private static func dynamicRange(ofProperties list: ISOBoxes) -> HighDynamicRange? {
        var range: HighDynamicRange?
        for property in list {
            // Primaries have two bytes, then the transfer function.
            if property.type == "colr", property.body.starts(with: "nclx".utf8),
                property.body.count >= 8
            {
                range = range ?? HighDynamicRange(transfer: Int(property.body[7]))
            }
            let apple = "urn:com:apple:photo:2020:aux:hdrgainmap".utf8
            if property.type == "auxC", property.body.dropFirst(4).starts(with: apple) {
                return .gainMap(headroom: nil)
            }
        }
        return range
    }

    /// The IDs of the items with EXIF and XMP data, and with the description of a gain map.
    private static func items(
        in bytes: UnsafeRawBufferPointer
    ) -> (exif: Int?, xmp: Int?, map: Int?) {
        var (exif, xmp, map) = (Int?.none, Int?.none, Int?.none)
        guard let items = ISOItems(bytes) else { return (nil, nil, nil) }
        for item in items {
            if item.type == "Exif" { exif = exif ?? item.number }
            if item.type == "tmap" { map = map ?? item.number }
            // A zero-terminated name comes before the media type.
            guard item.type == "mime", let end = item.rest.firstIndex(of: 0) else { continue }
            let media = item.rest.dropFirst(end + 1)
            if media.starts(with: "application/rdf+xml".utf8) { xmp = xmp ?? item.number }
        }
        return (exif, xmp, map)
    }
}

/// A box of a JPEG XL container.
private enum JXLBox {
    case plain(UnsafeRawBufferPointer)
    /// A brob box: the type of its content, and the content in compressed form.
    case packed(UnsafeRawBufferPointer)

    /// The first box of a type; a plain one, if there are both.
    static func first(_ type: String, in bytes: UnsafeRawBufferPointer) -> JXLBox? {
        var packed: UnsafeRawBufferPointer?
        for box in ISOBoxes(bytes) {
            if box.type == type { return .plain(box.body) }
            if box.type == "brob", packed == nil, box.body.starts(with: type.utf8) {
                packed = box.body
            }
        }
        return packed.map { .packed($0) }
    }
}

extension Exif {
    /// Reads the EXIF data of a JPEG XL container.
    package init(jpegXL bytes: UnsafeRawBufferPointer) {
        self.init()
        switch JXLBox.first("Exif", in: bytes) {
        case .plain(let body):
            if let tiff = MetadataBlocks.exif(in: body) { self = Exif(tiff: tiff) }
        case .packed(let body):
            UnpackedBytes.unpacked(brob: body)?.withUnsafeBytes {
                if let tiff = MetadataBlocks.exif(in: $0) { self = Exif(tiff: tiff) }
            }
        case nil: break
        }
    }
}
