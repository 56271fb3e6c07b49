package import Geometry
package import Input
package import Motion

/// What gestures, keys and changes of the surface are about: a viewer, a grid, or both.
package protocol GestureTarget: Sendable {
    /// What it asks of the world around it.
    associatedtype Effect: Sendable

    /// Takes what the fingers mean; `modifiers` are the keys held meanwhile.
    mutating func handle(
        _ gesture: Gesture, modifiers: KeyEvent.Modifiers, at moment: Moment,
        effects: inout [Effect])
    mutating func handle(_ key: KeyEvent, at moment: Moment, effects: inout [Effect])
    /// The surface has a new size, in logical pixels, or a new number of device pixels per logical
    /// pixel, or both at once; none of them means as before.
    mutating func resize(to size: Size?, scale: Double?, at moment: Moment)
    /// Lets what has come to its end be over.
    mutating func advance(to moment: Moment, effects: inout [Effect])
    /// When something happens by itself although nothing moves.
    var deadline: Moment? { get }
    /// Whether the next frame can differ from the one of `moment` without any event.
    func isAnimating(at moment: Moment) -> Bool
    /// What the arena has to know at `moment` of the content, where something lands at `point` or did
    /// so last; the modifiers are filled in.
    func context(at moment: Moment, near point: Point?) -> GestureArena.Context
}

/// Something in people's hands: input events in, effects out.
///
/// Everything between a compositor's event, or a script's, and the target's state: which seat's
/// events count, what they mean as gestures, which modifiers are held, and what waits for its time.
package struct Interaction<Target: GestureTarget>: Sendable {
    package var target: Target
    private var arenas: SeatArenas
    private var modifiers: KeyEvent.Modifiers = []
    private var gestures: [TimedGesture] = []
    /// Where a finger landed last, or the pointer is.
    private var landing: Point?

    package init(_ target: Target, gestures settings: GestureSettings = .init()) {
        self.target = target
        arenas = SeatArenas(settings: settings)
    }

    /// Takes in one event, of the seat with that number; tells whether it counted.
    @discardableResult
    package mutating func handle(
        _ event: InputEvent, of seat: Int = 0, at moment: Moment, effects: inout [Target.Effect]
    ) -> Bool {
        // What was due before happens before, be it that nobody looked in between.
        arenas.expire(before: moment, into: &gestures)
        pass(&effects)
        target.advance(to: moment, effects: &effects)
        switch event {
        case .key(let key):
            follow(key)
            target.handle(key, at: moment, effects: &effects)
        case .resize(let size): target.resize(to: size, scale: nil, at: moment)
        case .scale(let scale): target.resize(to: nil, scale: scale, at: moment)
        case .touch, .pinch, .swipe, .hold, .pointer:
            note(event)
            var context = target.context(at: moment, near: landing)
            context.modifiers = modifiers
            let counted = arenas.handle(
                event, of: seat, at: moment, context: context, into: &gestures)
            pass(&effects)
            return counted
        }
        return true
    }

    /// Takes in a configure that may change both, as one change.
    package mutating func resize(
        to size: Size, scale: Double, at moment: Moment, effects: inout [Target.Effect]
    ) {
        target.advance(to: moment, effects: &effects)
        target.resize(to: size, scale: scale, at: moment)
    }

    /// Lets time pass: what waits for a moment up to `moment` happens, and what fingers hold is
    /// where they are at that moment.
    package mutating func advance(to moment: Moment, effects: inout [Target.Effect]) {
        arenas.advance(to: moment, into: &gestures)
        arenas.sample(at: moment, into: &gestures)
        pass(&effects)
        target.advance(to: moment, effects: &effects)
    }

    /// The next moment at which something happens by itself, apart from frames.
    package var deadline: Moment? {
        guard let first = arenas.deadline, let second = target.deadline else {
            return arenas.deadline ?? target.deadline
        }
        return min(first, second)
    }

    /// Whether the next frame can differ from the one of `moment` without any event.
    package func isAnimating(at moment: Moment) -> Bool {
        target.isAnimating(at: moment) || arenas.isAnimating(after: moment)
    }

    private mutating func pass(_ effects: inout [Target.Effect]) {
        for timed in gestures {
            target.advance(to: timed.moment, effects: &effects)
            target.handle(
                timed.gesture, modifiers: modifiers, at: timed.moment, effects: &effects)
        }
        gestures.removeAll(keepingCapacity: true)
    }

    private mutating func note(_ event: InputEvent) {
        switch event {
        case .touch(.down(_, let point)), .pointer(.move(let point)): landing = point
        default: break
        }
    }

    /// Modifiers count for scrolling too; a modifier's own press comes before they are set.
    private mutating func follow(_ key: KeyEvent) {
        modifiers = key.modifiers
        guard key.name.hasPrefix("Control_") else { return }
        if key.action == .down { modifiers.insert(.control) }
        if key.action == .up { modifiers.remove(.control) }
    }
}
