import Containers

/// Which pictures a HEIF file has besides the one that is shown.
///
/// Source: ISO/IEC 23008-12, 6 and 7.
struct HEIFPictures {
    /// Whether pictures belong to the one that is shown, besides an alpha channel: depth maps, gain maps.
    let hasAuxiliary: Bool
    /// Whether pictures stand by themselves, or are a sequence.
    let hasOthers: Bool

    /// Types of items with pictures, coded or derived from others.
    ///
    /// A tone-mapped picture is not among them: it is the shown picture with its gain map.
    private static let pictures: Set<String> = [
        "hvc1", "av01", "avc1", "vvc1", "evc1", "jpeg", "j2k1", "unci", "grid", "iovl", "iden",
    ]

    /// Nil if the boxes cannot be read.
    init?(_ file: UnsafeRawBufferPointer) {
        guard let meta = ISOBoxes(file).first("meta"), meta.count > 4,
            case let boxes = ISOBoxes(meta.dropping(4)), let items = boxes.first("iinf"),
            let list = ISOItems(items), let primary = boxes.first("pitm").flatMap(HEIFFile.primary)
        else { return nil }
        let references = boxes.first("iref").map(ItemReference.all) ?? []
        let properties = boxes.first("iprp").flatMap { HEIFItemProperties($0) }
        let auxiliary = references.filter { $0.type == "auxl" && $0.targets.contains(primary) }
        hasAuxiliary =
            Set(auxiliary.map(\.item)).contains { properties?.isAlpha($0) != true }
            || list.contains { $0.type == "tmap" }
        let companions = references.filter { $0.type == "auxl" || $0.type == "thmb" }.map(\.item)
        // Tiles, and what other pictures are made of.
        let inputs = references.filter { $0.type == "dimg" }.flatMap(\.targets)
        let dependent = Set(companions + inputs + [primary])
        let others = list.contains {
            Self.pictures.contains($0.type) && !$0.isHidden && !dependent.contains($0.number)
        }
        hasOthers = others || ISOBoxes(file).contains { $0.type == "moov" }
    }
}

/// A reference of an item to others.
///
/// Source: ISO/IEC 14496-12, 8.11.12.
struct ItemReference {
    /// The four-character code.
    var type: String
    var item: Int
    var targets: [Int]

    /// Reads the body of an iref box, up to the first corrupt reference.
    static func all(_ box: UnsafeRawBufferPointer) -> [ItemReference] {
        var reader = BigEndianReader(box)
        guard let version = reader.number(1), reader.consume(3) != nil else { return [] }
        let size = version == 0 ? 2 : 4
        return ISOBoxes(reader.rest).compactMap { reference in
            var list = BigEndianReader(reference.body)
            guard let item = list.number(size), let count = list.number(2) else { return nil }
            let targets = (0..<count).compactMap { _ in list.number(size) }
            return ItemReference(type: reference.type, item: item, targets: targets)
        }
    }
}
