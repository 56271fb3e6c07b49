import Geometry
import Gestures
import Input
import Interface
import Motion
import SceneModel
import Text
import Viewer

extension BenchSuite {
    static let gestures = BenchSuite(name: "gestures") { GestureBench.figures() }
}

/// Measures the time of the core for a touch event, from the event to the placement of the picture.
private enum GestureBench {
    private static let surface = Size(width: 2560, height: 1600)
    /// The number of gestures (land, spread, travel, lift) in one measurement.
    private static let rounds = 100

    static func figures() -> [Figure] {
        [(1, "one finger"), (2, "two fingers"), (5, "five fingers")].map { fingers, name in
            Measurement.figure(
                "\(name): an event", calls: events(fingers: fingers), unit: .nanoseconds,
                beside: .thousandAdditions
            ) { _ in play(fingers: fingers) }
        }
    }

    /// The number of events in a measurement.
    private static func events(fingers: Int) -> Int { rounds * 62 * (fingers + 1) }

    /// Plays fingers that land, spread and travel at 120 Hz, with a frame at every second sample.
    private static func play(fingers: Int) {
        var viewer = ViewerModel(
            viewport: Viewport(size: surface), count: 3, index: 1,
            text: TextMeasurement(TextEngine()))
        for index in 0..<3 {
            viewer.present(
                index: index, size: PixelSize(width: 6000, height: 4000),
                source: .init(picture: index, revision: 1), at: .zero)
        }
        var interaction = Interaction(viewer)
        var effects: [ViewerEffect] = []
        var time = 0.0
        func send(_ event: TouchEvent) {
            interaction.handle(.touch(event), at: Moment(milliseconds: time), effects: &effects)
        }
        for _ in 0..<rounds {
            for id in 0..<fingers { send(.down(id: id, at: position(id, 0))) }
            send(.frame)
            for step in 1...60 {
                time += 8
                for id in 0..<fingers { send(.move(id: id, to: position(id, step))) }
                send(.frame)
                if step.isMultiple(of: 2) {
                    let moment = Moment(milliseconds: time)
                    interaction.advance(to: moment, effects: &effects)
                    _ = interaction.target.placement(at: moment)
                }
            }
            time += 200
            for id in 0..<fingers { send(.up(id: id)) }
            send(.frame)
            time += 500
            interaction.advance(to: Moment(milliseconds: time), effects: &effects)
        }
    }

    private static func position(_ id: Int, _ step: Int) -> Point {
        let spread = 120 + Double(step) * 3
        return Point(
            x: 1280 + Double(id % 3 - 1) * spread + Double(step) * 2,
            y: 800 + Double(id / 3) * spread)
    }
}
