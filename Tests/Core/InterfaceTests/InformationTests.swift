import CoreTestKit
import Geometry
import ImageTypes
import Localization
import SceneModel
import Testing

@testable import Interface

/// The text of the information panel, and its rows.
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
        #expect(values["Dimensions"] == "6000 × 4000 (24 MP)")
        #expect(values["Format"] == "JPEG")
        #expect(values["Position"] == "47.37689° S, 8.00004° E")
        #expect(values["Folder"] == nil)
    }

    /// The stars of the sidecar stand in the place of those of the file, also where there are none.
    @Test(
        arguments: [
            (nil, nil, nil), (nil, 3, "★★★☆☆"), (4, nil, "★★★★☆"), (4, 2, "★★☆☆☆"), (4, 0, nil),
            (nil, 0, nil),
        ] as [(Int?, Int?, String?)])
    func theSidecarHasPriority(file: Int?, sidecar: Int?, shown: String?) {
        var facts = Information.Facts(name: "a.jpg", folder: "")
        facts.metadata.entries = [
            .init(.description, "Title", "A boat"),
            .init(.description, "Rating", file.flatMap(StarRating.text) ?? ""),
            .init(.description, "Software", "A program"), .init(.place, "City", "Zürich"),
        ]
        facts.stars = sidecar
        let sections = Information(facts).sections
        #expect(sections.map(\.title) == ["File", "Description", "Place"])
        let rows = sections[1].rows
        #expect(
            rows.map(\.label)
                == ["Title"] + (shown == nil ? [] : ["Rating"]) + ["Software"])
        #expect(rows.first { $0.label == "Rating" }?.value == shown)
        facts.metadata.entries = []
        let alone = Information(facts).sections.flatMap(\.rows).first { $0.label == "Rating" }
        #expect(alone?.value == sidecar.flatMap(StarRating.text))
    }

    /// A title of a file may be a text of the catalogue, too.
    @Test func onlyTextsOfTheDecoderAreTranslated() async {
        await #expect(processExitsWith: .success) {
            let texts = ["Flash": "Blitz", "Title": "Titel", "Flash fired": "ausgelöst"]
            Translation.use(Translator(text: { texts[$0] }, plural: { _, _, _ in nil }))
            var facts = Information.Facts(name: "a.jpg", folder: "")
            facts.metadata.entries = [
                .init(.camera, "Flash", "Flash fired"), .init(.description, "Title", "Flash"),
            ]
            let rows = Information(facts).sections.flatMap(\.rows).dropFirst()
            #expect(rows.map(\.label) == ["Blitz", "Titel"])
            #expect(rows.map(\.value) == ["ausgelöst", "Flash"])
        }
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB (1000 bytes)"),
        (999_949, "999.9 kB (999949 bytes)"), (999_950, "1 MB (999950 bytes)"),
        (2_500_000_000, "2.5 GB (2500000000 bytes)"),
    ])
    func lengthsAreReadable(bytes: Int, text: String) {
        #expect(Information.text(bytes: bytes) == text)
    }

    /// The decoder has no locale: its numbers get the signs and units of the language here.
    @Test func numbersOfTheDecoderAreThoseOfTheLocale() async {
        for text in ["f/2.8", "1/250 s", "4.2 mm", "−0.67 EV", "488 m", "400", "", "x"] {
            #expect(Information.text(number: text) == text)
        }
        await #expect(processExitsWith: .success) {
            let texts = ["%s s": "%s с", "%s mm": "%s мм", "%s m": "%s м"]
            Translation.use(
                Translator(
                    text: { texts[$0] }, plural: { _, _, _ in nil },
                    signs: NumberSigns(decimal: ",", group: ".")))
            let expected = [
                "f/2.8": "f/2,8", "0.5 s": "0,5 с", "4.2 mm": "4,2 мм", "−0.67 EV": "−0,67 EV",
                "488 m": "488 м",
            ]
            for (text, changed) in expected { #expect(Information.text(number: text) == changed) }
            var facts = Information.Facts(name: "a.jpg", folder: "")
            facts.taken = "21. Juni 2026, 20:41:00"
            facts.metadata.entries = [
                .init(.file, "Taken", "2026-06-21 20:41:00"), .init(.description, "Title", "f/2.8"),
                .init(.camera, "Aperture", "f/2.8"),
            ]
            let values = Information(facts).sections.flatMap(\.rows).dropFirst().map(\.value)
            #expect(values == ["21. Juni 2026, 20:41:00", "f/2,8", "f/2.8"])
            #expect(Information.text(bytes: 24_213_456) == "24,2 MB (24.213.456 bytes)")
            #expect(SettingUnit.seconds.text(0.5) == "0,5 с")
        }
    }

    /// Values take the lines that they need, one below another.
    @Test func longValuesTakeSeveralLines() throws {
        var facts = Information.Facts(name: String(repeating: "x", count: 200), folder: "/photos")
        facts.metadata.entries = [
            .init(.description, "Text", String(repeating: "word ", count: 50_000))
        ]
        let layout = InformationLayout(Information(facts), width: 380, Theme(), .fixed)
        let name = try #require(layout.rows.first { $0.name == "Name" })
        let text = try #require(layout.rows.last)
        // The label column takes the seven letters of "Folder" and of the gap; 37 letters stay.
        #expect(name.rect.height == 18.75 * 6)
        #expect(text.rect.height == 18.75 * Double(InformationLayout.mostLines))
        for (row, next) in zip(layout.rows, layout.rows.dropFirst()) {
            #expect(row.rect.maxY <= next.rect.y)
        }
        #expect(text.rect.maxY < layout.height)
    }

    @Test func aPanelWithoutWidthHasALayout() {
        let facts = Information.Facts(name: "abc", folder: "")
        let layout = InformationLayout(Information(facts), width: -5, Theme(), .fixed)
        #expect(layout.rows.count == 2 && layout.height.isFinite)
    }

    /// The first lines of a label and of its value stand on one line.
    @Test func labelsAreBesideTheirValues() throws {
        let facts = Information.Facts(name: "abc", folder: "")
        let rows = InformationLayout(Information(facts), width: 380, Theme(), .fixed).rows
        let row = try #require(rows.last)
        let (label, value) = (row.children[0], row.children[1])
        let theme = Theme()
        #expect(label.rect.y + theme.small.size == value.rect.y + theme.body.size)
        #expect(label.rect.maxX < value.rect.x)
    }

    @Test func largeTextsHaveLabelsAboveTheirValues() throws {
        let facts = Information.Facts(name: "abc", folder: "")
        let theme = Theme(textScale: 3)
        let rows = InformationLayout(Information(facts), width: 320, theme, .fixed).rows
        let row = try #require(rows.last)
        let (label, value) = (row.children[0], row.children[1])
        #expect(label.rect.maxY < value.rect.y && label.rect.x == value.rect.x)
        #expect(value.rect.width == 320 - 32)
    }
}
