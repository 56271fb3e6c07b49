import Containers
import Geometry
import ImageTypes

/// The boxes of a HEIF file whose primary picture is a grid of tiles.
///
/// Source: ISO/IEC 23008-12, 6.6.2.3, and ISO/IEC 14496-12, 8.11.
struct HEIFGrid {
    /// The size in pixels, as stored (before orientation).
    let size: PixelSize
    let orientation: Orientation
    let columns: Int
    let rows: Int
    /// The tiles, row by row.
    private let tiles: [HEIFTile]

    /// Parses the boxes of a file.
    ///
    /// Nil if the primary picture is not a grid, or is mirrored or cropped: libheif decodes such
    /// pictures as a whole.
    init?(_ bytes: UnsafeRawBufferPointer) {
        // The first four bytes of these boxes are their version and flags.
        guard let meta = ISOBoxes(bytes).first("meta"), meta.count > 4 else { return nil }
        let boxes = ISOBoxes(meta.dropping(4))
        guard let primary = boxes.first("pitm").flatMap({ Self.number(in: $0) }),
            let locationBox = boxes.first("iloc"),
            let items = boxes.first("iinf").flatMap({ ISOItems($0) }),
            let tileItems = boxes.first("iref").flatMap({ Self.tileItems(of: primary, in: $0) }),
            let properties = boxes.first("iprp").flatMap({ HEIFProperties($0) }),
            let orientation = Self.orientation(properties[primary])
        else { return nil }
        let kinds = Dictionary(
            items.map { ($0.number, $0.type) }, uniquingKeysWith: { _, last in last })
        guard kinds[primary] == "grid" else { return nil }
        let locations = ISOItemLocations(locationBox, wanted: Set(tileItems + [primary]))
        let data = boxes.first("idat")
        guard let grid = locations.bytes(of: primary, file: bytes, data: data) else { return nil }
        var reader = BigEndianReader(grid)
        guard reader.number(1) == 0, let flags = reader.number(1), let rows = reader.number(1),
            let columns = reader.number(1), let width = reader.number(flags & 1 == 0 ? 2 : 4),
            let height = reader.number(flags & 1 == 0 ? 2 : 4),
            tileItems.count == (rows + 1) * (columns + 1)
        else { return nil }
        var tiles: [HEIFTile] = []
        for tileItem in tileItems {
            // libheif decodes grids whose tiles are derived pictures themselves.
            guard let kind = kinds[tileItem], ["hvc1", "av01"].contains(kind) else { return nil }
            tiles.append(
                HEIFTile(
                    kind: kind, properties: properties[tileItem],
                    data: locations.bytes(of: tileItem, file: bytes, data: data)))
        }
        size = PixelSize(width: width, height: height)
        (self.rows, self.columns) = (rows + 1, columns + 1)
        (self.tiles, self.orientation) = (tiles, orientation)
    }

    /// A HEIF file of one tile alone, since libheif does not give access to the tiles of a grid.
    func file(ofTile number: Int) -> [UInt8] { tiles[number].file }

    /// The number of an item, which follows version and flags in its box.
    private static func number(in bytes: UnsafeRawBufferPointer) -> Int? {
        var reader = BigEndianReader(bytes)
        guard let version = reader.number(1), reader.consume(3) != nil else { return nil }
        return reader.number(version == 0 ? 2 : 4)
    }

    /// The items that `item` is derived from; nil if they are missing or corrupt.
    private static func tileItems(of item: Int, in bytes: UnsafeRawBufferPointer) -> [Int]? {
        var reader = BigEndianReader(bytes)
        guard let version = reader.number(1), reader.consume(3) != nil else { return nil }
        let length = version == 0 ? 2 : 4
        for box in ISOBoxes(reader.rest) where box.type == "dimg" {
            var entry = BigEndianReader(box.body)
            guard entry.number(length) == item, let count = entry.number(2) else { continue }
            var tileItems: [Int] = []
            for _ in 0..<count {
                guard let tileItem = entry.number(length) else { return nil }
                tileItems.append(tileItem)
            }
            return tileItems
        }
        return nil
    }

    /// The orientation by the properties of an item; nil if these mirror or crop.
    private static func orientation(_ properties: [HEIFProperties.Property]) -> Orientation? {
        var orientation = Orientation.upright
        for property in properties {
            switch property.box.type {
            case "imir", "clap": return nil
            case "irot":
                guard orientation == .upright, let turns = property.box.body.first else {
                    return nil
                }
                // Quarter turns anticlockwise.
                orientation = [.upright, .rotatedRight, .upsideDown, .rotatedLeft][Int(turns & 3)]
            default: break
            }
        }
        return orientation
    }
}
