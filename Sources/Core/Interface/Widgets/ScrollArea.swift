import Geometry
import Gestures
import Motion

/// Content that is higher than its area, scrolled by fingers, keys and the wheel.
///
/// Lengths are in logical pixels.
package struct ScrollArea: Hashable, Sendable {
    /// The height of the area and of its content.
    private(set) var height = 0.0
    private(set) var content = 0.0
    /// How far the content is scrolled up.
    private var scroll = ScalarMotion.still(0)
    /// The drag of the content; nil while no finger holds the content.
    private var drag: Drag?

    /// Scroll offsets before the rubber band, and a position of the fingers.
    private struct Drag: Hashable, Sendable {
        /// The scroll offset when the drag began.
        var start: Double
        /// The y coordinate of the fingers when the drag began.
        var base: Double
        /// The current scroll offset.
        var raw: Double
        /// Whether the drag has no rubber band and no fling.
        let isStill: Bool
    }

    // MARK: Size

    mutating func resize(height: Double, content: Double) {
        (self.height, self.content) = (height, content)
        if drag == nil { scroll = .still(min(scroll.restValue, range.upperBound)) }
    }

    /// Scrolls back to the top at once, and lets go.
    mutating func reset() { (scroll, drag) = (.still(0), nil) }

    /// The valid scroll offsets.
    private var range: ClosedRange<Double> { 0...max(content - height, 0) }

    /// Whether the content is higher than the area.
    var isScrollable: Bool { range.upperBound > 0 }

    /// The displayed scroll offset.
    func offset(at moment: Moment) -> Double {
        guard let drag else { return scroll.value(at: moment) }
        let inside = min(max(drag.raw, range.lowerBound), range.upperBound)
        guard !drag.isStill else { return inside }
        return inside + RubberBand.displayed(drag.raw - inside, extent: max(height, 1))
    }

    /// The visible part of the content, as fractions of its height; nil where all of it fits.
    func visible(at moment: Moment) -> ClosedRange<Double>? {
        guard isScrollable, content > 0 else { return nil }
        let offset = offset(at: moment)
        let first = min(max(offset / content, 0), 1)
        return first...min(max((offset + height) / content, first), 1)
    }

    // MARK: Motion

    func isScrolling(at moment: Moment) -> Bool {
        !scroll.isAtRest(at: moment, tolerance: .pixels)
    }

    mutating func advance(to moment: Moment) {
        if !isScrolling(at: moment) { scroll = .still(scroll.restValue) }
    }

    /// Scrolls by a key or the wheel: `distance` is positive down, from the target of the current
    /// motion; at once if `isStill`.
    mutating func scroll(by distance: Double, at moment: Moment, isStill: Bool) {
        let target = min(max(scroll.restValue + distance, range.lowerBound), range.upperBound)
        scroll.move(to: target, at: moment, isStill: isStill)
    }

    /// Scrolls by the shortest distance that makes a part of the content visible, at once without a
    /// moment; of a part higher than the area the beginning is visible.
    mutating func reveal(_ part: ClosedRange<Double>, at moment: Moment?, isStill: Bool) {
        let target = min(max(scroll.restValue, part.upperBound - height), part.lowerBound)
        guard drag == nil, target != scroll.restValue else { return }
        if let moment {
            scroll(by: target - scroll.restValue, at: moment, isStill: isStill)
        } else {
            scroll = .still(min(max(target, range.lowerBound), range.upperBound))
        }
    }

    // MARK: Fingers

    var isHeld: Bool { drag != nil }

    /// Stops the content, because a finger has landed.
    mutating func stop(at moment: Moment) { scroll = .still(scroll.value(at: moment)) }

    /// Begins a drag, without rubber band and fling if `isStill`.
    mutating func begin(at y: Double, _ moment: Moment, isStill: Bool) {
        let shown = offset(at: moment)
        let inside = min(max(shown, range.lowerBound), range.upperBound)
        let raw = inside + RubberBand.raw(shown - inside, extent: max(height, 1))
        drag = Drag(start: raw, base: y, raw: raw, isStill: isStill)
    }

    /// Restarts the drag when fingers have joined or lifted: the content stays where it is.
    mutating func rebase(at y: Double) {
        guard let drag else { return }
        self.drag = Drag(start: drag.raw, base: y, raw: drag.raw, isStill: drag.isStill)
    }

    mutating func follow(_ y: Double) {
        guard let drag else { return }
        self.drag?.raw = drag.start - (y - drag.base)
    }

    /// Ends the drag with the fingers' vertical velocity, in logical pixels per second, positive down.
    mutating func end(velocity: Double, at moment: Moment) {
        guard let held = drag else { return }
        let value = offset(at: moment)
        drag = nil
        guard !held.isStill else {
            scroll = .still(min(max(value, range.lowerBound), range.upperBound))
            return
        }
        scroll = .fling(Fling(from: value, velocity: -velocity, at: moment, within: range))
    }

    /// Handles the rest of a manipulation that began on the area; returns whether the gesture belongs
    /// to it.
    mutating func follow(_ gesture: Gesture, at moment: Moment) -> Bool {
        switch gesture {
        case .manipulationChanged(let fingers), .manipulationPredicted(let fingers):
            follow(fingers.centroid.y)
        case .manipulationRebased(let fingers, _): rebase(at: fingers.centroid.y)
        case .manipulationEnded(let release):
            end(velocity: release.isCancelled ? 0 : release.velocity.dy, at: moment)
        case .manipulationReverted, .resumed: end(velocity: 0, at: moment)
        default: return false
        }
        return true
    }
}
