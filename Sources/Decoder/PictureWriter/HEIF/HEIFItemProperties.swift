import Containers
import Geometry
import Localization

/// The iprp box of a HEIF file: properties, and the items that have them.
///
/// Source: ISO/IEC 23008-12, 9.3.
struct HEIFItemProperties {
    /// The number of a property, from 1 on, and whether readers have to support the property.
    struct Association: Hashable {
        var number: Int
        var isEssential: Bool
    }

    private struct Property {
        var type: String
        var bytes: [UInt8]
    }

    private var list: [Property]
    private var items: [(item: Int, properties: [Association])] = []
    private let version: Int

    private static let (rotation, mirroring, aperture) = ("irot", "imir", "clap")
    private static let most = 0x7FFF

    /// Parses the body of an iprp box; nil if it has other boxes than usual.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let boxes = BoxRange.all(in: bytes, 0..<bytes.count)
        guard boxes.map(\.type) == ["ipco", "ipma"], let properties = boxes.first,
            let table = boxes.last, table.whole.upperBound == bytes.count
        else { return nil }
        let parts = BoxRange.all(in: bytes, properties.body)
        guard
            parts.last?.whole.upperBound ?? properties.body.lowerBound
                == properties.body.upperBound
        else { return nil }
        list = parts.map { Property(type: $0.type, bytes: Array(bytes.slice($0.whole))) }
        var reader = BigEndianReader(bytes.slice(table.body))
        guard let version = reader.number(1), version <= 1, let flags = reader.number(3),
            let count = reader.number(4), count <= table.body.count
        else { return nil }
        self.version = version
        for _ in 0..<count {
            guard let item = reader.number(version == 0 ? 2 : 4), let length = reader.number(1)
            else { return nil }
            var found: [Association] = []
            for _ in 0..<length {
                let size = flags & 1 == 0 ? 1 : 2
                guard let number = reader.number(size) else { return nil }
                let mark = size == 1 ? 0x80 : 0x8000
                found.append(
                    Association(number: number & (mark - 1), isEssential: number & mark != 0))
            }
            items.append((item, found))
        }
    }

    private func properties(of item: Int) -> [Association] {
        items.first { $0.item == item }?.properties ?? []
    }

    private func property(_ association: Association) -> Property? {
        list.indices.contains(association.number - 1) ? list[association.number - 1] : nil
    }

    /// What turns and crops an item, in order.
    func transformation(of item: Int) -> [[UInt8]] {
        properties(of: item).compactMap { property($0) }.filter {
            [Self.rotation, Self.mirroring, Self.aperture].contains($0.type)
        }.map(\.bytes)
    }

    /// The names of alpha channels in the property auxC, for all codecs and for single ones.
    private static let alpha = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
        "urn:mpeg:avc:2015:auxid:1",
    ].map { Array($0.utf8) + [0] }

    /// Whether an item is an alpha channel.
    func isAlpha(_ item: Int) -> Bool {
        properties(of: item).compactMap { property($0) }.contains { property in
            // The name comes after the header of the box, its version and its flags.
            property.type == "auxC"
                && Self.alpha.contains { property.bytes.dropFirst(12).starts(with: $0) }
        }
    }

    /// The orientation of an item; refuses items that are cropped after they were turned.
    func orientation(of item: Int) throws(EditFailure) -> Orientation {
        var result = Orientation.upright
        for property in properties(of: item).compactMap({ property($0) }) {
            switch property.type {
            case Self.rotation:
                // Anticlockwise quarter turns.
                let turns = Int((property.bytes.last ?? 0) & 3)
                result = result.followed(by: Orientation(turns: -turns))
            case Self.mirroring:
                let isHorizontal = (property.bytes.last ?? 0) & 1 == 1
                result = result.followed(by: isHorizontal ? .mirrored : .mirroredUpsideDown)
            case Self.aperture where result != .upright:
                throw .refused(localized("the picture is cropped after it is turned"))
            default: break
            }
        }
        return result
    }

    /// Gives an item an orientation: a rotation, then a mirroring of left and right.
    mutating func setOrientation(
        _ orientation: Orientation, of item: Int
    ) throws(EditFailure) {
        var kept = properties(of: item).filter { association in
            let type = property(association)?.type
            return type != Self.rotation && type != Self.mirroring
        }
        let isMirrored = [.mirrored, .mirroredUpsideDown, .transposed, .transversed].contains(
            orientation)
        // What is left for the rotation if the mirroring comes after it.
        let turned = isMirrored ? orientation.followed(by: .mirrored) : orientation
        let turns = (0..<4).first { Orientation(turns: -$0) == turned } ?? 0
        if turns != 0 { kept.append(try association(Self.rotation, UInt8(turns))) }
        if isMirrored { kept.append(try association(Self.mirroring, 1)) }
        guard kept.count <= 255 else {
            throw .refused(localized("the picture has too many properties"))
        }
        if let place = items.firstIndex(where: { $0.item == item }) {
            items[place].properties = kept
        } else {
            items.append((item, kept))
            items.sort { $0.item < $1.item }
        }
    }

    /// The association with a property of one byte, which is added if it is missing.
    private mutating func association(
        _ type: String, _ value: UInt8
    ) throws(EditFailure) -> Association {
        let bytes = [0, 0, 0, 9] + Array(type.utf8) + [value]
        if let place = list.firstIndex(where: { $0.bytes == bytes }) {
            return Association(number: place + 1, isEssential: true)
        }
        guard list.count < Self.most else {
            throw .refused(localized("the file has too many properties"))
        }
        list.append(Property(type: type, bytes: bytes))
        return Association(number: list.count, isEssential: true)
    }

    /// The whole iprp box.
    var written: [UInt8] {
        let isLong = items.contains { $0.properties.contains { $0.number > 0x7F } }
        var table = [UInt8(version), 0, 0, isLong ? 1 : 0] + bigEndian(items.count, 4)
        for (item, properties) in items {
            table += bigEndian(item, version == 0 ? 2 : 4) + [UInt8(properties.count)]
            for property in properties {
                let mark = property.isEssential ? (isLong ? 0x8000 : 0x80) : 0
                table += bigEndian(property.number | mark, isLong ? 2 : 1)
            }
        }
        return Self.box(
            "iprp", Self.box("ipco", list.flatMap(\.bytes)) + Self.box("ipma", table))
    }

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        bigEndian(body.count + 8, 4) + Array(type.utf8) + body
    }
}
