package import Geometry
package import Input
package import Motion

/// The receiver of gestures, keys and changes of the surface: a viewer, a grid or a browser.
package protocol GestureTarget: Sendable {
    /// A request of the target to its owner.
    associatedtype Effect: Sendable

    /// Handles a gesture; `modifiers` are the modifier keys that are held.
    mutating func handle(
        _ gesture: Gesture, modifiers: KeyEvent.Modifiers, at moment: Moment,
        effects: inout [Effect])
    mutating func handle(_ key: KeyEvent, at moment: Moment, effects: inout [Effect])
    /// Reads the content at a point of the surface to a person who uses a screen reader; see
    /// `TouchExplorer`.
    mutating func read(at point: Point, at moment: Moment)
    /// Activates what was read last.
    mutating func activate(at moment: Moment, effects: inout [Effect])
    /// Notices input before it is recognised or handled; a target that does nothing by itself need not.
    mutating func noticeInput(at moment: Moment)
    /// Notices that contacts without events were cancelled; a target in which a contact at rest opens
    /// nothing need not.
    mutating func noticeLostContacts()
    /// Handles a change by an input method; a target without text fields need not.
    mutating func handle(_ input: TextInputEvent, at moment: Moment, effects: inout [Effect])
    /// Changes the surface's size (logical pixels), its scale (device pixels per logical pixel), or
    /// both.
    ///
    /// Nil means unchanged.
    mutating func resize(to size: Size?, scale: Double?, at moment: Moment)
    /// Ends what is over at `moment`, such as motions at rest.
    mutating func advance(to moment: Moment, effects: inout [Effect])
    /// When the target next changes although nothing moves.
    var deadline: Moment? { get }
    /// Whether the next frame can differ from the one of `moment` without any event.
    func isAnimating(at moment: Moment) -> Bool
    /// The context for recognition at `moment`, without the modifiers, which the caller fills in.
    ///
    /// `point` is the position of the pointer or of the last landing.
    func context(at moment: Moment, near point: Point?) -> GestureArena.Context
}

extension GestureTarget {
    package mutating func noticeInput(at moment: Moment) {}

    package mutating func noticeLostContacts() {}

    package mutating func read(at point: Point, at moment: Moment) {}

    package mutating func activate(at moment: Moment, effects: inout [Effect]) {}

    package mutating func handle(
        _ input: TextInputEvent, at moment: Moment, effects: inout [Effect]
    ) {}
}

/// Connects input to a target: input events in, effects out.
///
/// This covers everything between an event (of a compositor or a script) and the target's state:
/// the choice of the seat whose events count, gesture recognition, modifier keys and timers.
package struct Interaction<Target: GestureTarget>: Sendable {
    package var target: Target { didSet { reached = nil } }
    /// The moment to which the target was advanced last; nil if the target has changed since.
    private var reached: Moment?
    private var arenas: SeatArenas
    private var modifiers: KeyEvent.Modifiers = []
    private var gestures: [TimedGesture] = []
    /// The context of the last event that needed one; nil after a key, which may have begun a crop.
    private var context: GestureArena.Context?
    /// Where a finger landed last, or the pointer is.
    private var landing: Point?
    private let settings: GestureConstants
    /// The meaning of fingers while a person uses a screen reader; nil otherwise.
    private var explorer: TouchExplorer?
    /// The time of the last event of the contacts that hold the content.
    private var lastReport = Moment.zero

    package init(_ target: Target, gestures settings: GestureConstants = .init()) {
        self.target = target
        arenas = SeatArenas(settings: settings)
        self.settings = settings
    }

    /// Whether one finger reads, and two fingers do what one does otherwise.
    package var exploresByTouch: Bool { explorer != nil }

    /// Begins or ends exploring by touch; fingers that are down lose their hold.
    package mutating func setExploresByTouch(
        _ isOn: Bool, at moment: Moment, effects: inout [Target.Effect]
    ) {
        guard isOn != exploresByTouch else { return }
        explorer = isOn ? TouchExplorer(settings: settings) : nil
        guard let seat = arenas.owner else { return }
        recognize(.touch(.cancel), of: seat, at: moment, effects: &effects)
    }

    /// The seat whose fingers hold the content; nil without fingers.
    package var holdingSeat: Int? { arenas.owner }

    /// Handles one event of the seat with the number `seat`; returns whether the event counted.
    @discardableResult
    package mutating func handle(
        _ event: InputEvent, of seat: Int = 0, at moment: Moment, effects: inout [Target.Effect]
    ) -> Bool {
        // No input: this event has no time of its own, so that no timer may fire for it.
        if case .modifiers(let effective) = event {
            modifiers = effective
            return true
        }
        if arenas.isActive || explorer != nil {
            catchUp(with: event, of: seat, at: moment, effects: &effects)
        }
        advanceTarget(to: moment, effects: &effects)
        switch event {
        case .resize, .scale, .modifiers: break
        case .key, .textInput, .touch, .pinch, .swipe, .hold, .pointer, .pen:
            target.noticeInput(at: moment)
            reached = moment
        }
        switch event {
        case .key(let key):
            updateModifiers(key)
            context = nil
            target.handle(key, at: moment, effects: &effects)
        case .modifiers: break
        case .textInput(let input): target.handle(input, at: moment, effects: &effects)
        case .resize(let size): target.resize(to: size, scale: nil, at: moment)
        case .scale(let scale): target.resize(to: nil, scale: scale, at: moment)
        case .touch(let touch) where explorer != nil:
            var outcomes: [TouchExplorer.Outcome] = []
            explorer?.handle(touch, of: seat, at: moment, into: &outcomes)
            perform(outcomes, of: seat, at: moment, effects: &effects)
            if explorer?.seat == seat { lastReport = moment }
        case .touch, .pinch, .swipe, .hold, .pointer, .pen:
            let counted = recognize(event, of: seat, at: moment, effects: &effects)
            if arenas.isHeld(by: event, of: seat) { lastReport = moment }
            return counted
        }
        return true
    }

    /// Fires timers that expired before an event, even if no frame was drawn since.
    private mutating func catchUp(
        with event: InputEvent, of seat: Int, at moment: Moment, effects: inout [Target.Effect]
    ) {
        endOpenFrame(before: event, of: seat, at: moment, effects: &effects)
        arenas.forEach(into: &gestures) { $0.expire(to: moment, inclusive: false, into: &$1) }
        deliverGestures(&effects)
        expireExplorer(to: moment, inclusive: false, effects: &effects)
    }

    /// Ends the frame of earlier touches: a compositor that was held up sends the reports of a whole swipe,
    /// each with its own time, in one frame.
    private mutating func endOpenFrame(
        before event: InputEvent, of seat: Int, at moment: Moment,
        effects: inout [Target.Effect]
    ) {
        switch event {
        case .touch(.down), .touch(.move), .touch(.up): break
        default: return
        }
        guard let earlier = arenas.openFrame(of: seat), earlier < moment else { return }
        arenas.forEach(into: &gestures) { $0.expire(to: earlier, inclusive: false, into: &$1) }
        deliverGestures(&effects)
        advanceTarget(to: earlier, effects: &effects)
        recognize(.touch(.frame), of: seat, at: earlier, effects: &effects)
    }

    /// Hands an event to the gestures; returns whether the event counted.
    @discardableResult
    private mutating func recognize(
        _ event: InputEvent, of seat: Int, at moment: Moment, effects: inout [Target.Effect]
    ) -> Bool {
        updateLanding(event)
        // Most events are moves, which need no context, and bars are laid out for one.
        let known = arenas.needsContext(event, of: seat) ? nil : context
        var current = known ?? target.context(at: moment, near: landing)
        current.modifiers = modifiers
        context = current
        let counted = arenas.handle(
            event, of: seat, at: moment, context: current, into: &gestures)
        deliverGestures(&effects)
        return counted
    }

    // MARK: Screen readers

    private mutating func perform(
        _ outcomes: [TouchExplorer.Outcome], of seat: Int, at moment: Moment,
        effects: inout [Target.Effect]
    ) {
        for outcome in outcomes {
            switch outcome {
            case .read(let point): target.read(at: point, at: moment)
            case .activate: target.activate(at: moment, effects: &effects)
            case .pass(let event):
                recognize(.touch(event), of: seat, at: moment, effects: &effects)
            }
        }
    }

    private mutating func expireExplorer(
        to moment: Moment, inclusive: Bool, effects: inout [Target.Effect]
    ) {
        guard explorer != nil else { return }
        var outcomes: [TouchExplorer.Outcome] = []
        explorer?.expire(to: moment, inclusive: inclusive, into: &outcomes)
        perform(outcomes, of: 0, at: moment, effects: &effects)
    }

    // MARK: Surface and time

    /// Handles a configure that may change size and scale, as one change.
    package mutating func resize(
        to size: Size, scale: Double, at moment: Moment, effects: inout [Target.Effect]
    ) {
        advanceTarget(to: moment, effects: &effects)
        target.resize(to: size, scale: scale, at: moment)
    }

    /// The output has turned, so that fingers that are down have other coordinates without a movement.
    package mutating func outputTurned(at moment: Moment, effects: inout [Target.Effect]) {
        advance(to: moment, effects: &effects)
        arenas.forEach(into: &gestures) { $0.outputTurned(at: moment, into: &$1) }
        deliverGestures(&effects)
        // The two fingers of a person who uses a screen reader lose the content: their middle is elsewhere.
        if explorer != nil, let seat = arenas.owner {
            recognize(.touch(.cancel), of: seat, at: moment, effects: &effects)
        }
    }

    /// Advances the time to `moment`: fires timers and updates the prediction for a frame.
    package mutating func advance(to moment: Moment, effects: inout [Target.Effect]) {
        arenas.forEach(into: &gestures) { $0.expire(to: moment, inclusive: true, into: &$1) }
        arenas.forEach(into: &gestures) { $0.sample(at: moment, into: &$1) }
        deliverGestures(&effects)
        expireExplorer(to: moment, inclusive: true, effects: &effects)
        releaseLostContacts(at: moment, effects: &effects)
        advanceTarget(to: moment, effects: &effects)
    }

    /// Advances the target, unless nothing has happened since it was advanced to this moment.
    private mutating func advanceTarget(to moment: Moment, effects: inout [Target.Effect]) {
        guard reached != moment else { return }
        target.advance(to: moment, effects: &effects)
        reached = moment
    }

    /// Cancels contacts that have held the content for long without any event: a compositor may have lost
    /// the lift, and a slideshow waits until no contact holds the content.
    private mutating func releaseLostContacts(
        at moment: Moment, effects: inout [Target.Effect]
    ) {
        guard let restEnd, restEnd <= moment else { return }
        var outcomes: [TouchExplorer.Outcome] = []
        let seat = explorer?.seat ?? 0
        explorer?.handle(.cancel, of: seat, at: moment, into: &outcomes)
        perform(outcomes, of: seat, at: moment, effects: &effects)
        arenas.forEach(into: &gestures) { $0.cancelAll(at: moment, into: &$1) }
        deliverGestures(&effects)
        target.noticeLostContacts()
    }

    /// When contacts without events are cancelled; nil if no contact holds the content.
    private var restEnd: Moment? {
        guard arenas.owner != nil || explorer?.isTouched == true else { return nil }
        return lastReport.advanced(byMilliseconds: settings.longestRest)
    }

    /// The next moment at which a timer fires; frames not included.
    package var deadline: Moment? {
        var first = target.deadline
        for deadline in [arenas.deadline, explorer?.deadline, restEnd] {
            if let deadline { first = min(first ?? deadline, deadline) }
        }
        return first
    }

    /// Whether the next frame can differ from the one of `moment` without any event.
    package func isAnimating(at moment: Moment) -> Bool {
        target.isAnimating(at: moment) || arenas.isAnimating(after: moment)
    }

    private mutating func deliverGestures(_ effects: inout [Target.Effect]) {
        for timed in gestures {
            advanceTarget(to: timed.moment, effects: &effects)
            target.handle(
                timed.gesture, modifiers: modifiers, at: timed.moment, effects: &effects)
        }
        gestures.removeAll(keepingCapacity: true)
    }

    private mutating func updateLanding(_ event: InputEvent) {
        switch event {
        case .touch(.down(_, let point)), .pointer(.move(let point)), .pen(.down(_, let point)):
            landing = point
        default: break
        }
    }

    /// Keeps track of the modifiers, which scrolls need too.
    ///
    /// The modifiers of a modifier's own press do not include it yet.
    private mutating func updateModifiers(_ key: KeyEvent) {
        modifiers = key.modifiers
        guard key.name.hasPrefix("Control_") else { return }
        if key.action == .down { modifiers.insert(.control) }
        if key.action == .up { modifiers.remove(.control) }
    }
}
