import CompositorKit
import SeededRandom
import Geometry
import Glibc
import TestKit
import Testing
import WaylandProtocol

extension LiveTests {
    /// Random events from the compositor, in any order: `meson-helpers/check/fuzz events`.
    @Suite struct RandomEventTests {
        private static let steps = 150
        /// A turn of the loop that takes longer counts as a hang, in milliseconds.
        private static let longestTurn = 5000.0

        private static func number(_ name: String) -> Int? {
            getenv(name).flatMap { Int(String(cString: $0)) }
        }

        /// A viewer with one seed; returns the number of events.
        private static func play(_ seed: UInt64) throws -> Int {
            var setup = Setup()
            setup.checksPixels = false
            if seed % 3 == 1 { setup.decoration = .clientSide }
            let stage = try Stage.shown(
                setup, pictures: Array(repeating: Stage.small, count: seed % 2 == 0 ? 1 : 6),
                onGrid: seed % 4 == 3)
            var events = RandomEvents(SeededGenerator(seed: seed))
            for _ in 0..<steps where stage.exitCode == nil { events.step(on: stage.compositor) }
            let history = events.history.joined(separator: "\n")
            // A key or a flick may have closed the window.
            try #require(stage.exitCode ?? 0 == 0, "seed \(seed) after\n\(history)")
            #expect(stage.longestTurn < longestTurn, "seed \(seed)")
            guard stage.exitCode == nil else { return events.count }
            stage.compositor.run(seconds: 0.1)
            stage.compositor.ping()
            let answers = stage.compositor.run(seconds: 5) {
                stage.exitCode != nil || stage.compositor.openPings.isEmpty
            }
            try #require(answers && stage.exitCode ?? 0 == 0, "seed \(seed) after\n\(history)")
            return events.count
        }

        /// A few seeds; `VITRINE_EVENT_SECONDS` plays others for that time, from
        /// `VITRINE_EVENT_SEED` on, and prints each before it is played.
        @Test func theViewerSurvivesRandomEvents() throws {
            guard let seconds = Self.number("VITRINE_EVENT_SECONDS") else {
                for seed in 0..<UInt64(6) { _ = try Self.play(seed) }
                return
            }
            var seed = UInt64(Self.number("VITRINE_EVENT_SEED") ?? 1000)
            let end = time(nil) + seconds
            var (viewers, count) = (0, 0)
            repeat {
                print("seed \(seed)")
                fflush(nil)
                count += try Self.play(seed)
                (seed, viewers) = (seed + 1, viewers + 1)
            } while time(nil) < end
            print("\(count) events to \(viewers) viewers")
        }
    }
}
