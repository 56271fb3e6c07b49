import CompositorKit
import Geometry
import TestKit
import Testing

extension LiveTests {
    /// The times at which frames are painted.
    @Suite struct PacingTests {
        /// A finger that moves a picture to and fro that is larger than the window.
        private static func pan(_ stage: Stage, seconds: Double) -> [TraceFrame] {
            stage.play { hand in
                hand.key("1")
                hand.rest(400)
                hand.touch([1: (300, 200)])
                for _ in 0..<Int(seconds) {
                    hand.move([1: (340, 240)], in: 500)
                    hand.move([1: (300, 200)], in: 500)
                }
                hand.lift(1)
            }
        }

        /// A refresh rate that every machine can keep.
        private static func setup(_ presentation: Setup.Presentation) -> Setup {
            var setup = Setup()
            setup.frames = .paced(hertz: 10)
            setup.presentation = presentation
            return setup
        }

        @Test func framesWaitForTheNewestInput() throws {
            let stage = try Stage.shown(
                Self.setup(.fixed), in: .program, pictures: [Stage.large])
            let frames = Self.pan(stage, seconds: 4).filter { $0.gesture == "pan" }
            let held = frames.compactMap { $0.number("held_ms") }
            #expect(held.count > 20)
            #expect(held.max() ?? 0 > 20)
            // A frame that is held back shows input that is newer than the frame callback.
            let late = frames.filter { $0.number("held_ms") ?? 0 > 20 }
            for frame in late {
                let oldest = try #require(frame.number("input_to_commit_ms"))
                let newest = try #require(frame.number("newest_input_to_commit_ms"))
                #expect(newest < oldest)
            }
            try stage.expectGoodEnd()
        }

        /// A frame begins with the last sample before it has to, not some time after that.
        @Test func framesBeginWithTheLastInput() throws {
            let stage = try Stage.shown(
                Self.setup(.fixed), in: .program, pictures: [Stage.large])
            // On a busy machine samples come late, so that a frame begins without the last one.
            var timely: [Double] = []
            for _ in 0..<8 where timely.count < 10 {
                let frames = Self.pan(stage, seconds: 4).filter {
                    $0.gesture == "pan" && $0.number("held_ms") ?? 0 > 20
                }
                timely += frames.compactMap { frame in
                    guard let newest = frame.number("newest_input_to_commit_ms"),
                        let paint = frame.number("paint_ms"), newest - paint < Hand.interval
                    else { return nil }
                    return newest - paint
                }
            }
            try #require(timely.count >= 10)
            timely.sort()
            // Without the prediction, a quarter of the frames would begin within a quarter of the interval.
            #expect(timely[timely.count / 4] < 0.2 * Hand.interval)
            try stage.expectGoodEnd()
        }

        @Test(arguments: [Setup.Presentation.variable, .silent])
        func withoutAPeriodFramesArePaintedAtOnce(_ presentation: Setup.Presentation) throws {
            let stage = try Stage.shown(Self.setup(presentation), pictures: [Stage.large])
            let held = Self.pan(stage, seconds: 3).compactMap { $0.number("held_ms") }
            #expect(held.count > 15)
            #expect(held.allSatisfy { $0 < 1 })
            try stage.expectGoodEnd()
        }

        @Test func holdingBackCanBeTurnedOff() throws {
            let stage = try Stage.shown(
                Self.setup(.fixed), options: ["--set", "frames.hold_back=false"],
                pictures: [Stage.large])
            let held = Self.pan(stage, seconds: 3).compactMap { $0.number("held_ms") }
            #expect(held.count > 15)
            #expect(held.allSatisfy { $0 < 1 })
            try stage.expectGoodEnd()
        }

        @Test(arguments: [0.0, 5])
        func noFrameIsPaintedTwice(latch: Double) throws {
            var setup = Setup()
            setup.latch = latch
            let stage = try Stage.shown(setup, pictures: [Stage.large])
            _ = Self.pan(stage, seconds: 2)
            let shown = try stage.surface.commits.compactMap(\.shown)
            #expect(shown.count > 30)
            #expect(Set(shown).count == shown.count)
            try stage.expectGoodEnd()
        }

        @Test func theGraphOfFrameTimesCausesNoFrames() throws {
            let stages = try [["--hud"], []].map {
                try Stage.shown(in: .program, options: $0)
            }
            for stage in stages {
                stage.play { hand in
                    hand.touch([1: (300, 200)])
                    hand.move([1: (320, 210)], in: 300)
                    hand.move([1: (300, 200)], in: 300)
                    hand.lift(1)
                }
            }
            let pixels = try stages.map { try #require(try $0.surface.pixels) }
            // The picture's upper left quarter is red, and darker behind the graph.
            #expect(pixels[0].color(262, 190).r < 120)
            #expect(pixels[1].color(262, 190).r > 190)
            #expect(pixels[0].color(290, 190) == pixels[1].color(290, 190))
            // Columns are green, or red where a machine is slow.
            let columns = (18..<258).count { x in
                let (r, g, b) = pixels[0].color(x, 144)
                return max(r, g) > 90 && b < 130
            }
            #expect(columns > 0)
            let commits = try stages[0].surface.commits.count
            stages[0].compositor.run(seconds: 0.5)
            #expect(try stages[0].surface.commits.count == commits)
            for stage in stages { try stage.expectGoodEnd() }
        }

        /// Exactly, on the manual clock: the next test allows a slow machine more time.
        @Test func nothingIsPlannedASecondAfterAGesture() throws {
            let stage = try Stage.shown(pictures: [Stage.large])
            _ = Self.pan(stage, seconds: 1)
            stage.compositor.run(seconds: 1)
            stage.untilDecoderRests()
            #expect(stage.time.sleep(seconds: 60) == 0)
            try stage.expectGoodEnd()
        }

        @Test func nothingWakesUpWhileNothingMoves() throws {
            let stage = try Stage.shown(in: .program, pictures: [Stage.large])
            _ = Self.pan(stage, seconds: 1)
            #expect(try stage.comesToRest(for: 3))
            try stage.expectGoodEnd()
        }
    }
}
