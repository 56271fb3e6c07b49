import CoreTestKit
import Geometry
import ImageTypes
import SceneModel
import Testing

@testable import Interface

@Suite struct CaptionTests {
    private static func facts(_ entries: [PictureMetadata.Entry] = []) -> Information.Facts {
        var facts = Information.Facts(name: "IMG_1.jpg", folder: "/srv/pictures/Alps")
        facts.metadata.entries = entries
        return facts
    }

    private static let described = facts([
        .init(.description, "Headline", "Never shown beside a title"),
        .init(.description, "Title", "Morning"), .init(.description, "Description", "On the ridge"),
        .init(.place, "Country", "Switzerland"), .init(.place, "City", "Davos"),
        .init(.camera, "Title", "Not a title"),
    ])

    private func caption(
        _ fields: [Caption.Field], _ facts: Information.Facts = described,
        date: String = "21 June 2026, 20:41"
    ) -> Caption { Caption(fields, facts, date: date) }

    // MARK: Texts

    @Test func theFieldsComeInTheirOrder() {
        #expect(
            caption([.title, .description, .date, .place, .folder, .name]).lines == [
                .title("Morning"), .paragraph("On the ridge"),
                .facts(["21 June 2026, 20:41", "Davos, Switzerland", "Alps", "IMG_1.jpg"]),
            ])
        #expect(
            caption([.folder, .title, .date]).lines == [
                .facts(["Alps"]), .title("Morning"), .facts(["21 June 2026, 20:41"]),
            ])
        #expect(
            caption([.title, .place]).text == "Morning, Davos, Switzerland")
    }

    @Test func missingTextsAreLeftOut() {
        #expect(caption([.title, .description, .place], Self.facts()).isEmpty)
        #expect(caption([.date, .folder], Self.facts(), date: "").lines == [.facts(["Alps"])])
        #expect(caption([]).isEmpty)
        let headline = Self.facts([.init(.description, "Headline", "News")])
        #expect(caption([.title], headline).lines == [.title("News")])
    }

    /// Some programs write the same text into several fields.
    @Test func aTextStandsThereOnce() {
        let facts = Self.facts([
            .init(.description, "Title", "Alps"), .init(.description, "Description", " Alps\n"),
        ])
        #expect(caption([.title, .description, .folder], facts).lines == [.title("Alps")])
    }

    @Test func hostileTextsAreBounded() throws {
        let endless = String(repeating: "long \u{202E}word\u{0}\n\t\u{2028}", count: 10_000)
        let facts = Self.facts([
            .init(.description, "Title", endless),
            .init(.place, "City", "\u{2067}open"), .init(.place, "Country", "Land\u{2069}\u{2069}"),
            .init(.description, "Description", "\u{1}\u{2}\n \u{0}"),
        ])
        let caption = caption([.title, .description, .place, .folder], facts)
        #expect(caption.lines.count == 2)
        guard case .title(let title) = try #require(caption.lines.first) else {
            Issue.record("no title")
            return
        }
        #expect((400...401).contains(title.unicodeScalars.count) && title.hasSuffix("…"))
        #expect(!title.unicodeScalars.contains { $0.isControl })
        #expect(!title.contains("  "))
        // Every isolate of a text ends within the text.
        let text = caption.text.unicodeScalars
        let opened = text.count { ("\u{2066}"..."\u{2068}").contains($0) }
        #expect(opened == text.count { $0 == "\u{2069}" })
    }

    // MARK: The panel

    private static let surfaces = [
        Size(width: 320, height: 240), Size(width: 640, height: 400), Size(width: 400, height: 900),
        Size(width: 1920, height: 1080), Size(width: 3840, height: 2160),
        Size(width: 120, height: 80),
        Size(width: 1, height: 1),
    ]

    private static let longCaption = Caption(
        [.title, .description, .date, .place, .folder],
        facts([
            .init(.description, "Title", String(repeating: "Very long title ", count: 30)),
            .init(.description, "Description", String(repeating: "Words in a row. ", count: 30)),
            .init(.place, "City", String(repeating: "Llanfair", count: 40)),
        ]), date: "21 June 2026, 20:41")

    @Test(arguments: [1, 3.0], [false, true])
    func theTextsStayOnTheSurface(_ scale: Double, _ isRightToLeft: Bool) throws {
        for surface in Self.surfaces {
            let layout = CaptionPanel.layout(
                for: BarLayout(
                    surface: surface,
                    theme: Theme(textScale: scale, isRightToLeft: isRightToLeft), text: .fixed))
            let whole = Rect(origin: .zero, size: surface)
            let panel = CaptionPanel.widget(Self.longCaption, layout)
            let clock = CaptionPanel.clock("10:09 PM", layout)
            for widget in [panel, clock].compactMap(\.self) {
                #expect(widget.role == .label && !widget.name.isEmpty)
                #expect(widget.rect.intersection(whole) == widget.rect, "\(surface)")
                for child in widget.children {
                    #expect(child.rect.intersection(widget.rect) == child.rect, "\(surface)")
                }
            }
            if let panel, let clock {
                #expect(panel.rect.intersection(clock.rect).isEmpty)
                #expect(panel.rect.height <= surface.height * 0.45 + 1)
            }
            #expect((panel != nil) == (surface.height >= 240), "\(surface)")
        }
    }

    @Test func rightToLeftIsMirrored() throws {
        let surface = Size(width: 1000, height: 600)
        func rects(_ isRightToLeft: Bool) throws -> [Rect] {
            let layout = BarLayout(
                surface: surface, theme: Theme(isRightToLeft: isRightToLeft), text: .fixed)
            let caption = try #require(CaptionPanel.widget(caption([.title]), layout))
            return [caption.rect, try #require(CaptionPanel.clock("10:09", layout)).rect]
        }
        let (left, right) = (try rects(false), try rects(true))
        #expect(left[0].x == 16 && right[0].maxX == 984)
        #expect(left[1].maxX == 984 && right[1].x == 16)
    }

    /// Larger surfaces are seen from further away.
    @Test func largeSurfacesHaveLargeTexts() throws {
        func height(_ width: Double, _ height: Double) -> Double {
            let layout = CaptionPanel.layout(
                for: BarLayout(
                    surface: Size(width: width, height: height), theme: Theme(), text: .fixed))
            return CaptionPanel.clock("10:09", layout)?.rect.height ?? 0
        }
        #expect(height(640, 400) == height(320, 400))
        #expect(height(1920, 1080) > height(640, 400) * 1.4)
        #expect(height(1080, 1920) == height(1920, 1080))
    }
}
