import Motion
import Commands
import CoreTestKit
import Geometry
import SceneModel
import Testing

@testable import Interface

/// The layout of the bars on surfaces of all sizes, in both directions, at all text sizes.
@Suite struct LayoutTests {
    private static let surfaces: [Size] = [
        Size(width: 120, height: 80), Size(width: 320, height: 640), Size(width: 360, height: 200),
        Size(width: 800, height: 1280), Size(width: 1280, height: 800),
        Size(width: 1920, height: 1080), Size(width: 16384, height: 16384),
        Size(width: 1, height: 1), Size(width: 64, height: 3000),
    ]

    private static func layouts() -> [BarLayout] {
        surfaces.flatMap { surface in
            [(false, 1.0), (true, 1), (false, 1.5), (false, 3), (true, 0.5)].flatMap {
                isMirrored, scale in
                [nil, WindowControls()].flatMap { buttons in
                    [false, true].map { usesPointer in
                        var layout = BarLayout(
                            surface: surface,
                            theme: Theme(textScale: scale, isRightToLeft: isMirrored), text: .fixed)
                        layout.windowControls = buttons
                        layout.usesPointer = usesPointer
                        return layout
                    }
                }
            }
        }
    }

    private static let names = ["a.jpg", "", String(repeating: "long name ", count: 40)]

    private static func viewerBars(_ layout: BarLayout) -> [ViewerBars] {
        names.map { name in
            var facts = ViewerFacts(name: name, index: 5, count: 12, percent: 100)
            facts.isAnimation = true
            facts.date = "12 May 2021"
            return ViewerBars(layout, facts)
        }
    }

    private static func gridBars(_ layout: BarLayout) -> [GridBars] {
        [0, 3].flatMap { selected in
            names.map { name in
                var facts = GridFacts()
                (facts.name, facts.count, facts.selected) = (name, 100_000, selected)
                return GridBars(layout, facts)
            }
        }
    }

    private func all(_ widget: Widget) -> [Widget] { [widget] + widget.children.flatMap(all) }

    private func check(_ widgets: [Widget], _ areas: [Rect], on layout: BarLayout) {
        let surface = Rect(origin: .zero, size: layout.surface)
        let everything = widgets.flatMap(all)
        #expect(Set(everything.map(\.id)).count == everything.count)
        for widget in everything {
            #expect(widget.rect.intersection(surface) == widget.rect, "\(widget.id)")
            guard widget.action != nil else { continue }
            #expect(widget.rect.width >= 48 && widget.rect.height >= 48, "\(widget.id)")
            #expect(!widget.name.isEmpty && widget.states.contains(.focusable))
            #expect(areas.contains { $0.contains(widget.rect.center) }, "\(widget.id)")
            let hit = widgets.reversed().lazy.compactMap { $0.target(at: widget.rect.center) }.first
            #expect(hit?.id == widget.id)
        }
        let frames = widgets.filter { !["filmstrip-mark", "zoom"].contains($0.id) }
        for (number, widget) in frames.enumerated() {
            for other in frames[(number + 1)...] {
                #expect(
                    widget.rect.intersection(other.rect).isEmpty, "\(widget.id), \(other.id)")
            }
        }
    }

    /// No bar leaves the surface or covers another, and every button is as large as a finger.
    @Test func barsFitEverySurface() {
        for layout in Self.layouts() {
            for bars in Self.viewerBars(layout) { check(bars.widgets, bars.areas, on: layout) }
            for bars in Self.gridBars(layout) { check(bars.widgets, bars.areas, on: layout) }
        }
    }

    @Test func rightToLeftIsTheMirrorImage() {
        for mirrored in Self.layouts() where mirrored.theme.isRightToLeft {
            var straight = mirrored
            straight.theme = Theme(textScale: mirrored.theme.textScale)
            for (left, right) in zip(Self.viewerBars(straight), Self.viewerBars(mirrored)) {
                let image = right.widgets.map { $0.mirrored(onWidth: mirrored.surface.width) }
                #expect(image.map(\.id) == left.widgets.map(\.id))
                for (one, other) in zip(image, left.widgets) {
                    #expect(abs(one.rect.x - other.rect.x) < 1e-6)
                }
            }
        }
    }

    /// The next page comes from the left in right-to-left languages, so its arrow is there.
    @Test(arguments: [0.0, 300]) func arrowsPointToTheirSides(panelWidth: Double) throws {
        for isRightToLeft in [false, true] {
            var layout = BarLayout(
                surface: Size(width: 1280, height: 800),
                theme: Theme(isRightToLeft: isRightToLeft), text: .fixed)
            layout.usesPointer = true
            var facts = ViewerFacts(name: "a", index: 5, count: 12, percent: 100)
            facts.panelWidth = panelWidth
            let bars = ViewerBars(layout, facts)
            let arrows = bars.widgets.filter { $0.id.hasPrefix("page-") }
            try #require(arrows.count == 2)
            for (arrow, id) in zip(arrows, ["previous", "next"]) {
                #expect(arrow.children.map(\.id) == [id])
                #expect(bars.areas.contains(arrow.rect))
                let isLeft = (id == "previous") != isRightToLeft
                #expect((arrow.rect.center.x < layout.surface.width / 2) == isLeft)
                let x = try #require(tip(of: arrow, layout.theme))
                #expect((x < 0) == isLeft)
            }
        }
    }

    /// How far the tip of an arrow lies to the right of its ends; nil without an arrow.
    private func tip(of arrow: Widget, _ theme: Theme) -> Double? {
        for case .paths(let drawing) in arrow.children[0].layer(theme, WidgetFocus()).elements {
            let segments = drawing.paths[0].segments
            guard case .move(let end) = segments[0], case .line(let tip) = segments[1] else {
                continue
            }
            return tip.x - end.x
        }
        return nil
    }

    /// The frame of the selected picture in the filmstrip has dark and light lines in every theme.
    @Test(arguments: Theme.Scheme.allCases, [false, true])
    func theMarkOfTheFilmstripShowsOnEveryPicture(
        scheme: Theme.Scheme, isHighContrast: Bool
    ) throws {
        let layout = BarLayout(
            surface: Size(width: 1280, height: 800),
            theme: Theme(scheme, isHighContrast: isHighContrast), text: .fixed)
        let mark = try #require(
            Self.viewerBars(layout)[0].widgets.first { $0.id == "filmstrip-mark" })
        let lines = mark.layer(layout.theme, WidgetFocus()).elements.compactMap { element in
            if case .box(let box) = element { box.border } else { nil }
        }
        let lights = lines.map(\.luminance)
        #expect(try #require(lights.max()) - (try #require(lights.min())) > 0.5)
    }

    /// Large titles stand alone in their bars, which are not wider than the titles.
    @Test func barsOfLargeTitlesEndAfterTheTitle() throws {
        let layout = BarLayout(
            surface: Size(width: 1280, height: 800), theme: Theme(textScale: 2), text: .fixed)
        let titles = [
            Self.viewerBars(layout)[0].widgets.flatMap(all).first { $0.id == "name" },
            Self.gridBars(layout)[0].widgets.flatMap(all).first { $0.id == "folder" },
        ]
        for title in titles {
            let title = try #require(title)
            let width = layout.text(title.name, layout.theme.title).width
            #expect(abs(title.rect.width - width) <= 2, "\(title.name)")
        }
    }

    /// The narrowest phone still has a way back, and a menu.
    @Test func aNarrowSurfaceKeepsTheImportantButtons() {
        let layout = BarLayout(
            surface: Size(width: 320, height: 640), theme: Theme(), text: .fixed)
        let ids = Self.viewerBars(layout)[2].widgets.flatMap(all).map(\.id)
        for id in ["back", "name", "menu", "information", "rotate-clockwise", "filmstrip"] {
            #expect(ids.contains(id), "\(id)")
        }
    }

    /// The bar at the bottom keeps the most important commands on the narrowest phone, in the order of
    /// the whole bar, and leaves room for the zoom control on wide surfaces.
    @Test(
        arguments: [
            (320.0, ["rotate-clockwise", "favourite", "send", "edit", "play-pause", "delete"]),
            (
                400,
                [
                    "grid", "rotate-clockwise", "favourite", "send", "edit", "play-pause",
                    "slideshow", "delete",
                ]
            ),
            (880, ["rotate-clockwise", "favourite", "send", "edit", "play-pause", "delete"]),
            (
                1280,
                [
                    "grid", "rotate-anticlockwise", "rotate-clockwise", "favourite", "send", "edit",
                    "play-pause", "slideshow", "fullscreen", "help", "delete",
                ]
            ),
        ] as [(Double, [String])])
    func theBarAtTheBottomHasItsButtons(width: Double, ids: [String]) throws {
        let layout = BarLayout(
            surface: Size(width: width, height: 640), theme: Theme(), text: .fixed)
        let bars = Self.viewerBars(layout)[0]
        let actions = try #require(bars.widgets.first { $0.id == "actions" })
        #expect(actions.children.map(\.id) == ids)
        #expect(bars.widgets.contains { $0.id == "zoom-bar" } == (width >= 880))
    }

    /// Bars, their icons and the room for two lines grow with the texts, as far as the surface has room for a row of
    /// buttons.
    @Test(
        arguments: [
            (1280, 1, 48, 24, true), (1280, 0.5, 48, 24, true), (1280, 1.5, 72, 36, true),
            (1280, 3, 72, 36, false), (320, 3, 49, 25, false), (400, 1.25, 60, 30, true),
        ] as [(Double, Double, Double, Double, Bool)])
    func theBarsGrowWithTheTexts(
        width: Double, scale: Double, target: Double, icon: Double, hasPlace: Bool
    ) throws {
        let layout = BarLayout(
            surface: Size(width: width, height: 800), theme: Theme(textScale: scale), text: .fixed)
        let bars = Self.viewerBars(layout)[0].widgets
        let top = try #require(bars.first { $0.id == "top" })
        #expect(layout.target == target && top.rect.height == target)
        #expect(top.children.contains { $0.id == "place" } == hasPlace)
        let button = try #require(top.children.first { $0.id == "back" })
        let sides = button.layer(layout.theme, WidgetFocus()).elements.compactMap {
            if case .paths(let paths) = $0 { paths.rect.width } else { nil as Double? }
        }
        #expect(sides == [icon])
        let body = layout.theme.body.size
        #expect(layout.isLarge || body * 2.4 < target)
    }

    /// The button of the grid would do the same as the arrow back to the grid.
    @Test(arguments: [(false, 2, true), (true, 2, false), (false, 1, false)])
    func theGridHasOneButton(returnsToGrid: Bool, count: Int, hasButton: Bool) {
        var facts = ViewerFacts(name: "a.jpg", index: 0, count: count, percent: 100)
        facts.returnsToGrid = returnsToGrid
        let layout = BarLayout(
            surface: Size(width: 1280, height: 800), theme: Theme(), text: .fixed)
        let ids = ViewerBars(layout, facts).widgets.flatMap(all).map(\.id)
        #expect(ids.contains("grid") == hasButton)
        #expect(ids.contains("rotate-clockwise"))
    }

    /// The button of the information panel shows whether the panel is open.
    @Test(arguments: [false, true])
    func theInformationButtonIsChecked(_ isOpen: Bool) throws {
        var facts = ViewerFacts(name: "a.jpg", index: 0, count: 2, percent: 100)
        facts.showsInformation = isOpen
        let layout = BarLayout(
            surface: Size(width: 1280, height: 800), theme: Theme(), text: .fixed)
        let button = try #require(
            ViewerBars(layout, facts).widgets.lazy.compactMap { $0.widget("information") }.first)
        #expect(button.role == .toggleButton && button.states.contains(.checkable))
        #expect(button.states.contains(.checked) == isOpen)
    }

    @Test func thePointerHasArrowsAndAZoomControl() throws {
        var layout = BarLayout(
            surface: Size(width: 1280, height: 800), theme: Theme(), text: .fixed)
        #expect(Self.viewerBars(layout)[0].widgets.allSatisfy { $0.id != "page-on" })
        layout.surface.width = 500
        #expect(Self.viewerBars(layout)[0].widgets.allSatisfy { $0.id != "zoom-bar" })
        layout.usesPointer = true
        let widgets = Self.viewerBars(layout)[0].widgets.flatMap(all)
        for id in ["previous", "next", "zoom-in", "zoom-out", "zoom", "fit", "one-to-one"] {
            #expect(widgets.contains { $0.id == id }, "\(id)")
        }
        #expect(widgets.first { $0.id == "zoom" }?.description == "100 %")
    }

    // MARK: Looks

    /// Texts and icons are legible on black, white and grey: a contrast of at least 4.5.
    @Test func textsAreLegibleOnEveryPicture() {
        func over(_ color: Color, _ below: Double) -> Double {
            color.red * color.alpha + below * (1 - color.alpha)
        }
        func contrast(_ one: Double, _ other: Double) -> Double {
            Color.gray(one).contrast(with: .gray(other))
        }
        for scheme in Theme.Scheme.allCases {
            for isHigh in [false, true] {
                let theme = Theme(scheme, isHighContrast: isHigh)
                for ground in [theme.ground, theme.denseGround] {
                    for picture in [0.0, 0.5, 1] {
                        let back = over(ground, picture)
                        for color in [theme.text, theme.icon, theme.dimText] {
                            #expect(
                                contrast(over(color, back), back) >= (isHigh ? 7 : 4.5),
                                "\(scheme) \(picture)")
                        }
                    }
                }
            }
        }
    }

    @Test func contrastsAreThoseOfTheGuidelines() {
        #expect(abs(Color.gray(0).contrast(with: .gray(1)) - 21) < 1e-9)
        #expect(abs(Color.gray(1).contrast(with: .gray(118 / 255.0)) - 4.54) < 0.01)
        let red = Color(red: 1, green: 0, blue: 0)
        #expect(abs(red.contrast(with: .gray(1)) - 4) < 0.01)
    }

    /// A text is legible on every accent colour.
    @Test func textsAreLegibleOnEveryAccent() {
        for red in stride(from: 0, through: 1, by: 0.125) {
            for green in stride(from: 0, through: 1, by: 0.125) {
                for blue in stride(from: 0, through: 1, by: 0.125) {
                    let accent = Color(red: red, green: green, blue: blue)
                    for scheme in Theme.Scheme.allCases {
                        let theme = Theme(scheme, accent: accent)
                        #expect(theme.onAccent.contrast(with: theme.accent) >= 4.5)
                    }
                }
            }
        }
    }

    /// A bar over a picture of its own colour has an edge that can be seen.
    @Test func barsHaveAnEdge() {
        for scheme in Theme.Scheme.allCases {
            let theme = Theme(scheme)
            #expect(theme.border.alpha >= 0.1)
            #expect(theme.border.contrast(with: theme.ground) > 3)
        }
    }

    @Test func iconsStayOnTheirGrid() {
        for icon in Icon.allCases {
            #expect(!icon.paths.isEmpty)
            for path in icon.paths {
                for segment in path.segments {
                    let points: [Point]
                    switch segment {
                    case .move(let point), .line(let point): points = [point]
                    case .arc(let center, let radius, _, _):
                        points = [-1.0, 1].map {
                            Point(x: center.x + $0 * radius, y: center.y + $0 * radius)
                        }
                    case .close: points = []
                    }
                    for point in points {
                        #expect((1...23).contains(point.x) && (1...23).contains(point.y), "\(icon)")
                    }
                }
                // A mirrored path goes through the mirrored points in the same order.
                for (segment, mirror) in zip(
                    path.segments, path.mirrored(onWidth: 24).segments)
                {
                    for (point, other) in zip(segment.ends, mirror.ends) {
                        #expect(abs(24 - point.x - other.x) < 1e-9 && abs(point.y - other.y) < 1e-9)
                    }
                }
            }
        }
    }

    // MARK: Filmstrip

    @Test func theSelectedPictureIsInTheMiddle() throws {
        let layout = BarLayout(
            surface: Size(width: 1280, height: 800), theme: Theme(), text: .fixed)
        let facts = ViewerFacts(name: "", index: 500, count: 100_000, percent: nil)
        let strip = try #require(ViewerBars(layout, facts).filmstrip)
        let cells = strip.cells(at: 500)
        #expect(cells.count < 30)
        #expect(cells.first { $0.index == 500 }?.rect.center.x == 640)
        #expect(strip.index(at: Point(x: 700, y: strip.rect.center.y), 500) == 501)
        #expect(strip.index(at: Point(x: 700, y: 10), 500) == nil)
        #expect(strip.steps(of: -60) == 1)
    }

    @Test func scrubbingStopsAtTheEnds() throws {
        let layout = BarLayout(
            surface: Size(width: 1280, height: 800), theme: Theme(), text: .fixed)
        let facts = ViewerFacts(name: "", index: 0, count: 10, percent: nil)
        let strip = try #require(ViewerBars(layout, facts).filmstrip)
        var filmstrip = Filmstrip()
        filmstrip.set(2)
        filmstrip.begin(at: .zero)
        #expect(filmstrip.drag(by: -180, on: strip, isStill: false) == 5)
        #expect(filmstrip.drag(by: -18_000, on: strip, isStill: false) == 9)
        // Beyond the end the strip resists.
        #expect(filmstrip.position(at: .zero) > 9 && filmstrip.position(at: .zero) < 30)
        #expect(filmstrip.drag(by: 18_000, on: strip, isStill: false) == 0)
        filmstrip.end(on: 0, at: .zero, isStill: false)
        #expect(filmstrip.isAnimating(at: .zero))
        let later = strip.rect.width  // Long enough, in milliseconds.
        #expect(abs(filmstrip.position(at: .init(milliseconds: later))) < 0.01)
    }

    // MARK: The date

    /// The date is left out where the line is too narrow for it.
    @Test(arguments: [
        (1280.0, "6 of 12 · 21 June 2026, 20:41"), (700, "6 of 12 · 21 June 2026, 20:41 · 100 %"),
        (390, "6 of 12 · 21 June 2026, 20:41"), (300, "6 of 12 · 100 %"),
    ])
    func theDateStandsBesideThePlace(_ width: Double, _ text: String) {
        var facts = ViewerFacts(name: "a.jpg", index: 5, count: 12, percent: 100)
        facts.date = "21 June 2026, 20:41"
        let bars = ViewerBars(
            BarLayout(surface: Size(width: width, height: 800), theme: Theme(), text: .fixed), facts
        )
        let place = bars.widgets.lazy.compactMap { $0.widget("place") }.first
        #expect(place?.name == text)
    }

    @Test func aDateOfAnotherDirectionIsIsolated() {
        var facts = ViewerFacts(name: "a.jpg", index: 5, count: 12, percent: 100)
        facts.date = "21 يونيو 2026"
        #expect(
            facts.place(withDate: true, withZoom: true)
                == "6 of 12 · \u{2068}21 يونيو 2026\u{2069} · 100 %")
        #expect(facts.place(withZoom: false) == "6 of 12")
    }
}

extension VectorPath.Segment {
    /// The first and the last point.
    fileprivate var ends: [Point] {
        switch self {
        case .move(let point), .line(let point): [point]
        case .arc(let center, let radius, let from, let to):
            [from, to].map { center + Vector(dx: radius, dy: 0).rotated(by: $0) }
        case .close: []
        }
    }
}
