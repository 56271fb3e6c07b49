package import Geometry

/// Files with gain maps, and the metadata of such maps.
package enum TestGainMap {
    package static func big(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }

    /// The binary form, with stops as fractions of 1000.
    package static func binary(
        version: Int = 0, headroom: Int = 2000, minimum: Int = 0, maximum: Int = 2000,
        gamma: Int = 1000, offset: Int = 16, below: Int = 1000, channels: Int = 1,
        isCommon: Bool = false
    ) -> [UInt8] {
        let flags = (channels == 3 ? 0x80 : 0) | (isCommon ? 8 : 0)
        func fraction(_ above: Int) -> [UInt8] {
            big(above, 4) + (isCommon ? [] : big(below, 4))
        }
        let head = big(version, 2) + [0, 0, UInt8(flags)] + (isCommon ? big(below, 4) : [])
        let channel = [minimum, maximum, gamma, offset, offset].flatMap(fraction)
        return head + fraction(0) + fraction(headroom)
            + Array(repeating: channel, count: channels).joined()
    }

    package static func segment(_ marker: UInt8, _ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return [0xFF, marker] + big(body.count + 2, 2) + body
    }

    package static func map(binary: [UInt8]) -> [UInt8] {
        [0xFF, 0xD8] + segment(0xE2, "urn:iso:std:iso:ts:21496:-1\0", binary) + [0xFF, 0xD9]
    }

    package static func map(xmp properties: String, _ names: String = adobe) -> [UInt8] {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description \(names) \(properties)</rdf:RDF></x:xmpmeta>
            """
        return [0xFF, 0xD8] + segment(0xE1, "http://ns.adobe.com/xap/1.0/\0", Array(packet.utf8))
            + [0xFF, 0xD9]
    }

    package static let adobe = "xmlns:m=\"http://ns.adobe.com/hdr-gain-map/1.0/\""
    package static let apple = "xmlns:a=\"http://ns.apple.com/HDRGainMap/1.0/\""

    /// A JPEG with an index of two pictures; `offset` and `length` replace those of the second one.
    package static func jpeg(
        _ map: [UInt8], offset: Int? = nil, length: Int? = nil
    ) -> [UInt8] {
        // The TIFF structure begins 8 bytes into the segment, which is the first.
        let start = 2 + 4 + 4
        let end = start + 26 + 32 + 2
        let structure: [UInt8] =
            Array("MM".utf8) + big(42, 2) + big(8, 4) + big(1, 2) + big(0xB002, 2) + big(7, 2)
            + big(32, 4) + big(26, 4) + big(0, 4)
        let entries =
            big(0x030000, 4) + big(end, 4) + big(0, 8) + big(0, 4)
            + big(length ?? map.count, 4) + big(offset ?? (end - start), 4) + big(0, 4)
        return [0xFF, 0xD8] + segment(0xE2, "MPF\0", structure + entries) + [0xFF, 0xD9] + map
    }

    /// The JPEG `picture` with the index, and `map` after it.
    package static func jpeg(_ picture: [UInt8], with map: some Collection<UInt8>) -> [UInt8] {
        let empty = jpeg([])
        // The index is as long for every offset, which counts from 8 bytes into its segment.
        let index = empty.count - 4
        let whole = jpeg([], offset: picture.count + index - 10, length: map.count)
        return Array(whole.dropLast(2)) + picture.dropFirst(2) + map
    }

    /// A JPEG of one colour, of one or three samples.
    package static func plain(_ color: [UInt8], _ size: PixelSize) -> [UInt8] {
        let samples = (0..<size.width * size.height).flatMap { _ in color }
        return TestPicture.jpeg(samples, size, components: color.count, quality: 100)
    }

    /// A JPEG of one colour with a map of one code, which `segment` describes.
    package static func picture(
        _ color: [UInt8], _ size: PixelSize, _ codes: [UInt8], _ segment: [UInt8],
        mapSize: PixelSize = PixelSize(width: 16, height: 16)
    ) -> [UInt8] {
        let map = plain(codes, mapSize)
        return jpeg(plain(color, size), with: map.prefix(2) + segment + map.dropFirst(2))
    }

    /// The segment of a map of ISO 21496-1 with up to two stops in one channel, without offsets.
    package static let twoStops = segment(
        0xE2, "urn:iso:std:iso:ts:21496:-1\0", binary(offset: 0))

    package static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        big(body.count + 8, 4) + Array(type.utf8) + body
    }

    /// A HEIF file with a tmap item in its data box, and with properties.
    package static func heif(
        item: [UInt8] = [], color: [UInt8]? = nil, auxiliary: [UInt8]? = nil
    ) -> [UInt8] {
        let entry = box("infe", [2, 0, 0, 0] + big(5, 2) + big(0, 2) + Array("tmap".utf8) + [0])
        let location =
            [1, 0, 0, 0] + big(0x4400, 2) + big(1, 2) + big(5, 2) + big(1, 2) + big(0, 2)
            + big(1, 2) + big(0, 4) + big(item.count, 4)
        let properties =
            (color.map { box("colr", $0) } ?? []) + (auxiliary.map { box("auxC", $0) } ?? [])
        let meta =
            [0, 0, 0, 0] + box("iprp", box("ipco", properties))
            + (item.isEmpty
                ? []
                : box("iinf", [0, 0, 0, 0] + big(1, 2) + entry) + box("iloc", location)
                    + box("idat", item))
        return box("ftyp", Array("heic".utf8)) + box("meta", meta)
    }
}
