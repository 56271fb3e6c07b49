import Commands
import CoreTestKit
import Geometry
import SceneModel
import Testing

@testable import Interface

@Suite struct MenuTests {
    private static let items = [
        Menu.Item(title: "Fit", command: .fit), Menu.Item(title: "Fill", command: .fill),
        Menu.Item(title: "Grid", command: .grid),
    ]
    private static let surface = layout(Size(width: 1920, height: 1080))

    private static func layout(_ size: Size, textScale: Double = 1) -> BarLayout {
        BarLayout(surface: size, theme: Theme(textScale: textScale), text: .fixed)
    }

    @Test(arguments: [surface.surface, Size(width: 120, height: 80)])
    func theMenuLiesWithinTheSurface(size: Size) {
        for point in [Point.zero, Point(x: size.width, y: size.height)] {
            let rect = Menu(Self.items, at: point, on: Self.layout(size)).rect
            #expect(rect.x >= 0 && rect.y >= 0)
            #expect(rect.maxX <= size.width && rect.maxY <= size.height)
        }
    }

    @Test func aRowHasItsCommand() {
        let menu = Menu(Self.items, at: Point(x: 500, y: 400), on: Self.surface)
        #expect(menu.rect == Rect(x: 500, y: 400, width: 240, height: 144))
        #expect(
            Self.items.indices.map { menu.widget.target(at: menu.row($0).center)?.action } == [
                .command(.fit), .command(.fill), .command(.grid),
            ])
        #expect(menu.widget.target(at: Point(x: 499, y: 410)) == nil)
        #expect(menu.widget.children.map(\.name) == ["Fit", "Fill", "Grid"])
        #expect(menu.widget.children.allSatisfy { $0.role == .menuItem })
    }

    /// A thin line lies above every section but the first, and takes no touch from the rows.
    @Test func linesSeparateTheSections() throws {
        let items = Menu.Item.sections([[], Array(Self.items[0...1]), [], [Self.items[2]]])
        #expect(items.map(\.title) == Self.items.map(\.title))
        #expect(items.map(\.beginsSection) == [true, false, true])
        var menu = Menu(items, at: Point(x: 500, y: 400), on: Self.surface)
        #expect(
            menu.widget.children.map(\.role) == [.menuItem, .menuItem, .separator, .menuItem])
        let line = menu.widget.children[2]
        #expect(line.face == .separator && line.rect.height == 1 && line.rect.y == menu.row(2).y)
        #expect(menu.widget.target(at: line.rect.center)?.action == .command(.grid))
        // Nor does it lie on the edge of a menu that scrolls.
        menu = Menu(items, at: .zero, on: Self.layout(Size(width: 400, height: 64)))
        menu.drag(by: -1000)
        #expect(menu.widget.children.map(\.role) == [.menuItem])
    }

    /// The menu is as wide as its texts at every text size; where that is too wide, the details go.
    @Test(arguments: [1, 2, 3])
    func theTextsFit(scale: Double) throws {
        let items = [
            Menu.Item(title: "A title of some length", action: .closeSheet, detail: "Ctrl+Shift+O")
        ]
        func shown(_ width: Double) throws -> (row: Widget.Row, inner: Double) {
            let layout = Self.layout(Size(width: width, height: 600), textScale: scale)
            let widget = Menu(items, at: .zero, on: layout).widget
            guard case .row(let row) = widget.children[0].face else {
                throw Mismatch()
            }
            return (row, widget.rect.width - Widget.Row.titleMargins(Theme(textScale: scale)))
        }
        let theme = Theme(textScale: scale)
        let measure = TextMeasurement.fixed
        let title = measure(items[0].title, theme.body).width
        let detail = measure(items[0].detail, theme.small).width
        let (wide, inner) = try shown(4000)
        #expect(wide.detailWidth >= detail)
        #expect(inner >= title + Widget.Row.gap + wide.detailWidth)
        let (narrow, rest) = try shown(title + Widget.Row.titleMargins(theme) + 20)
        #expect(narrow.detailWidth == 0 && rest >= title)
    }

    private struct Mismatch: Error {}

    @Test func theFocusWrapsAround() {
        var menu = Menu(Self.items, at: .zero, on: Self.surface)
        #expect(menu.focusedAction == nil)
        menu.moveFocus(by: -1)
        #expect(menu.focusedAction == .command(.grid))
        menu.moveFocus(by: 1)
        #expect(menu.focusedAction == .command(.fit))
        #expect(menu.widget.children.map { $0.states.contains(.selected) } == [true, false, false])
    }

    /// On a low surface the rows scroll, at most to either end, and the focus scrolls into view.
    @Test func aLowMenuScrolls() {
        var menu = Menu(Self.items, at: .zero, on: Self.layout(Size(width: 400, height: 76)))
        #expect(menu.rect.height == 60 && menu.widget.children.count == 2)
        menu.drag(by: 30)
        #expect(menu.row(0).y == menu.rect.y)
        menu.drag(by: -1000)
        #expect(menu.row(2).maxY == menu.rect.maxY)
        menu.moveFocus(by: 1)
        #expect(menu.row(0).y == menu.rect.y)
    }

    /// A long name loses its middle, so that its end is seen; a screen reader says all of it.
    @Test(arguments: [320.0, 1280]) func aLongTitleLosesItsMiddle(width: Double) throws {
        let name = "Undo " + String(repeating: "a very long name ", count: 12) + "2024.png"
        let items = Self.items + [Menu.Item(title: name, command: .undo)]
        let layout = Self.layout(Size(width: width, height: 800))
        let menu = Menu(items, at: .zero, on: layout)
        #expect(menu.rect.width <= 360)
        let row = try #require(menu.widget.children.last)
        guard case .row(let face) = row.face else {
            Issue.record("\(row.face)")
            return
        }
        #expect(row.name == name && face.title != name)
        #expect(face.title.hasPrefix("Undo") && face.title.hasSuffix("2024.png"))
        let room = menu.rect.width - Widget.Row.titleMargins(layout.theme)
        let shown = layout.text(face.title, layout.theme.body).width
        #expect(shown <= room && shown > room - 20)
    }
}
