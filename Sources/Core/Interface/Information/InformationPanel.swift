import Geometry
import Gestures
import Motion
import SceneModel

/// The panel with information about the selected picture: its content, visibility and scroll
/// offset.
///
/// The panel is at the end of the surface's width (the right side, in right-to-left languages the left
/// side), or at the bottom of a narrow surface. Lengths are in logical pixels.
struct InformationPanel: Hashable, Sendable {
    private(set) var isShown = false
    /// The part of the panel that has slid in: 0 hidden, 1 shown.
    private var reveal = ScalarMotion.still(0)
    private(set) var area = ScrollArea()
    private var information: Information?
    private(set) var content: InformationLayout?
    /// The surface and the looks.
    private(set) var layout: BarLayout

    /// The width on a wide surface with small texts.
    private static let width = 380.0
    /// The largest part of a wide surface's width, unless the surface is narrower than two panels.
    private static let widthShare = 0.5
    /// On narrower surfaces the panel is at the bottom.
    private static let narrowLimit = 700.0
    /// The largest part of a narrow surface's height that the panel covers.
    private static let heightShare = 0.6
    /// On lower surfaces the panel has the full height.
    private static let lowLimit = 160.0
    /// A panel above the bars may be at least this high.
    private static let lowestAboveBars = 320.0

    init(on layout: BarLayout) { self.layout = layout }

    // MARK: Content

    /// Sets the content; `isOther` says that the content describes another picture than before, and
    /// scrolls it back to the top.
    mutating func set(_ information: Information?, isOther: Bool) {
        self.information = information
        if isOther { area.reset() }
        layOut()
    }

    mutating func set(_ layout: BarLayout) {
        let former = self.layout
        self.layout = layout
        let isOtherSurface = layout.surface != former.surface
        guard isOtherSurface || layout.theme != former.theme else { return }
        if isOtherSurface { area.end(velocity: 0, at: .zero) }
        layOut()
    }

    private mutating func layOut() {
        content = information.map {
            InformationLayout($0, width: width, layout.theme, layout.text)
        }
        area.resize(
            height: max(restRect.height - layout.target - bottomMargin, 0),
            content: content?.height ?? 0)
    }

    // MARK: Geometry

    private var surface: Size { layout.surface }

    /// Whether the panel is at the bottom of a narrow surface.
    var isNarrow: Bool { surface.width < Self.narrowLimit }

    /// The space between the rows and the round corners below.
    private var bottomMargin: Double { isNarrow ? 0 : Theme.Space.widget }

    private var width: Double {
        guard !isNarrow else { return surface.width }
        // Large texts need a wide panel.
        let wish = Self.width * max(layout.theme.textScale, 1)
        return min(wish, max(surface.width * Self.widthShare, Self.width)).rounded()
    }

    /// The rectangle of the fully shown panel, before it is mirrored for right-to-left languages.
    private var restRect: Rect {
        let height = layout.target + (content?.height ?? 0) + bottomMargin
        let isLow = surface.height < Self.lowLimit
        if isNarrow {
            let most = isLow ? surface.height : surface.height * Self.heightShare
            let shown = min(height, most).rounded(.down)
            return Rect(x: 0, y: surface.height - shown, width: width, height: shown)
        }
        let (top, margin) = isLow ? (0, 0) : (layout.top, bottomBars ?? BarLayout.margin)
        return Rect(
            x: surface.width - width - BarLayout.margin, y: top, width: width,
            height: min(height, surface.height - top - margin))
    }

    /// The height of the bars below the panel; nil where the bars are beside the panel, because the
    /// surface is too low for both.
    private var bottomBars: Double? {
        guard !isNarrow, let height = ViewerBars.bottomHeight(on: layout),
            surface.height - layout.top - height >= Self.lowestAboveBars
        else { return nil }
        return height
    }

    /// The rectangle of the panel on the surface; nil while the panel is hidden.
    func rect(at moment: Moment) -> Rect? {
        let share = min(max(reveal.value(at: moment), 0), 1)
        var rect = restRect
        guard share > 0, content != nil, !rect.isEmpty else { return nil }
        if isNarrow {
            rect.y += (1 - share) * rect.height
        } else {
            rect.x += (1 - share) * (surface.width - rect.x)
        }
        return layout.oriented(rect)
    }

    /// How much of the surface's width a panel at the side covers in the middle of the height.
    func coveredWidth(at moment: Moment) -> Double {
        guard !isNarrow, let rect = rect(at: moment) else { return 0 }
        return (surface.width - layout.oriented(rect).x).rounded(.up)
    }

    /// How much of the width of the bars at the bottom a panel at the side covers.
    func coveredWidthAtBottom(at moment: Moment) -> Double {
        bottomBars == nil ? coveredWidth(at: moment) : 0
    }

    /// The part of the panel that scrolls; nil while the panel is hidden.
    func list(at moment: Moment) -> Rect? {
        guard var list = rect(at: moment) else { return nil }
        list.y += layout.target
        list.height = max(list.height - layout.target - bottomMargin, 0)
        return list
    }

    /// Whether the content is higher than its place in the panel.
    var isScrollable: Bool { area.isScrollable }

    /// The displayed scroll offset.
    func offset(at moment: Moment) -> Double { area.offset(at: moment) }

    // MARK: Motion

    mutating func set(isShown: Bool, at moment: Moment) {
        guard isShown != self.isShown else { return }
        self.isShown = isShown
        let target = isShown ? 1.0 : 0
        if isShown {
            area.reset()
        } else {
            // The panel slides away under the fingers, so their drag ends now.
            area.end(velocity: 0, at: moment)
        }
        reveal.move(to: target, at: moment, isStill: layout.reducesMotion)
    }

    func isScrolling(at moment: Moment) -> Bool { area.isScrolling(at: moment) }

    func isAnimating(at moment: Moment) -> Bool {
        isScrolling(at: moment) || !reveal.isAtRest(at: moment, tolerance: .opacity)
    }

    mutating func advance(to moment: Moment) {
        area.advance(to: moment)
        if reveal.isAtRest(at: moment, tolerance: .opacity) { reveal = .still(reveal.restValue) }
    }

    /// Scrolls by a key or a wheel: `distance` is positive down.
    mutating func scroll(by distance: Double, at moment: Moment) {
        area.scroll(by: distance, at: moment, isStill: layout.reducesMotion)
    }

    // MARK: Fingers

    var isHeld: Bool { area.isHeld }

    /// Stops a scrolling content, because a finger has landed.
    mutating func stop(at moment: Moment) { area.stop(at: moment) }

    mutating func begin(_ fingers: Manipulation, at moment: Moment) {
        area.begin(at: fingers.base.y, moment, isStill: layout.reducesMotion)
        area.follow(fingers.centroid.y)
    }

    /// Handles the rest of a manipulation that began on the panel; returns whether the gesture
    /// belongs to it.
    mutating func follow(_ gesture: Gesture, at moment: Moment) -> Bool {
        area.follow(gesture, at: moment)
    }
}
