import CoreTestKit
import Geometry
import Motion
import SceneModel
import Testing

@testable import Interface

/// Where the parts of a prompt are, on surfaces and with texts of all sizes.
@Suite struct PromptLayoutTests {
    private static let surfaces = [
        Size(width: 120, height: 80), Size(width: 320, height: 200), Size(width: 320, height: 480),
        Size(width: 360, height: 640), Size(width: 640, height: 360),
        Size(width: 1280, height: 800), Size(width: 3840, height: 2160),
    ]

    private static func sheet(
        _ prompt: Prompt, _ surface: Size, scale: Double = 1, isRightToLeft: Bool = false
    ) -> PromptSheet {
        let theme = Theme(textScale: scale, isRightToLeft: isRightToLeft)
        return PromptSheet(
            prompt,
            on: BarLayout(surface: surface, theme: theme, text: .fixed, reducesMotion: true),
            fieldNumber: 1, at: .zero)
    }

    private func all(_ widget: Widget) -> [Widget] { [widget] + widget.children.flatMap(all) }

    /// The sheet lies on the surface, its fixed parts in the sheet, and targets have the size of a finger.
    @Test(arguments: surfaces, [0.5, 1, 2, 3])
    func everythingHasItsPlace(surface: Size, scale: Double) throws {
        for prompt in SamplePrompts.all {
            for isRightToLeft in [false, true] {
                let sheet = Self.sheet(prompt, surface, scale: scale, isRightToLeft: isRightToLeft)
                let widget = sheet.widget(at: .zero)
                let whole = Rect(origin: .zero, size: surface)
                #expect(widget.rect.intersection(whole) == widget.rect)
                #expect(widget.role == .dialog && widget.states.contains(.modal))
                #expect(widget.name == prompt.title)
                let ids = all(widget).map(\.id)
                #expect(Set(ids).count == ids.count)
                for part in widget.children {
                    #expect(part.rect.intersection(widget.rect) == part.rect, "\(part.id)")
                }
                for target in all(widget) where target.action != nil {
                    #expect(target.states.contains(.focusable) && !target.name.isEmpty)
                    #expect(target.rect.height >= 48, "\(target.id)")
                    if surface.width >= 320 { #expect(target.rect.width >= 48, "\(target.id)") }
                }
                let scrolls = sheet.places.title.scrolls
                for (button, part) in sheet.places.buttons where !scrolls {
                    #expect(part.rect.intersection(sheet.places.body).isEmpty, "\(button)")
                }
            }
        }
    }

    /// No text of title, paragraph and buttons is cut on a phone and on a desktop with usual texts.
    @Test(arguments: [Size(width: 320, height: 480), Size(width: 1280, height: 800)])
    func textsAreShownAsAWhole(surface: Size) {
        for prompt in SamplePrompts.all {
            let sheet = Self.sheet(prompt, surface)
            for widget in all(sheet.widget(at: .zero)) {
                switch widget.face {
                case .paragraph(let text, let role, let lines, _):
                    var style = sheet.layout.theme.style(role)
                    style.lines = lines
                    let extents = sheet.layout.text(text, style, width: widget.rect.width)
                    #expect(!extents.isShortened && extents.height <= widget.rect.height)
                case .button(let text, _), .destructiveButton(let text):
                    let width = sheet.layout.text(text, sheet.layout.theme.title).width
                    #expect(width <= widget.rect.width - 12, "\(text)")
                default: break
                }
            }
        }
    }

    /// The sheet is at the bottom of a narrow surface, and in the middle of others.
    @Test func aNarrowSurfaceHasTheSheetInReachOfTheThumbs() {
        let narrow = Self.sheet(SamplePrompts.delete, Size(width: 360, height: 640)).widget(
            at: .zero)
        #expect(narrow.rect.maxY == 632 && narrow.rect.width == 344)
        let wide = Self.sheet(SamplePrompts.delete, Size(width: 1280, height: 800)).widget(
            at: .zero)
        #expect(wide.rect.width == 480 && abs(wide.rect.center.y - 400) <= 1)
        #expect(abs(wide.rect.center.x - 640) <= 1)
    }

    @Test func rightToLeftIsTheMirrorImage() {
        for prompt in SamplePrompts.all {
            for surface in Self.surfaces where surface.width >= 320 {
                let straight = Self.sheet(prompt, surface).widget(at: .zero)
                let mirrored = Self.sheet(prompt, surface, isRightToLeft: true).widget(at: .zero)
                let image = mirrored.mirrored(onWidth: surface.width)
                for (one, other) in zip(all(straight), all(image)) {
                    #expect(one.id == other.id && abs(one.rect.x - other.rect.x) < 1e-6)
                }
            }
        }
    }

    /// Of hundreds of choices only those that are visible have widgets.
    @Test func onlyVisibleRowsAreLaidOut() throws {
        var sheet = Self.sheet(SamplePrompts.folders(300), Size(width: 1280, height: 800))
        func rows() throws -> [Widget] {
            try #require(sheet.widget(at: .zero).widget("prompt-list")).children
        }
        #expect(try rows().count < 14 && rows()[0].name == "Folder 0")
        sheet.focusRow(299, at: .zero)
        let last = try #require(try rows().last)
        #expect(last.name == "Folder 299" && last.description.hasSuffix("Pictures/Folder 299"))
        #expect(last.role == .listItem && last.action == .answer(.choice(299)))
        #expect(last.rect.maxY <= sheet.places.body.maxY + 1e-6)
    }

    /// The parts of every prompt have roles and names for a screen reader.
    @Test func partsHaveRoles() throws {
        func role(_ id: String, _ prompt: Prompt) -> Widget.Role? {
            Self.sheet(prompt, Size(width: 1280, height: 800)).widget(at: .zero).widget(id)?.role
        }
        #expect(role("prompt-title", SamplePrompts.delete) == .heading)
        #expect(role("prompt-confirm", SamplePrompts.delete) == .pushButton)
        #expect(role("prompt-field", SamplePrompts.rename) == .entry)
        #expect(role("prompt-list", SamplePrompts.applications) == .list)
        #expect(role("prompt-progress", SamplePrompts.progress(0.5)) == .progressBar)
        let sheet = Self.sheet(SamplePrompts.rate, Size(width: 1280, height: 800))
        let stars = all(sheet.widget(at: .zero)).filter { $0.role == .toggleButton }
        #expect(
            stars.map(\.name) == [
                "1 star", "2 stars", "3 stars", "4 stars", "5 stars", "No stars",
            ])
        #expect(stars.filter { $0.states.contains(.checked) }.map(\.name) == ["3 stars"])
        #expect(
            stars.dropLast().map(\.face) == [
                .mark(.starFilled), .mark(.starFilled), .mark(.starFilled), .mark(.star),
                .mark(.star),
            ])
    }

    /// A sheet that is higher than the surface shows the field above an on-screen keyboard.
    @Test func theFieldIsVisibleOnALowSurface() throws {
        let sheet = Self.sheet(SamplePrompts.refusedName, Size(width: 320, height: 130), scale: 2)
        let caret = try #require(sheet.caret(at: .zero))
        #expect(caret.intersection(sheet.places.body) == caret)
    }
}
