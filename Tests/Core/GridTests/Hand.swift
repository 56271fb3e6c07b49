import Commands
import Geometry
import Gestures
import Input
import Interface
import Motion

@testable import Grid

/// A grid that receives gestures and keys, on a manual clock.
struct Hand {
    var grid: GridModel
    var time = 0.0
    var effects: [ViewerEffect] = []
    /// What the grid has asked of its owner.
    var requests: [GridModel.Request] = []

    init(
        count: Int = 500, sections: [GridSection] = [], width: Double = 1920,
        height: Double = 1080, settings: GridSettings = GridSettings(),
        overviews: (months: [GridSection], years: [GridSection])? = nil,
        sizes: (Int) -> PixelSize? = { _ in nil }
    ) {
        grid = GridModel(
            surface: Size(width: width, height: height),
            contents: GridContents(
                count: count, sections: sections, overviews: overviews, sizes: sizes),
            settings: settings)
    }

    var now: Moment { Moment(milliseconds: time) }
    var frame: GridFrame { grid.frame(at: now) }

    mutating func wait(_ milliseconds: Double) {
        time += milliseconds
        grid.advance(to: now)
    }

    /// Advances frame by frame until no animation runs and no timer is pending.
    mutating func settle(hertz: Double = 60) {
        for _ in 0..<Int(20 * hertz) where grid.isAnimating(at: now) || grid.deadline != nil {
            wait(1000 / hertz)
        }
    }

    mutating func send(_ gesture: Gesture, modifiers: KeyEvent.Modifiers = []) {
        grid.handle(gesture, modifiers: modifiers, at: now, effects: &effects)
        noteRequest()
    }

    /// Replaces the fingers of the manipulation; the prediction is equal to the fingers.
    mutating func rebase(_ fingers: Manipulation) {
        send(.manipulationRebased(fingers, predicted: fingers))
    }

    mutating func press(_ name: String, _ modifiers: KeyEvent.Modifiers = []) {
        let key = KeyEvent(name: name, modifiers: modifiers)
        guard let command = KeyMap().command(for: key, in: .grid) else { return }
        grid.handle(command, of: key, at: now, effects: &effects)
        noteRequest()
    }

    mutating func noteRequest() {
        if let request = grid.consumeRequest() { requests.append(request) }
    }

    static func fingers(
        _ count: Int, base: Point, centroid: Point? = nil, scale: Double = 1,
        source: Manipulation.Source = .touch
    ) -> Manipulation {
        Manipulation(
            source: source, fingers: count, base: base, centroid: centroid ?? base, scale: scale)
    }

    /// Plays a one-finger drag in steps of 8 ms and a release with `velocity`, in pixels per second.
    mutating func drag(
        from base: Point, by translation: Vector, steps: Int = 10, velocity: Vector = .zero,
        source: Manipulation.Source = .touch
    ) {
        send(.caught(at: base))
        send(.manipulationBegan(Self.fingers(1, base: base, source: source)))
        for step in 1...steps {
            wait(8)
            let moved = translation * (Double(step) / Double(steps))
            send(
                .manipulationChanged(
                    Self.fingers(1, base: base, centroid: base + moved, source: source)))
        }
        send(.manipulationEnded(Release(centroid: base + translation, velocity: velocity)))
    }

    /// Plays a pinch in steps of 8 ms; `each` is called after every step.
    mutating func pinch(
        at base: Point, to scale: Double, by translation: Vector = .zero, steps: Int = 40,
        zoomRate: Double = 0, lets: Bool = true, each: (inout Hand) -> Void = { _ in }
    ) {
        send(.caught(at: base))
        send(.manipulationBegan(Self.fingers(2, base: base)))
        for step in 1...steps {
            wait(8)
            let fraction = Double(step) / Double(steps)
            send(
                .manipulationChanged(
                    Self.fingers(
                        2, base: base, centroid: base + translation * fraction,
                        scale: 1 + (scale - 1) * fraction)))
            each(&self)
        }
        guard lets else { return }
        send(.manipulationEnded(Release(centroid: base + translation, zoomRate: zoomRate)))
    }
}

extension GridFrame {
    func cell(_ index: Int) -> GridFrame.Cell? { cells.first { $0.index == index } }
}
