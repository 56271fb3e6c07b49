import Geometry
import Input
import Motion

/// One-finger taps: a single tap that waits until it cannot become a double tap.
struct TapRecognizer: Sendable {
    /// A tap that was completed and may be the first half of a double tap.
    private struct Tap: Sendable {
        var point: Point
        var up: Moment
        var source: Manipulation.Source
        /// Whether the tap counts alone; a tap on moving content does not.
        var isSingleTap: Bool
    }

    private var pending: Tap?

    /// When the waiting tap becomes a single tap; a second down at exactly this moment still
    /// counts.
    func deadline(_ settings: GestureConstants) -> Moment? {
        pending?.up.advanced(byMilliseconds: settings.doubleTapWindow)
    }

    /// A first finger lands; returns which tap this may become, 1 or 2.
    ///
    /// A waiting tap ends in any case. If the new touch is too far away, the waiting tap fires now
    /// and the touch is a first tap. After a pause shorter than `doubleTapGap` the contact has
    /// bounced, and the touch still belongs to the waiting tap.
    mutating func land(
        at point: Point, _ moment: Moment, settings: GestureConstants,
        into gestures: inout [TimedGesture]
    ) -> Int {
        guard let tap = pending else { return 1 }
        guard (point - tap.point).length <= settings.doubleTapDistance else {
            fire(at: moment, into: &gestures)
            return 1
        }
        pending = nil
        let pause = moment.milliseconds - tap.up.milliseconds
        return pause < settings.doubleTapGap ? 1 : 2
    }

    /// A first tap is complete: it waits for a second one if `waits`, and fires now otherwise.
    mutating func complete(
        at point: Point, _ up: Moment, source: Manipulation.Source, waits: Bool,
        into gestures: inout [TimedGesture]
    ) {
        if waits {
            pending = Tap(point: point, up: up, source: source, isSingleTap: true)
        } else {
            gestures.emit(.tap(at: point, source: source), at: up)
        }
    }

    /// A tap on moving content is complete: alone it has no effect, but it may be half of a double
    /// tap.
    mutating func completeOnMotion(at point: Point, _ up: Moment, source: Manipulation.Source) {
        pending = Tap(point: point, up: up, source: source, isSingleTap: false)
    }

    /// Fires the waiting tap, if there is one, as a single tap.
    mutating func fire(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard let tap = pending else { return }
        pending = nil
        guard tap.isSingleTap else { return }
        gestures.emit(.tap(at: tap.point, source: tap.source), at: moment)
    }

    mutating func forget() {
        pending = nil
    }
}
