import Geometry
import Gestures
import Motion
import SceneModel

/// The panel with information about the selected picture: its content, visibility and scroll
/// offset.
///
/// The panel is at the right side of the surface, or at the bottom of a narrow surface.
struct InformationPanel: Hashable, Sendable {
    private(set) var isShown = false
    /// The part of the panel that has slid in: 0 hidden, 1 shown.
    private var reveal = ScalarMotion.still(0)
    private var area: ScrollArea
    private var information: Information?
    private var layout: InformationLayout?
    private var surface: Size
    private let reducesMotion: Bool
    private let text: TextMeasurement

    /// The width on a wide surface, and the distance to the surface's edge, in logical pixels.
    private static let width = 380.0
    private static let margin = 12.0
    /// On narrower surfaces the panel is at the bottom, in logical pixels.
    private static let narrowLimit = 700.0
    /// The largest fraction of a narrow surface's height that the panel covers.
    private static let share = 0.6

    init(on surface: Size, reducesMotion: Bool, text: TextMeasurement) {
        self.surface = surface
        self.reducesMotion = reducesMotion
        self.text = text
        area = ScrollArea(reducesMotion: reducesMotion)
    }

    // MARK: Content

    /// Sets the content; `isOther` says that the content describes another picture than before, and
    /// scrolls it back to the top.
    mutating func set(_ information: Information?, isOther: Bool) {
        self.information = information
        if isOther { area.reset() }
        layOut()
    }

    mutating func resize(to surface: Size) {
        self.surface = surface
        area.end(velocity: 0, at: .zero)
        layOut()
    }

    private mutating func layOut() {
        layout = information.map { InformationLayout($0, width: width, text) }
        area.resize(height: restRect.height, content: layout?.height ?? 0)
    }

    // MARK: Geometry

    /// Whether the panel is at the bottom of a narrow surface.
    var isNarrow: Bool { surface.width < Self.narrowLimit }

    private var width: Double { isNarrow ? surface.width : Self.width }

    private var top: Double { BarLayout.top + Self.margin }

    /// The rectangle of the fully shown panel on the surface, in logical pixels.
    private var restRect: Rect {
        let content = layout?.height ?? 0
        if isNarrow {
            let height = min(content, surface.height * Self.share)
            return Rect(x: 0, y: surface.height - height, width: width, height: height)
        }
        return Rect(
            x: surface.width - width - Self.margin, y: top, width: width,
            height: max(min(content, surface.height - top - Self.margin), 0))
    }

    /// The rectangle of the panel on the surface, in logical pixels; nil while the panel is hidden.
    func rect(at moment: Moment) -> Rect? {
        let share = min(max(reveal.value(at: moment), 0), 1)
        var rect = restRect
        guard share > 0, !rect.isEmpty else { return nil }
        if isNarrow {
            rect.y += (1 - share) * rect.height
        } else {
            rect.x += (1 - share) * (surface.width - rect.x)
        }
        return rect
    }

    /// Whether the content is higher than the panel.
    var isScrollable: Bool { area.isScrollable }

    /// The displayed scroll offset, in logical pixels.
    func offset(at moment: Moment) -> Double { area.offset(at: moment) }

    /// The panel's rectangle, its visible lines, and the visible range of the content as fractions
    /// of the content's height, 0…1.
    ///
    /// Nil while the panel is hidden; the range is nil where the whole content fits.
    func visible(
        at moment: Moment
    ) -> (rect: Rect, lines: [InformationLayout.Line], scrolled: ClosedRange<Double>?)? {
        guard let rect = rect(at: moment), let layout else { return nil }
        let offset = offset(at: moment)
        let lines = layout.lines.compactMap { line -> InformationLayout.Line? in
            var line = line
            line.y -= offset
            let isVisible = line.y < rect.height && line.y + line.height > 0
            return isVisible ? line : nil
        }
        return (rect, lines, area.visible(at: moment))
    }

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
        guard !reducesMotion else {
            reveal = .still(target)
            return
        }
        reveal = .spring(
            Spring(
                from: reveal.value(at: moment), to: target, velocity: reveal.velocity(at: moment),
                at: moment, frequency: Spring.zoomFrequency))
    }

    func isScrolling(at moment: Moment) -> Bool { area.isScrolling(at: moment) }

    func isAnimating(at moment: Moment) -> Bool {
        isScrolling(at: moment) || !reveal.isAtRest(at: moment, tolerance: .opacity)
    }

    mutating func advance(to moment: Moment) {
        area.advance(to: moment)
        if reveal.isAtRest(at: moment, tolerance: .opacity) { reveal = .still(reveal.restValue) }
    }

    /// Scrolls by a key or a wheel: `distance` logical pixels, positive down.
    mutating func scroll(by distance: Double, at moment: Moment) {
        area.scroll(by: distance, at: moment)
    }

    // MARK: Fingers

    var isHeld: Bool { area.isHeld }

    /// Stops a scrolling content, because a finger has landed.
    mutating func stop(at moment: Moment) { area.stop(at: moment) }

    mutating func begin(_ fingers: Manipulation, at moment: Moment) {
        area.begin(at: fingers.base.y, moment)
        area.follow(fingers.centroid.y)
    }

    /// Handles the rest of a manipulation that began on the panel; returns whether the gesture
    /// belongs to it.
    mutating func follow(_ gesture: Gesture, at moment: Moment) -> Bool {
        area.follow(gesture, at: moment)
    }
}
