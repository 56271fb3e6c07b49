import Commands
import CoreTestKit
import Geometry
import Gestures
import ImageTypes
import Motion
import SceneModel
import Testing

@testable import Interface

/// The widgets of the information panel on surfaces of all sizes, in both directions, at all text
/// sizes.
@Suite struct InformationPanelTests {
    private static let surfaces: [Size] = [
        Size(width: 120, height: 80), Size(width: 320, height: 640), Size(width: 360, height: 200),
        Size(width: 699, height: 159), Size(width: 700, height: 400), Size(width: 700, height: 60),
        Size(width: 800, height: 1280), Size(width: 1280, height: 800),
        Size(width: 3840, height: 2160),
    ]

    private static var layouts: [BarLayout] {
        surfaces.flatMap { surface in
            [false, true].flatMap { isRightToLeft in
                [0.5, 1, 1.7, 3].map { scale in
                    BarLayout(
                        surface: surface,
                        theme: Theme(textScale: scale, isRightToLeft: isRightToLeft), text: .fixed,
                        reducesMotion: true)
                }
            }
        }
    }

    private static func information(rows count: Int) -> Information {
        var facts = Information.Facts(
            name: String(repeating: "long name ", count: 9), folder: "/home/ann/photos")
        facts.length = 24_213_456
        facts.metadata.entries = (0..<count).map {
            .init(.camera, $0 % 7 == 3 ? "Exposure compensation" : "Label \($0)", "Value \($0)")
        }
        facts.metadata.entries.append(.init(.place, "City", "Zürich"))
        return Information(facts)
    }

    private func panel(_ layout: BarLayout, rows: Int = 40) -> InformationPanel {
        var panel = InformationPanel(on: layout)
        panel.set(Self.information(rows: rows), isOther: true)
        panel.set(isShown: true, at: .zero)
        return panel
    }

    private func all(_ widget: Widget) -> [Widget] { [widget] + widget.children.flatMap(all) }

    private func isInside(_ inner: Rect, _ outer: Rect) -> Bool {
        inner.x >= outer.x - 1e-6 && inner.maxX <= outer.maxX + 1e-6
            && inner.y >= outer.y - 1e-6 && inner.maxY <= outer.maxY + 1e-6
    }

    private func isApart(_ rects: [Rect]) -> Bool {
        rects.indices.allSatisfy { first in
            rects[(first + 1)...].allSatisfy {
                let common = rects[first].intersection($0)
                return common.width < 1e-6 || common.height < 1e-6
            }
        }
    }

    // MARK: Layout

    /// At each scroll offset the panel is on the surface, its parts are in it, and none covers another.
    @Test func thePanelFitsEverySurface() throws {
        for layout in Self.layouts {
            var panel = panel(layout)
            let surface = Rect(origin: .zero, size: layout.surface)
            for _ in 0..<4 {
                let widget = try #require(panel.widget(at: .zero), "\(layout.surface)")
                #expect(isInside(widget.rect, surface), "\(layout.surface) \(widget.rect)")
                let everything = all(widget)
                #expect(Set(everything.map(\.id)).count == everything.count)
                for child in widget.children { #expect(isInside(child.rect, widget.rect)) }
                #expect(isApart(widget.children.map(\.rect)))
                let list = try #require(widget.widget("information-list"))
                #expect(isApart(list.children.map(\.rect)), "\(layout.surface)")
                for row in list.children {
                    #expect(row.rect.x >= list.rect.x && row.rect.maxX <= list.rect.maxX)
                    for part in row.children { #expect(isInside(part.rect, row.rect)) }
                    #expect(isApart(row.children.map(\.rect)))
                }
                panel.scroll(by: 301, at: .zero)
            }
        }
    }

    /// Values have at least half the width, and no text is narrower than its place needs.
    @Test func valuesHaveHalfTheWidth() throws {
        for layout in Self.layouts {
            let panel = panel(layout)
            let content = try #require(panel.content)
            let width = try #require(panel.rect(at: .zero)).width
            for row in content.rows where row.role == .listItem {
                let value = row.children[1].rect
                #expect(value.width * 2 >= width - 2 * InformationLayout.padding)
                let isStacked = row.children[0].rect.maxY <= value.y
                #expect(isStacked || value.width >= layout.theme.body.size * 10)
            }
        }
    }

    @Test func rightToLeftIsTheMirrorImage() throws {
        for mirrored in Self.layouts where mirrored.theme.isRightToLeft {
            var straight = mirrored
            straight.theme = Theme(textScale: mirrored.theme.textScale)
            let image = try #require(panel(mirrored).widget(at: .zero))
                .mirrored(onWidth: mirrored.surface.width)
            let original = try #require(panel(straight).widget(at: .zero))
            for (one, other) in zip(all(image), all(original)) {
                #expect(one.id == other.id && one.face == other.face)
                #expect(abs(one.rect.x - other.rect.x) < 1e-6 && one.rect.y == other.rect.y)
            }
        }
    }

    @Test func largeTextsWidenThePanel() throws {
        var layout = BarLayout(
            surface: Size(width: 1280, height: 800), theme: Theme(textScale: 3), text: .fixed,
            reducesMotion: true)
        #expect(try #require(panel(layout).rect(at: .zero)).width == 640)
        layout.theme = Theme(textScale: 0.5)
        #expect(try #require(panel(layout).rect(at: .zero)).width == 380)
    }

    @Test func aNewThemeLaysOutThePanelAgain() throws {
        var chrome = shown(rows: 4)
        var layout = chrome.layout
        let before = try #require(chrome.panel.rect(at: .zero))
        layout.theme = Theme(.light, isHighContrast: true, textScale: 2, isRightToLeft: true)
        chrome.set(layout)
        let after = try #require(chrome.panel.rect(at: .zero))
        #expect(after.x == 8 && before.maxX == 1272 && after.height > before.height)
        let ground = try #require(layers(chrome).first)
        guard case .box(let box)? = ground.elements.first else {
            Issue.record("no ground")
            return
        }
        #expect(box.color == layout.theme.denseGround && box.border == layout.theme.border)
    }

    // MARK: Names

    /// Every heading, label and value has a name for a screen reader.
    @Test func everythingHasAName() throws {
        let widget = try #require(
            panel(Self.layouts[Self.layouts.count - 8], rows: 3).widget(at: .zero))
        #expect(widget.role == .panel && widget.name == "Information")
        #expect(widget.children.map(\.role) == [.heading, .pushButton, .list])
        let list = try #require(widget.widget("information-list"))
        let headings = list.children.filter { $0.role == .heading }
        #expect(headings.map(\.name) == ["File", "Camera", "Place"])
        let city = try #require(list.children.last)
        #expect(city.role == .listItem && city.name == "City" && city.description == "Zürich")
        #expect(city.children.map(\.name) == ["City", "Zürich"])
        #expect(all(widget).allSatisfy { !$0.name.isEmpty })
    }

    // MARK: The button

    private func shown(rows: Int = 40, on size: Size = Size(width: 1280, height: 800)) -> Chrome {
        var chrome = Chrome(
            .viewer,
            on: BarLayout(surface: size, theme: Theme(), text: .fixed, reducesMotion: true))
        chrome.setInformation(Self.information(rows: rows), isOther: true)
        chrome.showInformation(at: .zero)
        return chrome
    }

    private func layers(_ chrome: Chrome, at moment: Moment = .zero) -> [LayerItem] {
        chrome.items(bars: [], at: moment).compactMap {
            if case .layer(let layer) = $0 { layer } else { nil }
        }
    }

    private func bars(_ chrome: Chrome) -> ViewerBars {
        ViewerBars(
            chrome.layout, ViewerFacts(name: "a.jpg", index: 0, count: 2, percent: 100))
    }

    /// The button is as large as a finger, and it receives the touches, wherever bars are.
    @Test func theButtonIsInReachOnEverySurface() throws {
        for surface in Self.surfaces {
            var chrome = shown(on: surface)
            chrome.showBars(at: .zero)
            let bars = bars(chrome)
            let button = try #require(
                chrome.overlays(at: .zero).first?.widget("information-close"))
            #expect(button.rect.width >= 48 && button.rect.height >= 48)
            let center = button.rect.center
            #expect(chrome.area(bars: bars.areas, at: .zero).contains(center), "\(surface)")
            for gesture in [ChromeGesture.down(at: center, isPointer: false), .tap(at: center)] {
                let response = chrome.handle(
                    .chrome(gesture), bars: bars.widgets, filmstrip: bars.filmstripArea, at: .zero)
                guard case .tap = gesture else { continue }
                #expect(response == .act(.command(.information)), "\(surface)")
            }
        }
    }

    /// Bars, arrows and filmstrip give way to the panel.
    @Test(arguments: [0, 3, 60])
    func barsAreBesideThePanel(rows: Int) throws {
        for var layout in Self.layouts where layout.surface.height >= 160 {
            layout.usesPointer = true
            layout.windowControls = WindowControls()
            let panel = panel(layout, rows: rows)
            let rect = try #require(panel.rect(at: .zero))
            var facts = ViewerFacts(name: "a.jpg", index: 3, count: 9, percent: 100)
            facts.coversBottom = panel.isNarrow
            facts.panelWidth = panel.coveredWidth(at: .zero)
            facts.panelWidthAtBottom = panel.coveredWidthAtBottom(at: .zero)
            let bars = ViewerBars(layout, facts)
            let surface = Rect(origin: .zero, size: layout.surface)
            for widget in bars.widgets {
                #expect(isInside(widget.rect, surface), "\(layout.surface) \(widget.id)")
                #expect(isApart([widget.rect, rect]), "\(layout.surface) \(widget.id)")
            }
            for area in bars.areas { #expect(isApart([area, rect]), "\(layout.surface)") }
            guard let strip = bars.filmstrip else { continue }
            #expect(isApart([strip.rect, rect]))
            #expect(bars.widgets.first { $0.id == "filmstrip" }?.rect == strip.rect)
        }
    }

    /// Where there is room, the panel ends above the bars, and no button moves under a finger.
    @Test(arguments: [Size(width: 1280, height: 800), Size(width: 900, height: 560)])
    func theBarsStayWhereTheyAre(surface: Size) throws {
        for count in [1, 9] {
            for isAnimation in [false, true] {
                var layout = BarLayout(
                    surface: surface, theme: Theme(), text: .fixed, reducesMotion: true)
                layout.usesPointer = true
                var facts = ViewerFacts(name: "a.jpg", index: 0, count: count, percent: 100)
                facts.isAnimation = isAnimation
                func bottom(_ facts: ViewerFacts) -> [Rect] {
                    ViewerBars(layout, facts).widgets.filter { $0.rect.y > surface.height / 2 }
                        .map(\.rect)
                }
                let before = bottom(facts)
                let panel = panel(layout, rows: 60)
                facts.panelWidth = panel.coveredWidth(at: .zero)
                facts.panelWidthAtBottom = panel.coveredWidthAtBottom(at: .zero)
                #expect(bottom(facts) == before && before.count > 2)
                #expect(facts.panelWidth > 300)
            }
        }
    }

    @Test func theButtonIsTheFirstInTheOrderOfTheFocus() {
        var chrome = shown()
        let widgets = bars(chrome).widgets
        _ = chrome.handle(.focusNext, bars: widgets, at: .zero)
        #expect(chrome.focus.focused == "information-close")
        #expect(chrome.handle(.open, bars: widgets, at: .zero) == .act(.command(.information)))
        _ = chrome.handle(.focusNext, bars: widgets, at: .zero)
        #expect(chrome.focus.focused == "back")
        _ = chrome.handle(.focusPrevious, bars: widgets, at: .zero)
        chrome.hideInformation(at: .zero)
        #expect(chrome.focus.focused == nil)
        _ = chrome.handle(.focusNext, bars: widgets, at: .zero)
        #expect(chrome.focus.focused == "back")
    }

    /// A key closes the panel while the pointer rests on its button: the bars may leave.
    @Test func aClosedPanelLeavesNoStateBehind() throws {
        var chrome = shown()
        let widgets = bars(chrome).widgets
        let button = try #require(chrome.overlays(at: .zero).first?.widget("information-close"))
        _ = chrome.handle(
            .chrome(.hover(at: button.rect.center)), bars: widgets, filmstrip: nil, at: .zero)
        #expect(chrome.focus.hovered == "information-close")
        #expect(chrome.deadline == Moment(milliseconds: 600))
        chrome.hideInformation(at: .zero)
        #expect(chrome.focus == WidgetFocus() && chrome.deadline != nil)
    }

    // MARK: Layers

    /// Scrolling moves the layers of the rows, whose pixels the painter keeps.
    @Test func scrollingOnlyMovesLayers() {
        var chrome = shown(rows: 80)
        let before = layers(chrome)
        _ = chrome.scrollInformation(1, at: .zero)
        let known = Set(before.map(\.elements))
        var moved = 0
        for layer in layers(chrome) {
            guard let old = before.first(where: { $0.elements == layer.elements }) else { continue }
            if old.rect != layer.rect { moved += 1 }
            #expect(known.contains(layer.elements))
        }
        #expect(moved > 15)
    }

    /// A fraction of an offset makes no new pixels either.
    @Test func theElementsOfARowDoNotDependOnItsPlace() throws {
        var chrome = shown(rows: 80)
        let rows = try #require(chrome.panel.content).rows.map {
            $0.layer(chrome.layout.theme, WidgetFocus()).elements
        }
        let before = Set(layers(chrome).map(\.elements) + rows)
        let place = Point(x: 1100, y: 500)
        var fingers = Manipulation(source: .touch, fingers: 1, base: place, centroid: place)
        _ = chrome.handleInPanels(.manipulationBegan(fingers), at: .zero)
        fingers.centroid.y -= 10.0 / 3
        _ = chrome.handleInPanels(.manipulationChanged(fingers), at: .zero)
        // The scroll bar is not among them.
        let new = layers(chrome).filter { !before.contains($0.elements) }
        #expect(new.count <= 1)
    }

    // MARK: Reduced motion

    @Test func reducedMotionChangesAtRunTime() throws {
        var chrome = shown(rows: 80)
        chrome.hideInformation(at: .zero)
        #expect(!chrome.isAnimating(at: .zero))
        chrome.reducesMotion = false
        chrome.showInformation(at: .zero)
        #expect(chrome.isAnimating(at: Moment(milliseconds: 50)))
        // What has begun goes on, without a jump; what comes next is at once.
        let before = try #require(chrome.panel.rect(at: Moment(milliseconds: 50)))
        chrome.reducesMotion = true
        #expect(chrome.panel.rect(at: Moment(milliseconds: 50)) == before)
        #expect(chrome.isAnimating(at: Moment(milliseconds: 50)))
        let later = Moment(milliseconds: 2000)
        #expect(try #require(chrome.panel.rect(at: later)).maxX == 1272)
        _ = chrome.scrollInformation(1, at: later)
        #expect(!chrome.isScrolling(at: later) && chrome.panel.offset(at: later) == 69)
        chrome.hideInformation(at: later)
        #expect(!chrome.isAnimating(at: later))
    }
}
