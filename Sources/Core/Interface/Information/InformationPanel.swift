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
    /// How far the content is scrolled up, in logical pixels.
    private var scroll = ScalarMotion.still(0)
    /// The drag of the content; nil while no finger holds it.
    private var drag: Drag?
    private var information: Information?
    private var layout: InformationLayout?
    private var surface: Size
    private let reducesMotion: Bool
    private let text: TextMeasurement

    /// Scroll offsets before the rubber band, and a position of the fingers, in logical pixels.
    private struct Drag: Hashable, Sendable {
        /// The scroll offset when the drag began.
        var start: Double
        /// The y coordinate of the fingers when the drag began.
        var base: Double
        /// The current scroll offset.
        var raw: Double
    }

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
    }

    // MARK: Content

    /// Sets the content; `isOther` says that the content describes another picture than before, and
    /// scrolls it back to the top.
    mutating func set(_ information: Information?, isOther: Bool) {
        self.information = information
        if isOther { (scroll, drag) = (.still(0), nil) }
        layOut()
    }

    mutating func resize(to surface: Size) {
        self.surface = surface
        drag = nil
        layOut()
    }

    private mutating func layOut() {
        layout = information.map { InformationLayout($0, width: width, text) }
        if drag == nil { scroll = .still(min(scroll.restValue, range.upperBound)) }
    }

    // MARK: Geometry

    private var isNarrow: Bool { surface.width < Self.narrowLimit }

    private var width: Double { isNarrow ? surface.width : Self.width }

    private var top: Double { Bar.height + Self.margin }

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

    /// The valid scroll offsets, in logical pixels.
    private var range: ClosedRange<Double> {
        0...max((layout?.height ?? 0) - restRect.height, 0)
    }

    /// Whether the content is higher than the panel.
    var isScrollable: Bool { range.upperBound > 0 }

    /// The displayed scroll offset, in logical pixels.
    func offset(at moment: Moment) -> Double {
        guard let drag else { return scroll.value(at: moment) }
        let inside = min(max(drag.raw, range.lowerBound), range.upperBound)
        guard !reducesMotion else { return inside }
        return inside
            + RubberBand.displayed(drag.raw - inside, extent: max(restRect.height, 1))
    }

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
        guard isScrollable, layout.height > 0 else { return (rect, lines, nil) }
        let first = min(max(offset / layout.height, 0), 1)
        let last = min(max((offset + rect.height) / layout.height, first), 1)
        return (rect, lines, first...last)
    }

    // MARK: Motion

    mutating func set(isShown: Bool, at moment: Moment) {
        guard isShown != self.isShown else { return }
        self.isShown = isShown
        let target = isShown ? 1.0 : 0
        if isShown {
            scroll = .still(0)
        } else if drag != nil {
            // The panel slides away under the fingers, so their drag ends now.
            end(velocity: 0, at: moment)
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

    func isScrolling(at moment: Moment) -> Bool {
        !scroll.isAtRest(at: moment, tolerance: .pixels)
    }

    func isAnimating(at moment: Moment) -> Bool {
        isScrolling(at: moment) || !reveal.isAtRest(at: moment, tolerance: .opacity)
    }

    mutating func advance(to moment: Moment) {
        if !isScrolling(at: moment) { scroll = .still(scroll.restValue) }
        if reveal.isAtRest(at: moment, tolerance: .opacity) { reveal = .still(reveal.restValue) }
    }

    /// Scrolls by a key or a wheel: `distance` logical pixels, positive down, from the target of
    /// the current scroll motion.
    mutating func scroll(by distance: Double, at moment: Moment) {
        let target = min(max(scroll.restValue + distance, range.lowerBound), range.upperBound)
        guard !reducesMotion else {
            scroll = .still(target)
            return
        }
        scroll = .spring(
            Spring(
                from: scroll.value(at: moment), to: target, velocity: scroll.velocity(at: moment),
                at: moment, frequency: Spring.zoomFrequency))
    }

    // MARK: Fingers

    var isHeld: Bool { drag != nil }

    /// Stops a scrolling content, because a finger has landed.
    mutating func stop(at moment: Moment) {
        scroll = .still(scroll.value(at: moment))
    }

    mutating func begin(_ fingers: Manipulation, at moment: Moment) {
        let shown = offset(at: moment)
        let inside = min(max(shown, range.lowerBound), range.upperBound)
        let raw =
            inside + RubberBand.raw(shown - inside, extent: max(restRect.height, 1))
        drag = Drag(start: raw, base: fingers.base.y, raw: raw)
        follow(fingers)
    }

    /// Restarts the drag when fingers have joined or lifted: the content stays where it is.
    private mutating func rebase(_ fingers: Manipulation) {
        guard let drag else { return }
        self.drag = Drag(start: drag.raw, base: fingers.centroid.y, raw: drag.raw)
    }

    private mutating func follow(_ fingers: Manipulation) {
        guard let drag else { return }
        self.drag?.raw = drag.start - (fingers.centroid.y - drag.base)
    }

    /// Ends the drag with the fingers' vertical velocity, in logical pixels per second, positive
    /// down.
    private mutating func end(velocity: Double, at moment: Moment) {
        let value = offset(at: moment)
        drag = nil
        guard !reducesMotion else {
            scroll = .still(min(max(value, range.lowerBound), range.upperBound))
            return
        }
        scroll = .fling(Fling(from: value, velocity: -velocity, at: moment, within: range))
    }

    /// Handles the rest of a manipulation that began on the panel; returns whether the gesture
    /// belongs to it.
    mutating func follow(_ gesture: Gesture, at moment: Moment) -> Bool {
        switch gesture {
        case .manipulationChanged(let fingers), .manipulationPredicted(let fingers):
            follow(fingers)
        case .manipulationRebased(let fingers, _): rebase(fingers)
        case .manipulationEnded(let release):
            end(velocity: release.isCancelled ? 0 : release.velocity.dy, at: moment)
        case .manipulationReverted, .resumed: end(velocity: 0, at: moment)
        default: return false
        }
        return true
    }
}
