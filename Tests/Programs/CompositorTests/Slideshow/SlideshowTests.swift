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

        /// An animation of 3.6 s is shown to its end, although the interval is a second.
        @Test func anAnimationIsShownToItsEnd() throws {
            let animation = TestAnimation.apng(
                [(200, 0, 0), (0, 200, 0), (0, 0, 200)].map { red, green, blue in
                    .init((UInt8(red), UInt8(green), UInt8(blue), 255), 320, 200, duration: 1200)
                })
            let stage = try Self.stage(
                [animation, Self.picture(1)], options: ["--slideshow", "1"], in: .program)
            stage.compositor.run(seconds: 2.5)
            #expect(width(stage) == 320)
            #expect(stage.compositor.run(seconds: 5) { width(stage) == 328 })
            let frames = stage.trace.filter { $0.numbers("image").first == 320 }
            #expect(Set(frames.compactMap { $0.number("frame") }).isSuperset(of: [0, 1, 2]))
            try stage.expectGoodEnd()
        }

        /// The slow motion fills the window, keeps a face in view that XMP names, and stops under a
        /// finger.
        @Test func aPictureMovesSlowlyAroundAFace() throws {
            let stage = try Self.stage(
                [Self.picture(0), Self.portrait], options: ["--set", "slideshow.motion=pan-zoom"],
                in: .program)
            stage.type("s")
            #expect(stage.compositor.run(seconds: 4) { width(stage) == 600 })
            stage.compositor.run(seconds: 1.5)
            let rects = stage.trace.filter { $0.numbers("image").first == 600 }.map {
                $0.numbers("rect")
            }
            #expect(Set(rects.map { "\($0)" }).count > 20)
            for rect in rects where rect.count == 4 {
                // The window has 640×400 pixels, and the face begins at a fiftieth of the height.
                #expect(rect[0] <= 0.01 && rect[0] + rect[2] >= 639.99)
                #expect(rect[1] + rect[3] * 0.02 >= -1)
                #expect(rect[1] <= 0.01)
            }
            var hand = Hand()
            hand.touch([1: (300, 200)])
            stage.compositor.play(hand.finishScript())
            stage.compositor.run(seconds: 0.3)
            let stopped = stage.trace.last?.numbers("rect")
            stage.compositor.run(seconds: 0.5)
            #expect(stage.trace.last?.numbers("rect") == stopped)
            try stage.expectGoodEnd()
        }

        /// A JPEG of 600×1200 pixels with a face near its top.
        private static var portrait: [UInt8] {
            let packet = TestMetadata.xmp(
                attributes: "xmlns:mwg-rs=\"http://www.metadataworkinggroup.com/schemas/regions/\" "
                    + "xmlns:stArea=\"http://ns.adobe.com/xmp/sType/Area#\"",
                "<mwg-rs:Regions><mwg-rs:RegionList><rdf:Bag><rdf:li mwg-rs:Type=\"Face\">"
                    + "<mwg-rs:Area stArea:x=\"0.5\" stArea:y=\"0.06\" stArea:w=\"0.2\" "
                    + "stArea:h=\"0.08\" stArea:unit=\"normalized\"/></rdf:li></rdf:Bag>"
                    + "</mwg-rs:RegionList></mwg-rs:Regions>")
            let picture = TestPicture.card(600, 1200).jpeg()
            let segment = TestMetadata.segment(
                0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
            return picture.inserting(segment, at: 2)
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
