package import Geometry

/// Encoders of metadata blocks and containers.
package enum TestMetadata {
    /// A big-endian TIFF directory entry; `value` is the inline value or an offset.
    package static func entry(_ tag: Int, type: Int, count: Int, _ value: [UInt8]) -> [UInt8] {
        number(tag, 2) + number(type, 2) + number(count, 4)
            + (value + [0, 0, 0, 0]).prefix(4)
    }

    /// A big-endian TIFF structure of one directory, followed by the bytes `behind`.
    ///
    /// These bytes start at the offset `behind(entries.count)`.
    package static func tiff(_ entries: [[UInt8]], behind: [UInt8] = []) -> [UInt8] {
        Array("MM\0*".utf8) + number(8, 4) + directory(entries) + behind
    }

    package static func directory(_ entries: [[UInt8]]) -> [UInt8] {
        number(entries.count, 2) + entries.flatMap(\.self) + number(0, 4)
    }

    /// The offset of the bytes after a TIFF structure's only directory.
    package static func behind(_ entries: Int) -> Int { 8 + 2 + entries * 12 + 4 }

    /// A TIFF structure with a camera model.
    package static func camera(_ model: String) -> [UInt8] {
        let text = Array(model.utf8) + [0]
        return tiff(
            [entry(0x0110, type: 2, count: text.count, number(behind(1), 4))], behind: text)
    }

    /// An XMP packet whose description has the given attributes and elements.
    package static func xmp(attributes: String = "", _ elements: String, before: String = "")
        -> [UInt8]
    {
        Array(
            """
            <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>\(before)
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:xmp="http://ns.adobe.com/xap/1.0/" \(attributes)>\(elements)</rdf:Description>
            </rdf:RDF></x:xmpmeta><?xpacket end="w"?>
            """.utf8)
    }

    package static func title(_ text: String) -> String {
        "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">\(text)</rdf:li></rdf:Alt></dc:title>"
    }

    // MARK: Containers

    /// A JPEG segment.
    package static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + number(body.count + 2, 2) + body
    }

    /// The index of a multi-picture file (CIPA DC-007) with two pictures.
    ///
    /// The second picture has `length` bytes; `offset` counts from the TIFF header of the index.
    package static func multiPicture(
        _ length: Int, at offset: Int, kind: Int = 0x01_0002
    ) -> [UInt8] {
        segment(
            0xE2,
            Array("MPF\0MM\0*".utf8) + number(8, 4) + number(1, 2)
                + entry(0xB002, type: 7, count: 32, number(26, 4)) + number(0, 4)
                + number(0x03_0000, 4) + number(0, 12) + number(kind, 4) + number(length, 4)
                + number(offset, 4) + number(0, 4))
    }

    /// A JPEG segment with two EXIF directories: an orientation, and a thumbnail.
    ///
    /// `offset`, `length` and `next` can be wrong values.
    package static func exif(
        thumbnail: [UInt8], orientation: Orientation = .upright, offset: Int = 56,
        length: Int? = nil, next: Int = 26
    ) -> [UInt8] {
        let orientationEntry = entry(0x0112, type: 3, count: 1, [0, orientation.rawValue])
        let place = entry(0x0201, type: 4, count: 1, number(offset, 4))
        let count = entry(0x0202, type: 4, count: 1, number(length ?? thumbnail.count, 4))
        return segment(
            0xE1,
            Array("Exif\0\0MM\0*".utf8) + number(8, 4) + number(1, 2) + orientationEntry
                + number(next, 4) + number(2, 2) + place + count + number(0, 4) + thumbnail)
    }

    /// A JPEG with additional segments after its first marker.
    package static func jpeg(_ segments: [(marker: UInt8, data: [UInt8])]) -> [UInt8] {
        let picture = TestPicture.card(32, 24).jpeg()
        return picture.prefix(2)
            + segments.flatMap { [0xFF, $0.marker] + number($0.data.count + 2, 2) + $0.data }
            + picture.dropFirst(2)
    }

    package static func jpeg(exif: [UInt8]) -> [UInt8] {
        jpeg([(0xE1, Array("Exif\0\0".utf8) + exif)])
    }

    package static func jpeg(xmp: [UInt8]) -> [UInt8] {
        jpeg([(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp)])
    }

    /// A PNG with additional chunks after its header; their checksums are zero.
    package static func png(_ chunks: [(name: String, data: [UInt8])]) -> [UInt8] {
        let picture = TestPicture.card(32, 24).png()
        return picture.prefix(33)
            + chunks.flatMap { chunk -> [UInt8] in
                let length = number(chunk.data.count, 4)
                return length + Array(chunk.name.utf8) + chunk.data + number(0, 4)
            }
            + picture.dropFirst(33)
    }

    /// A WebP file of these chunks, without a picture.
    package static func webP(_ chunks: [(name: String, data: [UInt8])]) -> [UInt8] {
        var body = Array("WEBP".utf8)
        for chunk in chunks {
            body += chunk.name.utf8
            body += number(chunk.data.count, 4).reversed()
            body += chunk.data
            if !chunk.data.count.isMultiple(of: 2) { body.append(0) }
        }
        return Array("RIFF".utf8) + number(body.count, 4).reversed() + body
    }

    package static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        number(body.count + 8, 4) + Array(type.utf8) + body
    }

    /// A HEIF file with an EXIF item and an XMP item; the XMP item lies in the metadata box.
    package static func heif(exif: [UInt8], xmp: [UInt8], brand: String = "heic") -> [UInt8] {
        let type = box("ftyp", Array(brand.utf8) + number(0, 4) + Array("mif1".utf8))
        let block = number(6, 4) + Array("Exif\0\0".utf8) + exif
        let items = box(
            "iinf",
            number(0, 4) + number(2, 2)
                + box("infe", [2, 0, 0, 1] + number(7, 2) + number(0, 2) + Array("Exif\0".utf8))
                + box(
                    "infe",
                    [2, 0, 0, 1] + number(9, 2) + number(0, 2) + Array("mime".utf8)
                        + Array("\0application/rdf+xml\0".utf8)))
        func meta(_ offset: Int) -> [UInt8] {
            let exifPlace = [7, 0, 0, 1].flatMap { number($0, 2) } + number(offset, 4)
            let xmpPlace = [9, 1, 0, 1].flatMap { number($0, 2) } + number(0, 4)
            let places: [[UInt8]] = [
                [1, 0, 0, 0, 0x44, 0x00], number(2, 2), exifPlace, number(block.count, 4),
                xmpPlace, number(xmp.count, 4),
            ]
            let locations = box("iloc", Array(places.joined()))
            return box("meta", number(0, 4) + items + locations + box("idat", xmp))
        }
        let offset = type.count + meta(0).count + 8
        return type + meta(offset) + box("mdat", block)
    }

    package static func jxl(exif: [UInt8], xmp: [UInt8]) -> [UInt8] {
        box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
            + box("Exif", number(0, 4) + exif) + box("xml ", xmp)
    }

    /// An IPTC field of the application record.
    package static func iptc(_ field: Int, _ text: [UInt8]) -> [UInt8] {
        [0x1C, 2, UInt8(field)] + number(text.count, 2) + text
    }

    /// The JPEG segment that holds IPTC records.
    package static func photoshop(_ records: [UInt8]) -> [UInt8] {
        let resource = number(0x0404, 2) + [0, 0] + number(records.count, 4) + records
        return Array("Photoshop 3.0\08BIM".utf8) + resource
    }

    /// The big-endian bytes of a value.
    package static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
