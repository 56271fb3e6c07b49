import Geometry
import ImageTypes
import TestKit
import Testing

@testable import Metadata

/// Faces and other regions in XMP.
@Suite struct RegionTests {
    private static let namespaces = """
        xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" \
        xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" \
        xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" \
        xmlns:MP="http://ns.microsoft.com/photo/1.2/" \
        xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#" \
        xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#"
        """

    private static func area(_ x: Double, _ y: Double, _ w: Double, _ h: Double) -> String {
        "<mwg-rs:Area stArea:x=\"\(x)\" stArea:y=\"\(y)\" stArea:w=\"\(w)\" stArea:h=\"\(h)\" "
            + "stArea:unit=\"normalized\"/>"
    }

    private static func list(_ items: String, width: Int = 4000, height: Int = 3000) -> String {
        "<mwg-rs:Regions rdf:parseType=\"Resource\"><mwg-rs:AppliedToDimensions "
            + "stDim:w=\"\(width)\" stDim:h=\"\(height)\" stDim:unit=\"pixel\"/>"
            + "<mwg-rs:RegionList><rdf:Bag>\(items)</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>"
    }

    private static func item(_ area: String, type: String = "Face") -> String {
        "<rdf:li rdf:parseType=\"Resource\"><mwg-rs:Type>\(type)</mwg-rs:Type>\(area)</rdf:li>"
    }

    private static func regions(
        _ elements: String, _ orientation: Orientation = .upright,
        size: PixelSize = PixelSize(width: 4000, height: 3000)
    ) -> [Rect] {
        let file = TestMetadata.jpeg(
            xmp: TestMetadata.xmp(attributes: namespaces, elements))
        let info = PictureInfo(
            size: orientation.upright(size), orientation: orientation, format: "JPEG")
        return file.withUnsafeBytes { RegionReader.regions(of: $0, info) }
    }

    private static func isNear(_ rect: Rect?, _ x: Double, _ y: Double, _ w: Double, _ h: Double)
        -> Bool
    {
        guard let rect else { return false }
        return [rect.x - x, rect.y - y, rect.width - w, rect.height - h].allSatisfy {
            abs($0) < 1e-9
        }
    }

    @Test func attributesAndElementsAreEquivalent() {
        let attributes = Self.regions(Self.list(Self.item(Self.area(0.5, 0.25, 0.2, 0.1))))
        #expect(attributes.count == 1 && Self.isNear(attributes.first, 0.4, 0.2, 0.2, 0.1))
        let elements = Self.regions(
            Self.list(
                "<rdf:li><rdf:Description mwg-rs:Type=\"Face\"><mwg-rs:Area "
                    + "rdf:parseType=\"Resource\"><stArea:x>0.5</stArea:x><stArea:y>0.25</stArea:y>"
                    + "<stArea:w>0.2</stArea:w><stArea:h>0.1</stArea:h></mwg-rs:Area>"
                    + "</rdf:Description></rdf:li>"))
        #expect(elements == attributes)
    }

    @Test func peopleTagsAreRead() {
        let regions = Self.regions(
            "<MP:RegionInfo rdf:parseType=\"Resource\"><MPRI:Regions><rdf:Bag>"
                + "<rdf:li MPReg:Rectangle=\"0.1, 0.2, 0.3, 0.4\"/>"
                + "<rdf:li MPReg:PersonDisplayName=\"A\"/></rdf:Bag></MPRI:Regions>"
                + "</MP:RegionInfo>")
        #expect(regions.count == 1 && Self.isNear(regions.first, 0.1, 0.2, 0.3, 0.4))
    }

    @Test func otherKindsAndUnitsAreLeftOut() {
        let pixels = Self.area(100, 100, 50, 50).replacing("normalized", with: "pixel")
        let regions = Self.regions(
            Self.list(
                Self.item(Self.area(0.5, 0.5, 0.2, 0.2), type: "BarCode") + Self.item(pixels)
                    + Self.item(Self.area(0.5, 0.5, 0.4, 0.4), type: "Pet")))
        #expect(regions.count == 1 && Self.isNear(regions.first, 0.3, 0.3, 0.4, 0.4))
    }

    /// Stored pixels are turned; regions that are measured in the upright picture are not.
    @Test func regionsAreUpright() {
        let item = Self.item(Self.area(0.25, 0.4, 0.1, 0.2))
        let stored = Self.regions(Self.list(item), .rotatedLeft)
        #expect(Self.isNear(stored.first, 0.5, 0.2, 0.2, 0.1))
        let upright = Self.regions(Self.list(item, width: 3000, height: 4000), .rotatedLeft)
        #expect(Self.isNear(upright.first, 0.2, 0.3, 0.1, 0.2))
    }

    /// Turning back and forth is the identity, for each orientation and its inverse.
    @Test func orientationsTurnRectangles() {
        let rect = Rect(x: 0.125, y: 0.25, width: 0.5, height: 0.0625)
        for orientation in Orientation.allCases {
            let inverse: Orientation =
                switch orientation {
                case .rotatedLeft: .rotatedRight
                case .rotatedRight: .rotatedLeft
                default: orientation
                }
            #expect(inverse.upright(orientation.upright(rect)) == rect, "\(orientation)")
        }
        // A corner at the top left of what the camera stored is at the top right when upright.
        let corner = Rect(x: 0, y: 0, width: 0.25, height: 0.125)
        #expect(
            Orientation.rotatedLeft.upright(corner)
                == Rect(x: 0.875, y: 0, width: 0.125, height: 0.25))
    }

    @Test(arguments: ["nan", "inf", "1e400", "-5", "", "0x1p3", "5000000000", "a"])
    func nonsenseIsLeftOut(number: String) {
        let area = Self.area(0.5, 0.5, 0.2, 0.2)
        for name in ["x", "y", "w", "h"] {
            let broken = area.replacing(
                "stArea:\(name)=\"0", with: "stArea:\(name)=\"\(number)\" a\(name)=\"0")
            let regions = Self.regions(Self.list(Self.item(broken)))
            #expect(regions.allSatisfy { $0.x >= 0 && $0.maxX <= 1 && $0.maxY <= 1 })
            #expect(regions.count <= 1)
        }
        #expect(
            Self.regions(
                "<MP:RegionInfo><rdf:li MPReg:Rectangle=\"0, \(number), 0.5\"/></MP:RegionInfo>"
            ).isEmpty)
    }

    @Test func thereIsALimit() {
        let item = Self.item(Self.area(0.5, 0.5, 0.2, 0.2))
        let many = Self.regions(Self.list(String(repeating: item, count: 2000)))
        #expect(many.count == PictureInfo.mostRegions)
    }

    @Test func everyTruncationIsReadSafely() {
        let packet = TestMetadata.xmp(
            attributes: Self.namespaces, Self.list(Self.item(Self.area(0.5, 0.5, 0.2, 0.2))))
        let info = PictureInfo(
            size: PixelSize(width: 40, height: 30), orientation: .upright, format: "JPEG")
        let file = TestMetadata.jpeg(xmp: packet)
        for length in stride(from: 0, to: file.count, by: 7) {
            let regions = Array(file.prefix(length)).withUnsafeBytes {
                RegionReader.regions(of: $0, info)
            }
            #expect(regions.count <= 1)
        }
    }
}
