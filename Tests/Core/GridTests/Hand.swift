import Geometry
import Gestures
import Input
import Motion

@testable import Grid

/// A grid in someone's hands, on a clock that is moved by hand.
struct Hand {
    var grid: GridModel
    var time = 0.0
    var effects: [GridEffect] = []

    init(
        count: Int = 500, sections: [GridSection] = [], width: Double = 1920,
        height: Double = 1080, settings: GridSettings = GridSettings()
    ) {
        grid = GridModel(
            surface: Size(width: width, height: height),
            contents: GridContents(count: count, sections: sections), settings: settings)
    }

    var now: Moment { Moment(milliseconds: time) }
    var frame: GridFrame { grid.frame(at: now) }

    mutating func wait(_ milliseconds: Double) {
        time += milliseconds
        grid.advance(to: now)
    }

    /// Lets frames pass until nothing moves any more.
    mutating func settle(hertz: Double = 60) {
        for _ in 0..<Int(20 * hertz) where grid.isAnimating(at: now) || grid.deadline != nil {
            wait(1000 / hertz)
        }
    }

    mutating func send(_ gesture: Gesture, modifiers: KeyEvent.Modifiers = []) {
        grid.handle(gesture, modifiers: modifiers, at: now, effects: &effects)
    }

    /// Other fingers hold, seen where they are.
    mutating func rebase(_ fingers: Manipulation) {
        send(.manipulationRebased(fingers, predicted: fingers))
    }

    mutating func press(_ name: String, _ modifiers: KeyEvent.Modifiers = []) {
        grid.handle(KeyEvent(name: name, modifiers: modifiers), at: now, effects: &effects)
    }

    static func fingers(
        _ count: Int, base: Point, centroid: Point? = nil, scale: Double = 1,
        source: Manipulation.Source = .touch
    ) -> Manipulation {
        Manipulation(
            source: source, fingers: count, base: base, centroid: centroid ?? base, scale: scale)
    }

    /// A one-finger drag in steps of 8 ms, let go with a velocity.
    mutating func drag(
        from base: Point, by way: Vector, steps: Int = 10, velocity: Vector = .zero,
        source: Manipulation.Source = .touch
    ) {
        send(.caught(at: base))
        send(.manipulationBegan(Self.fingers(1, base: base, source: source)))
        for step in 1...steps {
            wait(8)
            let part = way * (Double(step) / Double(steps))
            send(
                .manipulationChanged(
                    Self.fingers(1, base: base, centroid: base + part, source: source)))
        }
        send(.manipulationEnded(Release(centroid: base + way, velocity: velocity)))
    }

    /// A pinch in steps of 8 ms; `each` sees every step.
    mutating func pinch(
        at base: Point, to scale: Double, by way: Vector = .zero, steps: Int = 40,
        zoomRate: Double = 0, lets: Bool = true, each: (inout Hand) -> Void = { _ in }
    ) {
        send(.caught(at: base))
        send(.manipulationBegan(Self.fingers(2, base: base)))
        for step in 1...steps {
            wait(8)
            let part = Double(step) / Double(steps)
            send(
                .manipulationChanged(
                    Self.fingers(
                        2, base: base, centroid: base + way * part,
                        scale: 1 + (scale - 1) * part)))
            each(&self)
        }
        guard lets else { return }
        send(.manipulationEnded(Release(centroid: base + way, zoomRate: zoomRate)))
    }
}

extension GridFrame {
    func cell(_ index: Int) -> GridFrame.Cell? { cells.first { $0.index == index } }
}
