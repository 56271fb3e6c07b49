import Geometry
import ImageTypes

/// The primary picture of a HEIF file that is made of others beside and below each other, as its boxes
/// say.
///
/// Source: ISO/IEC 23008-12, 6.6.2.3, and ISO/IEC 14496-12, 8.11.
struct HEIFGrid {
    /// As stored.
    let size: PixelSize
    let orientation: Orientation
    let columns: Int
    let rows: Int
    /// Row by row.
    private let tiles: [HEIFTile]

    /// Nil where it is none, or is mirrored or cropped, which is left to the library.
    init?(_ bytes: UnsafeRawBufferPointer) {
        // The first four bytes of these boxes are their version and flags.
        guard let meta = ISOBoxes(bytes).first("meta"), meta.count > 4 else { return nil }
        let boxes = ISOBoxes(meta.dropping(4))
        guard let primary = boxes.first("pitm").flatMap({ Self.number(in: $0) }),
            let places = boxes.first("iloc"),
            let items = boxes.first("iinf").flatMap({ ISOItems($0) }),
            let parts = boxes.first("iref").flatMap({ Self.parts(of: primary, in: $0) }),
            let properties = boxes.first("iprp").flatMap({ HEIFProperties($0) }),
            let orientation = Self.orientation(properties[primary])
        else { return nil }
        let kinds = Dictionary(
            items.map { ($0.number, $0.type) }, uniquingKeysWith: { _, last in last })
        guard kinds[primary] == "grid" else { return nil }
        let locations = ISOItemLocations(places, wanted: Set(parts + [primary]))
        let data = boxes.first("idat")
        guard let grid = locations.bytes(of: primary, file: bytes, data: data) else { return nil }
        var reader = BigEndianReader(grid)
        guard reader.number(1) == 0, let flags = reader.number(1), let rows = reader.number(1),
            let columns = reader.number(1), let width = reader.number(flags & 1 == 0 ? 2 : 4),
            let height = reader.number(flags & 1 == 0 ? 2 : 4),
            parts.count == (rows + 1) * (columns + 1)
        else { return nil }
        var tiles: [HEIFTile] = []
        for part in parts {
            // Tiles that are derived from others themselves are left to the library.
            guard let kind = kinds[part], ["hvc1", "av01"].contains(kind) else { return nil }
            tiles.append(
                HEIFTile(
                    kind: kind, properties: properties[part],
                    data: locations.bytes(of: part, file: bytes, data: data)))
        }
        size = PixelSize(width: width, height: height)
        (self.rows, self.columns) = (rows + 1, columns + 1)
        (self.tiles, self.orientation) = (tiles, orientation)
    }

    /// A file in which a tile stands for itself: the library gives none of a grid's.
    func file(ofTile number: Int) -> [UInt8] { tiles[number].file }

    /// The number of an item, behind version and flags.
    private static func number(in bytes: UnsafeRawBufferPointer) -> Int? {
        var reader = BigEndianReader(bytes)
        guard let version = reader.number(1), reader.take(3) != nil else { return nil }
        return reader.number(version == 0 ? 2 : 4)
    }

    /// The items that one is derived from.
    private static func parts(of item: Int, in bytes: UnsafeRawBufferPointer) -> [Int]? {
        var reader = BigEndianReader(bytes)
        guard let version = reader.number(1), reader.take(3) != nil else { return nil }
        let length = version == 0 ? 2 : 4
        for box in ISOBoxes(reader.rest) where box.type == "dimg" {
            var entry = BigEndianReader(box.body)
            guard entry.number(length) == item, let count = entry.number(2) else { continue }
            var parts: [Int] = []
            for _ in 0..<count {
                guard let part = entry.number(length) else { return nil }
                parts.append(part)
            }
            return parts
        }
        return nil
    }

    /// By its properties; nil where there are others than a turn.
    private static func orientation(_ properties: [HEIFProperties.Property]) -> Orientation? {
        var orientation = Orientation.upright
        for property in properties {
            switch property.box.type {
            case "imir", "clap": return nil
            case "irot":
                guard orientation == .upright, let turns = property.box.body.first else {
                    return nil
                }
                // Anticlockwise.
                orientation = [.upright, .turnedRight, .upsideDown, .turnedLeft][Int(turns & 3)]
            default: break
            }
        }
        return orientation
    }
}
