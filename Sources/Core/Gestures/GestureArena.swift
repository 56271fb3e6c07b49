package import Input
package import Motion
import Geometry

/// Recognises gestures in input events.
///
/// Events go in with their times; gestures come out, each with its moment. The arena has no timer
/// of its own: the owner asks for the `deadline`, waits until then unless an event comes, and calls
/// `expire`. Events that have already arrived must be handled before `expire`, because a late
/// timer must not overrule an up that came in time.
///
/// Touchscreen, mouse and pen go to the `TouchArbiter`; the touchpad driver has already recognised
/// pinches, holds and scrolls. One source holds the content at a time: a touch takes over from the
/// touchpad, a touchpad pinch takes over from a scroll, and any other second source is ignored.
///
/// Input is not trusted. Unknown, duplicate and surplus contacts, implausible positions and times
/// that run backwards do no harm.
package struct GestureArena: Sendable {
    /// The state of the content that recognition depends on, at the time of an event.
    package struct Context: Hashable, Sendable {
        /// Whether content moves that a finger would catch: a fling, a spring.
        package var contentIsMoving: Bool
        /// Whether a double tap has an effect; if not, single taps do not wait for one.
        package var doubleTapMatters: Bool
        /// Whether fingers can rotate the content.
        package var rotates: Bool
        /// Whether small rotations matter; see `GestureConstants.straighteningLock`.
        package var straightens = false
        /// The chrome over the content, which receives touches itself.
        package var chrome: ChromeArea
        /// The x-coordinates at which a click may become a double click, in logical pixels.
        ///
        /// A click outside this range acts at once and stops no motion.
        package var doubleClickRange: ClosedRange<Double>
        /// The x-coordinates at which a finger's tap may become a double tap, in logical pixels; see
        /// `doubleClickRange`.
        package var doubleTapRange: ClosedRange<Double>
        package var modifiers: KeyEvent.Modifiers
        /// Whether a mouse drags the content at the point of its press to other programs.
        package var mouseDragOut: DragOut
        /// Whether a finger that moves after its long press does.
        package var touchDragsOut: Bool

        package init(
            contentIsMoving: Bool = false, doubleTapMatters: Bool = true, rotates: Bool = true,
            chrome: ChromeArea = ChromeArea(),
            doubleClickRange: ClosedRange<Double> = -Double.infinity...Double.infinity,
            doubleTapRange: ClosedRange<Double> = -Double.infinity...Double.infinity,
            modifiers: KeyEvent.Modifiers = [], mouseDragOut: DragOut = .never,
            touchDragsOut: Bool = false
        ) {
            self.mouseDragOut = mouseDragOut
            self.touchDragsOut = touchDragsOut
            self.doubleClickRange = doubleClickRange
            self.doubleTapRange = doubleTapRange
            self.contentIsMoving = contentIsMoving
            self.doubleTapMatters = doubleTapMatters
            self.rotates = rotates
            self.chrome = chrome
            self.modifiers = modifiers
        }
    }

    let settings: GestureConstants
    var touches: TouchArbiter
    var chromeTouch = ChromeTouch()
    var pinch: TouchpadPinch
    var hold = TouchpadHold()
    var scroll: TouchpadScroll
    /// The last pointer position, in logical pixels.
    var pointer = Point.zero
    /// The latest event's time.
    private var latest = Moment(milliseconds: -.infinity)

    package init(settings: GestureConstants = .init()) {
        self.settings = settings
        touches = TouchArbiter(settings: settings)
        pinch = TouchpadPinch(settings: settings)
        scroll = TouchpadScroll(settings: settings)
    }

    /// When the next timer fires if no event comes before.
    package var deadline: Moment? {
        var first = touches.deadline
        if let deadline = scroll.deadline { first = min(first ?? deadline, deadline) }
        if let deadline = pinch.deadline { first = min(first ?? deadline, deadline) }
        if let deadline = chromeTouch.deadline { first = min(first ?? deadline, deadline) }
        return first
    }

    /// Whether fingers are on the screen or hold the content by a touchpad, or a button is down.
    package var isTouching: Bool {
        touches.isTouching || chromeTouch.isActive || pinch.isActive || scroll.isActive
            || hold.isActive
    }

    /// Whether a button is down, or a scroll is under way.
    var isHeldByPointer: Bool {
        touches.isDown(.mouse) || chromeTouch.isDown(.mouse) || scroll.isActive
    }

    /// Whether recognition of an event reads the context; contacts that only move do not.
    func needsContext(_ event: InputEvent) -> Bool {
        switch event {
        case .touch(.move), .pointer(.leave): false
        case .touch(.frame), .pointer(.move), .pen(.move): touches.changesContacts
        default: true
        }
    }

    /// Handles one event; timers that expired before the event fire first.
    package mutating func handle(
        _ event: InputEvent, at time: Moment, context: Context, into gestures: inout [TimedGesture]
    ) {
        let moment = monotonic(time, of: event)
        let lock = context.straightens ? settings.straighteningLock : settings.rotationLock
        (touches.settings.rotationLock, pinch.settings.rotationLock) = (lock, lock)
        expire(to: moment, inclusive: false, into: &gestures)
        switch event {
        case .touch(let event): handle(event, moment, context, &gestures)
        case .pointer(let event): handle(event, moment, context, &gestures)
        case .pen(let event): handle(event, moment, context, &gestures)
        case .pinch(let event): handle(event, moment, context, &gestures)
        case .hold(let event): handle(event, moment, context, &gestures)
        // Compositors use swipes; the target handles keys, texts and changes of the surface.
        case .swipe, .key, .modifiers, .textInput, .resize, .scale: break
        }
    }

    /// The output has turned, so that fingers have other coordinates without a movement.
    ///
    /// The next report of each finger on the content moves nothing, and the finger is neither a tap nor
    /// a long press. A finger on the chrome, which lies elsewhere now, loses its hold.
    package mutating func outputTurned(at time: Moment, into gestures: inout [TimedGesture]) {
        let moment = monotonic(time, of: nil)
        chromeTouch.cancel(at: moment, into: &gestures)
        touches.outputTurned(at: moment, into: &gestures)
    }

    /// Fires timers that expired before `moment`, or at `moment` if `inclusive`.
    ///
    /// Exclusive before an event, which comes before a timer of the same moment; inclusive before a frame.
    package mutating func expire(
        to moment: Moment, inclusive: Bool, into gestures: inout [TimedGesture]
    ) {
        chromeTouch.expire(to: moment, inclusive: inclusive, into: &gestures)
        if let first = scroll.deadline, let second = touches.deadline, second < first {
            touches.expire(to: moment, inclusive: inclusive, into: &gestures)
        }
        scroll.expire(to: moment, inclusive: inclusive, into: &gestures)
        pinch.expire(to: moment, inclusive: inclusive, into: &gestures)
        touches.expire(to: moment, inclusive: inclusive, into: &gestures)
    }

    /// Emits the predicted state of the held content at `moment`, the time of a frame.
    ///
    /// Positions are interpolated between the samples of a touchscreen; the steps of a touchpad are
    /// smoothed.
    package func sample(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard moment.milliseconds.isFinite else { return }
        touches.sample(at: moment, into: &gestures)
        pinch.sample(at: moment, into: &gestures)
    }

    /// Whether the prediction still changes after `moment` if no event comes.
    package func isAnimating(after moment: Moment) -> Bool {
        touches.isPredicting(after: moment) || pinch.isFollowing(after: moment)
    }

    /// Cancels all gestures, for example when the surface is lost.
    package mutating func cancelAll(at time: Moment, into gestures: inout [TimedGesture]) {
        let moment = monotonic(time, of: nil)
        touches.cancel(at: moment, into: &gestures)
        chromeTouch.cancel(at: moment, into: &gestures)
        releaseTouchpad(at: moment, into: &gestures)
    }

    /// `time`, made finite and monotonic.
    ///
    /// A touch frame has no time of its own: it takes the time of the events that it completes.
    private mutating func monotonic(_ time: Moment, of event: InputEvent?) -> Moment {
        if event == .touch(.frame), touches.isTouching { return touches.lastMoment }
        if time.milliseconds.isFinite, time > latest { latest = time }
        if latest.milliseconds == -.infinity { latest = .zero }
        return latest
    }

    /// Ends touchpad gestures without velocity.
    ///
    /// Returns whether one was active, so that its content may be moving now.
    @discardableResult
    mutating func releaseTouchpad(
        at moment: Moment, into gestures: inout [TimedGesture]
    ) -> Bool {
        let wasActive = pinch.isActive || scroll.isActive || hold.isActive
        defer { assert(!pinch.isActive && !scroll.isActive && !hold.isActive) }
        hold.end(at: moment, into: &gestures)
        pinch.abandon(at: moment, into: &gestures)
        scroll.abandon(at: moment, into: &gestures)
        return wasActive
    }
}
