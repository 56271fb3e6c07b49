import Commands
import CoreTestKit
import Geometry
import Localization
import Motion
import SceneModel
import Testing

@testable import Interface

/// The layout of the help on surfaces and with text of all sizes.
@Suite struct HelpSheetTests {
    /// Sentences and keys are shown as a whole, in as many lines as they need, and rows do not overlap.
    @Test(arguments: CommandMode.allCases, [0.5, 1, 2, 3])
    func allTextsAreShownAsAWhole(mode: CommandMode, scale: Double) throws {
        for surface in [
            Size(width: 320, height: 640), Size(width: 560, height: 400),
            Size(width: 1280, height: 800),
        ] {
            let layout = BarLayout(
                surface: surface, theme: Theme(textScale: scale), text: .fixed, reducesMotion: true)
            var sheet = HelpSheet(mode, on: layout)
            var seen: Set<String> = []
            for _ in 0..<60 {
                let list = try #require(sheet.widget(at: .zero).widget("help-list"))
                let rows = list.children.filter { $0.role == .listItem }
                for (row, next) in zip(rows, rows.dropFirst()) {
                    #expect(row.rect.maxY <= next.rect.y + 1e-6)
                }
                for row in rows {
                    seen.insert(row.id)
                    for text in row.children {
                        guard case .paragraph(let string, let role, let lines, _) = text.face else {
                            Issue.record("\(text.id) cannot be wrapped")
                            continue
                        }
                        var style = layout.theme.style(role)
                        style.lines = lines
                        let extents = layout.text(string, style, width: text.rect.width)
                        #expect(!extents.isShortened, "\(string)")
                        #expect(extents.height <= text.rect.height)
                        #expect(text.rect.y >= row.rect.y - 1e-6)
                        #expect(text.rect.maxY <= row.rect.maxY + 1e-6)
                    }
                }
                sheet.page(1, at: .zero)
            }
            let entries = CommandTable.entries.filter {
                $0.keys[mode] != nil || $0.gesture(in: mode) != nil
            }
            #expect(seen.count == entries.count)
        }
    }

    /// The sheet about the program names the version and every library with a licence; the home page is a button.
    @Test(arguments: [320.0, 1280], [1.0, 3])
    func theProgramSaysWhatItIs(width: Double, scale: Double) throws {
        let layout = BarLayout(
            surface: Size(width: width, height: 640), theme: Theme(textScale: scale), text: .fixed,
            reducesMotion: true)
        var sheet = HelpSheet(about: layout)
        var seen: [String: Widget] = [:]
        for _ in 0..<60 {
            let list = try #require(sheet.widget(at: .zero).widget("help-list"))
            for row in list.children where row.id.hasPrefix("help/") { seen[row.name] = row }
            sheet.page(1, at: .zero)
        }
        #expect(seen["Vitrine"]?.description == "Version \(ProgramFacts.version)")
        #expect(seen["Website"]?.action == .homePage)
        for library in ProgramFacts.libraries {
            #expect(seen[library.name]?.description == library.licence)
        }
    }

    /// In Arabic the names of some keys are Latin; the line has the direction of the gesture.
    @Test func keysDoNotTurnTheLineOfAGesture() {
        #expect(HelpSheet.detail("Home", "") == "Home" && HelpSheet.detail("", "tap") == "tap")
        #expect(HelpSheet.detail("Home", "tap") == "Home · tap")
        #expect(HelpSheet.detail("Home", "نقرة") == "\u{2068}Home\u{2069} · نقرة")
    }

    /// In a language with longer texts no text is cut either: help, questions and their buttons.
    @Test func longerTextsAreShownAsAWhole() async {
        await #expect(processExitsWith: .success) {
            Translation.use(PseudoLocale.translator)
            for scale in [0.5, 1, 2] {
                try HelpSheetTests().allTextsAreShownAsAWhole(mode: .viewer, scale: scale)
                try HelpSheetTests().allTextsAreShownAsAWhole(mode: .grid, scale: scale)
            }
            for surface in [Size(width: 320, height: 480), Size(width: 1280, height: 800)] {
                PromptLayoutTests().textsAreShownAsAWhole(surface: surface)
            }
        }
    }
}
