import CompositorKit
import Geometry
import Glibc
import Input
import TestKit
import Testing

extension LiveTests {
    /// A slideshow in a window: by key and by finger, with broken pictures, and at rest.
    @Suite struct SlideshowTests {
        private static func picture(_ number: Int) -> [UInt8] {
            TestPicture.card(320 + number * 8, 200).png()
        }

        private static func stage(
            _ pictures: [[UInt8]], options: [String] = [], in place: Stage.Place = .here
        ) throws -> Stage {
            try Stage.shown(
                in: place,
                options: ["--set", "slideshow.interval=2", "--set", "slideshow.resume=3"] + options,
                pictures: pictures)
        }

        private func width(_ stage: Stage) -> Double? { stage.trace.last?.numbers("image").first }

        @Test func theKeyStartsAndAFingerTakesOver() throws {
            let stage = try Self.stage((0..<4).map { Self.picture($0) }, in: .program)
            stage.type("s")
            #expect(stage.compositor.run(seconds: 4) { width(stage) == 328 })
            #expect(stage.compositor.idleInhibitors == 1)
            // In the middle of the fade both pictures are on the surface.
            stage.compositor.run(seconds: 1)
            #expect(stage.trace.contains { $0.line.contains("\"transition\":0.") })
            stage.compositor.play(Self.swipe)
            #expect(stage.compositor.run(seconds: 1) { width(stage) == 336 })
            stage.compositor.run(seconds: 2.2)
            #expect(width(stage) == 336)
            #expect(stage.compositor.run(seconds: 3) { width(stage) == 344 })
            stage.type("s")
            #expect(stage.trace.last?.line.contains("\"slideshow\"") == false)
            stage.compositor.run(seconds: 4)
            #expect(width(stage) == 344)
            #expect(stage.compositor.idleInhibitors == 0)
            try stage.expectGoodEnd()
        }

        private static var swipe: GestureScript {
            var hand = Hand()
            hand.touch([1: (500, 200)])
            hand.move([1: (150, 200)], in: 120)
            hand.lift(1)
            return hand.finishScript()
        }

        /// Between two slides no frame is painted.
        @Test func nothingRunsBetweenSlides() throws {
            let stage = try Self.stage(
                (0..<3).map { Self.picture($0) }, options: ["--slideshow", "4"], in: .program)
            stage.compositor.run(seconds: 6) { width(stage) == 328 }
            stage.compositor.run(seconds: 1.2)
            let (count, wakeUps) = (stage.painted.count, try stage.program.wakeUps)
            stage.compositor.run(seconds: 2)
            #expect(stage.painted.count == count)
            #expect(try stage.program.wakeUps < wakeUps + 20)
            stage.compositor.run(seconds: 4) { width(stage) == 336 }
            #expect(width(stage) == 336)
            try stage.expectGoodEnd()
        }

        @Test func brokenPicturesAreLeftOut() throws {
            let broken = Array(Self.picture(1).prefix(60))
            let stage = try Self.stage(
                [Self.picture(0), broken, broken, Self.picture(3)], options: ["--slideshow", "1"],
                in: .program)
            #expect(stage.compositor.run(seconds: 8) { width(stage) == 344 })
            #expect(stage.compositor.run(seconds: 8) { width(stage) == 320 })
            #expect(try [0, 1].contains(stage.close()))
        }

        @Test func theGridStartsAndStops() throws {
            let stage = try Stage.shown(
                in: .program, options: ["--set", "slideshow.interval=1"],
                pictures: (0..<4).map { Self.picture($0) }, onGrid: true)
            stage.type("s")
            #expect(stage.compositor.run(seconds: 6) { width(stage) == 328 })
            stage.type("Escape")
            #expect(stage.compositor.run(seconds: 2) { stage.trace.last?.showsGrid == true })
            stage.compositor.run(seconds: 1)
            let count = stage.painted.count
            stage.compositor.run(seconds: 3)
            #expect(stage.painted.count == count)
            try stage.expectGoodEnd()
        }
    }
}
