import CoreTestKit
import Geometry
import ImageTypes
import Testing

@testable import Interface

/// The text of the information panel, and its lines.
@Suite struct InformationTests {
    @Test func emptyFactsAreOmitted() {
        var facts = Information.Facts(name: "a.jpg", folder: "")
        facts.metadata.entries = [.init(.camera, "Camera", ""), .init(.place, "City", "Zürich")]
        #expect(Information(facts).sections.map(\.title) == ["File", "Place"])
        facts.length = 24_213_456
        facts.picture = PictureInfo(
            size: PixelSize(width: 6000, height: 4000), orientation: .upright, format: "JPEG")
        facts.metadata.position = .init(latitude: -47.376888, longitude: 8.00004)
        let rows = Information(facts).sections.flatMap(\.rows)
        let values = Dictionary(uniqueKeysWithValues: rows.map { ($0.label, $0.value) })
        #expect(values["Size"] == "24.2 MB (24213456 bytes)")
        #expect(values["Dimensions"] == "6000 × 4000 (24 megapixels)")
        #expect(values["Format"] == "JPEG")
        #expect(values["Position"] == "47.37689° S, 8.00004° E")
        #expect(values["Folder"] == nil)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB (1000 bytes)"),
        (999_949, "999.9 kB (999949 bytes)"), (999_950, "1 MB (999950 bytes)"),
        (2_500_000_000, "2.5 GB (2500000000 bytes)"),
    ])
    func lengthsAreReadable(bytes: Int, text: String) {
        #expect(Information.text(bytes: bytes) == text)
    }

    /// Values take the lines that they need, one below another.
    @Test func longValuesTakeSeveralLines() throws {
        var facts = Information.Facts(name: String(repeating: "x", count: 200), folder: "/photos")
        facts.metadata.entries = [
            .init(.description, "Text", String(repeating: "word ", count: 50_000))
        ]
        let layout = InformationLayout(Information(facts), width: 380, .fixed)
        let name = try #require(layout.lines.first { $0.label == "Name" })
        let text = try #require(layout.lines.last)
        #expect(name.height == 17.5 * 7)
        #expect(text.height == 17.5 * Double(InformationLayout.mostLines))
        for (line, next) in zip(layout.lines, layout.lines.dropFirst()) {
            #expect(line.y + line.height <= next.y)
        }
        #expect(text.y + text.height < layout.height)
    }

    @Test func aPanelWithoutWidthHasALayout() {
        let facts = Information.Facts(name: "abc", folder: "")
        let layout = InformationLayout(Information(facts), width: -5, .fixed)
        #expect(layout.lines.count == 2 && layout.height.isFinite)
    }
}
