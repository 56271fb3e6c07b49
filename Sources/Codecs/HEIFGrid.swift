import CCodecs
import Geometry
import Pictures

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
    /// The numbers of the pictures' items, row by row.
    private let tiles: [Int]
    /// Where in the file the number of the primary picture is, and of how many bytes.
    private let primary: (offset: Int, length: Int)
    /// Where in the file it says of an item that it is not shown by itself.
    private let flags: [Int: Int]

    /// Nil where it is none, or is mirrored or cropped, which is left to the library.
    init?(_ bytes: UnsafeRawBufferPointer) {
        // The first four bytes of these boxes are their version and flags.
        guard let meta = ISOBoxes(bytes).first("meta"), meta.count > 4 else { return nil }
        let boxes = ISOBoxes(meta.dropping(4))
        guard let first = boxes.first("pitm"), let primary = Self.number(in: first),
            let places = boxes.first("iloc"), let references = boxes.first("iref"),
            let properties = boxes.first("iprp"),
            let orientation = Self.orientation(of: primary, in: ISOBoxes(properties)),
            let items = boxes.first("iinf").map({ Self.items(in: $0) }),
            items[primary]?.isGrid == true,
            let tiles = Self.parts(of: primary, in: references),
            let grid = ISOItemLocations(places, wanted: [primary])
                .bytes(of: primary, file: bytes, data: boxes.first("idat"))
        else { return nil }
        var reader = BigEndianReader(grid)
        guard reader.number(1) == 0, let flags = reader.number(1), let rows = reader.number(1),
            let columns = reader.number(1), let width = reader.number(flags & 1 == 0 ? 2 : 4),
            let height = reader.number(flags & 1 == 0 ? 2 : 4),
            tiles.count == (rows + 1) * (columns + 1)
        else { return nil }
        size = PixelSize(width: width, height: height)
        (self.rows, self.columns) = (rows + 1, columns + 1)
        (self.tiles, self.orientation) = (tiles, orientation)
        self.primary = (first.offset(in: bytes) + 4, first[0] == 0 ? 2 : 4)
        self.flags = items.mapValues { $0.flags.offset(in: bytes) }
    }

    /// What makes a tile the file's primary picture: the library gives no others.
    func patches(for tile: Int) -> [ccodecs_heif_patch] {
        let item = tiles[tile]
        let number = (0..<primary.length).map { place in
            ccodecs_heif_patch(
                offset: primary.offset + place,
                value: UInt8(truncatingIfNeeded: item >> (8 * (primary.length - 1 - place))))
        }
        return number + (flags[item].map { [ccodecs_heif_patch(offset: $0, value: 0)] } ?? [])
    }

    /// The number of an item, behind version and flags.
    private static func number(in bytes: UnsafeRawBufferPointer) -> Int? {
        var reader = BigEndianReader(bytes)
        guard let version = reader.number(1), reader.take(3) != nil else { return nil }
        return reader.number(version == 0 ? 2 : 4)
    }

    private struct Item {
        var isGrid: Bool
        /// The byte whose lowest bit hides it.
        var flags: UnsafeRawBufferPointer
    }

    private static func items(in bytes: UnsafeRawBufferPointer) -> [Int: Item] {
        var reader = BigEndianReader(bytes)
        var items: [Int: Item] = [:]
        guard let version = reader.number(1), reader.take(3) != nil,
            reader.number(version == 0 ? 2 : 4) != nil
        else { return items }
        for box in ISOBoxes(reader.rest) where box.type == "infe" {
            var entry = BigEndianReader(box.body)
            guard let version = entry.number(1), version >= 2, entry.take(2) != nil,
                let flags = entry.take(1), let item = entry.number(version == 2 ? 2 : 4),
                entry.take(2) != nil, let type = entry.take(4)
            else { continue }
            items[item] = Item(isGrid: type.elementsEqual("grid".utf8), flags: flags)
        }
        return items
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
    private static func orientation(of item: Int, in boxes: ISOBoxes) -> Orientation? {
        guard let list = boxes.first("ipco"), let links = boxes.first("ipma"),
            let numbers = numbers(of: item, in: links)
        else { return nil }
        let properties = Array(ISOBoxes(list))
        var orientation = Orientation.upright
        for number in numbers where properties.indices.contains(number - 1) {
            let property = properties[number - 1]
            if property.type == "imir" || property.type == "clap" { return nil }
            guard property.type == "irot" else { continue }
            guard orientation == .upright, let turns = property.body.first else { return nil }
            // Anticlockwise.
            orientation = [.upright, .turnedRight, .upsideDown, .turnedLeft][Int(turns & 3)]
        }
        return orientation
    }

    /// The properties of an item, counted from 1.
    private static func numbers(of item: Int, in bytes: UnsafeRawBufferPointer) -> [Int]? {
        var reader = BigEndianReader(bytes)
        guard let version = reader.number(1), let flags = reader.number(3),
            let count = reader.number(4)
        else { return nil }
        for _ in 0..<min(count, bytes.count) {
            guard let id = reader.number(version < 1 ? 2 : 4), let links = reader.number(1) else {
                return nil
            }
            var numbers: [Int] = []
            for _ in 0..<links {
                // The first bit says whether one has to know the property.
                guard let number = reader.number(flags & 1 == 0 ? 1 : 2) else { return nil }
                numbers.append(number & (flags & 1 == 0 ? 0x7F : 0x7FFF))
            }
            if id == item { return numbers }
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    /// How far behind the beginning of `whole` this part of it begins.
    fileprivate func offset(in whole: UnsafeRawBufferPointer) -> Int {
        guard let start = baseAddress, let first = whole.baseAddress else { return 0 }
        return start - first
    }
}
