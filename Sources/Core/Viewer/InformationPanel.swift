import Geometry
import Gestures
import Motion

/// The panel that tells of the selected picture: shown or hidden, and how far it is scrolled.
///
/// At the right side of the surface, or from below where that is narrow.
struct InformationPanel: Hashable, Sendable {
    private(set) var isShown = false
    /// 0 hidden, 1 shown.
    private var reveal = ScalarMotion.still(0)
    /// How far the content is scrolled up, in logical pixels.
    private var scroll = ScalarMotion.still(0)
    /// Fingers that hold the content: where it was scrolled to, unbent, when they were at `base`.
    private var hold: ActiveManipulation?
    private var information: Information?
    private var layout: InformationLayout?
    private var surface: Size
    private let reducesMotion: Bool

    private struct ActiveManipulation: Hashable, Sendable {
        var start: Double
        var base: Double
        var raw: Double
    }

    /// In logical pixels.
    private static let width = 380.0
    private static let margin = 12.0
    /// Surfaces that are narrower get it from below.
    private static let narrowest = 700.0
    /// The most of a narrow surface's height that it takes.
    private static let share = 0.6

    init(on surface: Size, reducesMotion: Bool) {
        self.surface = surface
        self.reducesMotion = reducesMotion
    }

    // MARK: What is in it

    /// Takes what there is to say; of another picture, from its top.
    mutating func tell(_ information: Information?, isOther: Bool) {
        self.information = information
        if isOther { (scroll, hold) = (.still(0), nil) }
        layOut()
    }

    mutating func resize(to surface: Size) {
        self.surface = surface
        hold = nil
        layOut()
    }

    private mutating func layOut() {
        layout = information.map { InformationLayout($0, width: width) }
        if hold == nil { scroll = .still(min(scroll.restValue, range.upperBound)) }
    }

    // MARK: Where it is

    private var isNarrow: Bool { surface.width < Self.narrowest }

    private var width: Double { isNarrow ? surface.width : Self.width }

    private var top: Double { ViewerModel.barHeight + Self.margin }

    /// Where it is once it is shown, in logical pixels.
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

    /// Where it is seen; none while it is not.
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

    /// How far its content may be scrolled.
    private var range: ClosedRange<Double> {
        0...max((layout?.height ?? 0) - restRect.height, 0)
    }

    /// Whether there is more than can be seen at once.
    var isLonger: Bool { range.upperBound > 0 }

    func offset(at moment: Moment) -> Double {
        guard let hold else { return scroll.value(at: moment) }
        let inside = min(max(hold.raw, range.lowerBound), range.upperBound)
        guard !reducesMotion else { return inside }
        return inside
            + RubberBand.displayed(hold.raw - inside, extent: max(restRect.height, 1))
    }

    /// The lines that can be seen, the panel's place, and the part of its height that its content's
    /// visible part is, from and to.
    func visible(
        at moment: Moment
    ) -> (rect: Rect, lines: [InformationLayout.Line], scrolled: ClosedRange<Double>?)? {
        guard let rect = rect(at: moment), let layout else { return nil }
        let offset = offset(at: moment)
        let lines = layout.lines.compactMap { line -> InformationLayout.Line? in
            var line = line
            line.y -= offset
            let isSeen = line.y < rect.height && line.y + InformationLayout.lineHeight > 0
            return isSeen ? line : nil
        }
        guard isLonger, layout.height > 0 else { return (rect, lines, nil) }
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
        } else if hold != nil {
            // Whoever holds it lets go of nothing that is there.
            end(velocity: 0, at: moment)
        }
        guard !reducesMotion else {
            reveal = .still(target)
            return
        }
        reveal = .spring(
            Spring(
                from: reveal.value(at: moment), to: target, velocity: reveal.velocity(at: moment),
                at: moment, frequency: PlacementMotion.settleFrequency))
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

    /// Scrolls on from where the content is heading, by a key or a wheel; down is positive.
    mutating func scroll(by distance: Double, at moment: Moment) {
        let target = min(max(scroll.restValue + distance, range.lowerBound), range.upperBound)
        guard !reducesMotion else {
            scroll = .still(target)
            return
        }
        scroll = .spring(
            Spring(
                from: scroll.value(at: moment), to: target, velocity: scroll.velocity(at: moment),
                at: moment, frequency: PlacementMotion.settleFrequency))
    }

    // MARK: Fingers

    var isHeld: Bool { hold != nil }

    /// A finger has come: what scrolls stops.
    mutating func stop(at moment: Moment) {
        scroll = .still(scroll.value(at: moment))
    }

    mutating func begin(_ fingers: Manipulation, at moment: Moment) {
        let shown = offset(at: moment)
        let inside = min(max(shown, range.lowerBound), range.upperBound)
        let raw =
            inside + RubberBand.raw(shown - inside, extent: max(restRect.height, 1))
        hold = ActiveManipulation(start: raw, base: fingers.base.y, raw: raw)
        follow(fingers)
    }

    /// Fingers have joined or left: the content stays where it is.
    mutating func rebase(_ fingers: Manipulation) {
        guard let hold else { return }
        self.hold = ActiveManipulation(start: hold.raw, base: fingers.centroid.y, raw: hold.raw)
    }

    mutating func follow(_ fingers: Manipulation) {
        guard let hold else { return }
        self.hold?.raw = hold.start - (fingers.centroid.y - hold.base)
    }

    /// The fingers leave, with a speed in logical pixels per second.
    mutating func end(velocity: Double, at moment: Moment) {
        let value = offset(at: moment)
        hold = nil
        guard !reducesMotion else {
            scroll = .still(min(max(value, range.lowerBound), range.upperBound))
            return
        }
        scroll = .fling(Fling(from: value, velocity: -velocity, at: moment, within: range))
    }
}
