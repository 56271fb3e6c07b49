import Containers

/// A tile of a grid.
struct HEIFTile {
    /// The four-character code of its item type, which names the coding.
    var kind: String
    var properties: [HEIFProperties.Property]
    /// The coded picture; nil if it is missing.
    var data: UnsafeRawBufferPointer?

    /// A HEIF file of this tile alone; empty if the data is missing or too long.
    var file: [UInt8] {
        guard let data, data.count <= Int(Int32.max) else { return [] }
        let brand = kind == "av01" ? "avif" : "heic"
        let start = Self.box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array("mif1\(brand)".utf8))
        // The length of the box does not depend on the offset of the data.
        let dataOffset = start.count + meta(offset: 0, length: data.count).count + 8
        return start + meta(offset: dataOffset, length: data.count) + Self.box("mdat", data)
    }

    private func meta(offset: Int, length: Int) -> [UInt8] {
        let version: [UInt8] = [0, 0, 0, 0]
        let reserved = [UInt8](repeating: 0, count: 13)
        let handler: [UInt8] = version + version + Array("pict".utf8) + reserved
        // The only item has the number 1.
        let location: [UInt8] = [0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1]
        let extent: [UInt8] = Self.bytes(offset, count: 4) + Self.bytes(length, count: 4)
        let item: [UInt8] = [2, 0, 0, 0, 0, 1, 0, 0] + Array(kind.utf8) + [0]
        let list = properties.flatMap { Self.box($0.box.type, $0.box.body) }
        let associations = properties.enumerated().flatMap { index, property in
            Self.bytes(index + 1 | (property.isEssential ? 0x8000 : 0), count: 2)
        }
        let count = UInt8(truncatingIfNeeded: properties.count)
        let table: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, count]
        let boxes: [[UInt8]] = [
            Self.box("hdlr", handler), Self.box("pitm", version + [0, 1]),
            Self.box("iloc", version + location + extent),
            Self.box("iinf", version + [0, 1] + Self.box("infe", item)),
            Self.box("iprp", Self.box("ipco", list) + Self.box("ipma", table + associations)),
        ]
        return Self.box("meta", version + Array(boxes.joined()))
    }

    private static func box(_ type: String, _ body: some Collection<UInt8>) -> [UInt8] {
        bytes(body.count + 8, count: 4) + Array(type.utf8.prefix(4)) + Array(body)
    }

    /// A big-endian number of `count` bytes.
    private static func bytes(_ number: Int, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }
}
