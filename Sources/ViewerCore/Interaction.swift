package import Gestures
package import Input
package import Motion

/// The viewer in people's hands: input events in, effects out.
///
/// Everything between a compositor's event, or a script's, and the viewer's state: which seat's
/// events count, what they mean as gestures, which modifiers are held, and what waits for its time.
package struct Interaction: Sendable {
    package var viewer: Viewer
    private var arenas: SeatArenas
    private var modifiers: KeyEvent.Modifiers = []
    private var gestures: [TimedGesture] = []

    package init(_ viewer: Viewer, gestures settings: GestureSettings = .init()) {
        self.viewer = viewer
        arenas = SeatArenas(settings: settings)
    }

    /// Takes in one event, of the seat with that number; tells whether it counted.
    @discardableResult
    package mutating func handle(
        _ event: InputEvent, of seat: Int = 0, at moment: Moment, effects: inout [Effect]
    ) -> Bool {
        let view = viewer.viewport
        // What was due before happens before, be it that nobody looked in between.
        arenas.expire(before: moment, into: &gestures)
        pass(&effects)
        viewer.advance(to: moment, effects: &effects)
        switch event {
        case .key(let key):
            follow(key)
            viewer.handle(key, at: moment, effects: &effects)
        case .resize(let size):
            viewer.resize(to: Viewport(size: size, scale: view.scale), at: moment)
        case .scale(let scale):
            viewer.resize(to: Viewport(size: view.size, scale: scale), at: moment)
        case .touch, .pinch, .swipe, .hold, .pointer:
            let counted = arenas.handle(
                event, of: seat, at: moment, context: context(at: moment), into: &gestures)
            pass(&effects)
            return counted
        }
        return true
    }

    /// Lets time pass: what waits for a moment up to `moment` happens, and what fingers hold is
    /// where they are at that moment.
    package mutating func advance(to moment: Moment, effects: inout [Effect]) {
        arenas.advance(to: moment, into: &gestures)
        arenas.sample(at: moment, into: &gestures)
        pass(&effects)
        viewer.advance(to: moment, effects: &effects)
    }

    /// The next moment at which something happens by itself, apart from frames.
    package var deadline: Moment? {
        guard let first = arenas.deadline, let second = viewer.deadline else {
            return arenas.deadline ?? viewer.deadline
        }
        return min(first, second)
    }

    /// Whether the next frame can differ from the one of `moment` without any event.
    package func isAnimating(at moment: Moment) -> Bool {
        viewer.isAnimating(at: moment) || arenas.isAnimating(after: moment)
    }

    private func context(at moment: Moment) -> GestureArena.Context {
        GestureArena.Context(
            contentIsMoving: viewer.isMoving(at: moment),
            doubleTapMatters: viewer.waitsForDoubleTap, rotates: viewer.settings.rotate,
            chrome: viewer.chromeArea, modifiers: modifiers)
    }

    private mutating func pass(_ effects: inout [Effect]) {
        for timed in gestures {
            viewer.advance(to: timed.moment, effects: &effects)
            viewer.handle(timed.gesture, at: timed.moment, effects: &effects)
        }
        gestures.removeAll(keepingCapacity: true)
    }

    /// Modifiers count for scrolling too; a modifier's own press comes before they are set.
    private mutating func follow(_ key: KeyEvent) {
        modifiers = key.modifiers
        guard key.name.hasPrefix("Control_") else { return }
        if key.action == .down { modifiers.insert(.control) }
        if key.action == .up { modifiers.remove(.control) }
    }
}
