package import Geometry
package import ImageTypes
import XML

/// Reads the regions that a picture's XMP names: faces, pets and the focus.
///
/// Sources: Guidelines for Handling Image Metadata 2.0 (Metadata Working Group), 5.9; People Tagging
/// (Microsoft Photo Region schema).
package struct RegionReader {
    /// The regions in fractions of the upright picture `info`, whose file is `bytes`.
    package static func regions(
        of bytes: UnsafeRawBufferPointer, _ info: PictureInfo
    ) -> [Rect] {
        regions(in: MetadataBlocks(bytes), info)
    }

    /// The regions in fractions of the upright picture `info`.
    package static func regions(in blocks: MetadataBlocks, _ info: PictureInfo) -> [Rect] {
        defer { withExtendedLifetime(blocks) {} }
        guard let xmp = blocks.xmp, xmp.mentions("Region") else { return [] }
        var reader = RegionReader()
        reader.read(xmp)
        // By the standard regions are in stored pixels, but some programs write them upright.
        let isUpright = info.orientation.swapsAxes && reader.isMeasured(in: info.size)
        return isUpright ? reader.regions : reader.regions.map(info.orientation.upright)
    }

    private enum Name {
        static let item = "http://www.w3.org/1999/02/22-rdf-syntax-ns#li"
        static let regions = "http://www.metadataworkinggroup.com/schemas/regions/"
        static let area = "http://ns.adobe.com/xmp/sType/Area#"
        static let dimensions = "http://ns.adobe.com/xap/1.0/sType/Dimensions#"
        static let rectangle = "http://ns.microsoft.com/photo/1.2/t/Region#Rectangle"
        static let type = regions + "Type"
        static let unit = area + "unit"
    }

    /// Regions of other kinds, such as barcodes, do not matter for a person.
    private static let types: Set<String> = ["Face", "Pet", "Focus"]

    private(set) var regions: [Rect] = []
    private var prefixes = XMLPrefixes()
    /// The properties of the region that is read, by their expanded names.
    private var properties: [String: String] = [:]
    private var dimensions: [String: String] = [:]
    private var text = ""

    private mutating func read(_ xmp: UnsafeRawBufferPointer) {
        var scanner = XMLScanner(xmp)
        // Of a damaged packet the regions before the damage count.
        while let token = try? scanner.next(), regions.count < PictureInfo.mostRegions {
            switch token {
            case .start(let tag): begin(tag)
            case .text(let more): text += more
            case .end(let name): end(prefixes.expanded(name))
            }
        }
    }

    private mutating func begin(_ tag: XMLToken.StartTag) {
        prefixes.declare(tag)
        text = ""
        if prefixes.expanded(tag.name) == Name.item { properties = [:] }
        for attribute in tag.attributes { set(prefixes.expanded(attribute.name), attribute.value) }
    }

    private mutating func end(_ name: String) {
        set(name, text)
        text = ""
        guard name == Name.item else { return }
        if let region = region, !region.isEmpty { regions.append(region) }
        properties = [:]
    }

    private mutating func set(_ name: String, _ value: String) {
        if name.hasPrefix(Name.dimensions) {
            dimensions[name] = value
        } else if name.hasPrefix(Name.area) || name == Name.rectangle || name == Name.type {
            properties[name] = value
        }
    }

    /// The region of the properties; nil if they are not complete, or of another kind.
    private var region: Rect? {
        if let text = properties[Name.rectangle] {
            let numbers = text.split(separator: ",").map {
                Double($0.filter { $0 != " " }) ?? .nan
            }
            guard numbers.count == 4 else { return nil }
            return Self.inside(
                Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        }
        guard Self.types.contains(properties[Name.type] ?? "Face"),
            properties[Name.unit] ?? "normalized" == "normalized"
        else { return nil }
        func number(_ name: String) -> Double {
            properties[Name.area + name].flatMap { Double($0) } ?? .nan
        }
        return Self.inside(
            Rect(
                center: Point(x: number("x"), y: number("y")),
                size: Size(width: number("w"), height: number("h"))))
    }

    /// The part of a region inside the picture; nil for numbers that are none.
    private static func inside(_ rect: Rect) -> Rect? {
        guard [rect.x, rect.y, rect.width, rect.height].allSatisfy({ abs($0) < 1e6 }) else {
            return nil
        }
        return rect.intersection(Rect(x: 0, y: 0, width: 1, height: 1))
    }

    /// Whether the packet says that the regions are measured in a picture of this size.
    private func isMeasured(in size: PixelSize) -> Bool {
        func side(_ name: String) -> Int? {
            dimensions[Name.dimensions + name].flatMap { Int($0) }
        }
        return size.width != size.height && side("w") == size.width && side("h") == size.height
    }
}
