package import Input
package import Motion
import Geometry

/// Turns what the hands do into gestures.
///
/// Events go in with their own times, gestures come out, each with the moment it belongs to.
/// Nothing here runs: the owner asks for the `deadline`, waits that long if no event comes, and
/// then lets the arena `advance`. Events that are already there have to be handled before, since a
/// timer that is served late must not overrule an up that came in time.
///
/// Touchscreen and mouse go to the `TouchArbiter`; touchpad pinches, holds and scrolls come
/// recognised from the driver. Only one of them holds the content: a touch takes it from the
/// touchpad, a touchpad pinch from a scroll, and what comes in second otherwise is ignored.
///
/// Input is not trusted. Contacts that are unknown, down twice or one too many, positions that are
/// no numbers and times that run backwards do no harm.
package struct GestureArena: Sendable {
    /// What the arena has to know about the content at the time of an event.
    package struct Context: Hashable, Sendable {
        /// Whether something moves that a finger would catch: a fling, a spring.
        package var contentIsMoving: Bool
        /// Whether a double tap means anything; where not, single taps do not wait for one.
        package var doubleTapMatters: Bool
        /// Whether content may be turned with the fingers.
        package var rotates: Bool
        /// What lies over the content and takes touches for itself.
        package var chrome: ChromeArea
        /// The x-coordinates at which a click may become a double click, in logical pixels.
        ///
        /// A click
        /// beside them acts at once, and stops no motion.
        package var doubleClickRange: ClosedRange<Double>
        package var modifiers: KeyEvent.Modifiers

        package init(
            contentIsMoving: Bool = false, doubleTapMatters: Bool = true, rotates: Bool = true,
            chrome: ChromeArea = ChromeArea(),
            doubleClickRange: ClosedRange<Double> = -Double.infinity...Double.infinity,
            modifiers: KeyEvent.Modifiers = []
        ) {
            self.doubleClickRange = doubleClickRange
            self.contentIsMoving = contentIsMoving
            self.doubleTapMatters = doubleTapMatters
            self.rotates = rotates
            self.chrome = chrome
            self.modifiers = modifiers
        }
    }

    let settings: GestureSettings
    var touches: TouchArbiter
    var chromeTouch = ChromeTouch()
    var pinch: TouchpadPinch
    var hold = TouchpadHold()
    var scroll: TouchpadScroll
    /// Where the pointer was seen last, in logical pixels.
    var pointer = Point.zero
    /// The latest event's time.
    private var latest = Moment(milliseconds: -.infinity)

    package init(settings: GestureSettings = .init()) {
        self.settings = settings
        touches = TouchArbiter(settings: settings)
        pinch = TouchpadPinch(settings: settings)
        scroll = TouchpadScroll(settings: settings)
    }

    /// When something happens if no event comes before.
    package var deadline: Moment? {
        guard let first = touches.deadline, let second = scroll.deadline else {
            return touches.deadline ?? scroll.deadline
        }
        return min(first, second)
    }

    /// Whether fingers are on the screen or hold the content by a touchpad, or a button is down.
    package var isTouching: Bool {
        touches.isTouching || chromeTouch.isActive || pinch.isActive || scroll.isActive
            || hold.isActive
    }

    /// Takes in one event; what was due before it fires first.
    package mutating func handle(
        _ event: InputEvent, at time: Moment, context: Context, into gestures: inout [TimedGesture]
    ) {
        let moment = sane(time, of: event)
        expire(to: moment, inclusive: false, into: &gestures)
        switch event {
        case .touch(let event): handle(event, moment, context, &gestures)
        case .pointer(let event): handle(event, moment, context, &gestures)
        case .pinch(let event): handle(event, moment, context, &gestures)
        case .hold(let event): handle(event, moment, context, &gestures)
        // Swipes are the compositor's, keys and the surface the controller's.
        case .swipe, .key, .resize, .scale: break
        }
    }

    /// Fires what is due up to `moment`.
    package mutating func advance(to moment: Moment, into gestures: inout [TimedGesture]) {
        expire(to: moment, inclusive: true, into: &gestures)
    }

    /// Fires what was due before `moment`, at which an event comes.
    package mutating func expire(before moment: Moment, into gestures: inout [TimedGesture]) {
        expire(to: moment, inclusive: false, into: &gestures)
    }

    /// Says where what is held is at `moment`, the time of a frame: between the samples of a
    /// touchscreen, and smoother than a touchpad's steps.
    package func sample(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard moment.milliseconds.isFinite else { return }
        touches.sample(at: moment, into: &gestures)
        pinch.sample(at: moment, into: &gestures)
    }

    /// Whether what is held moves after `moment` even if no event comes.
    package func isAnimating(after moment: Moment) -> Bool {
        touches.isPredicting(after: moment) || pinch.isFollowing(after: moment)
    }

    /// Forgets everything that is going on, as when the surface is lost.
    package mutating func cancelAll(at time: Moment, into gestures: inout [TimedGesture]) {
        let moment = sane(time, of: nil)
        touches.cancel(at: moment, into: &gestures)
        chromeTouch.cancel()
        releaseTouchpad(at: moment, into: &gestures)
    }

    /// A time that can be computed with and does not run backwards.
    ///
    /// A frame bears no time of its own: it belongs to the events that it completes.
    private mutating func sane(_ time: Moment, of event: InputEvent?) -> Moment {
        if event == .touch(.frame), touches.isTouching { return touches.lastMoment }
        if time.milliseconds.isFinite, time > latest { latest = time }
        if latest.milliseconds == -.infinity { latest = .zero }
        return latest
    }

    private mutating func expire(
        to moment: Moment, inclusive: Bool, into gestures: inout [TimedGesture]
    ) {
        if let first = scroll.deadline, let second = touches.deadline, second < first {
            touches.expire(to: moment, inclusive: inclusive, into: &gestures)
        }
        scroll.expire(to: moment, inclusive: inclusive, into: &gestures)
        touches.expire(to: moment, inclusive: inclusive, into: &gestures)
    }

    /// Lets go at rest what the touchpad holds; tells whether it held anything, which moves now.
    @discardableResult
    mutating func releaseTouchpad(
        at moment: Moment, into gestures: inout [TimedGesture]
    ) -> Bool {
        let held = pinch.isActive || scroll.isActive || hold.isActive
        defer { assert(!pinch.isActive && !scroll.isActive && !hold.isActive) }
        hold.end(at: moment, into: &gestures)
        pinch.abandon(at: moment, into: &gestures)
        scroll.abandon(at: moment, into: &gestures)
        return held
    }
}
