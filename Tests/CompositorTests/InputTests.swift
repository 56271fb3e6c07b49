import CompositorKit
import Geometry
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

extension LiveTests {
    /// Hands on the glass, on the touchpad, on the mouse and on the keys, in real time.
    @Suite struct InputTests {
        private static let spread =
            "0 touch down 1 280 200\n0 touch down 2 360 200\n0 touch frame\n"
            + (1...20).map {
                "\($0 * 16) touch move 1 \(280 - $0 * 4) 200\n"
                    + "\($0 * 16) touch move 2 \(360 + $0 * 4) 200\n\($0 * 16) touch frame\n"
            }.joined()

        /// Two fingers that come together, far below the smallest zoom; they stay down.
        private static let squeeze =
            "0 touch down 1 120 200\n0 touch down 2 520 200\n0 touch frame\n"
            + (1...20).map {
                "\($0 * 16) touch move 1 \(120 + $0 * 8) 200\n"
                    + "\($0 * 16) touch move 2 \(520 - $0 * 8) 200\n\($0 * 16) touch frame\n"
            }.joined()

        private static let lift = "400 touch up 1\n400 touch up 2\n400 touch frame\n"

        @Test func spreadingTwoFingersEnlargesThePicture() throws {
            let stage = try Stage.shown()
            try stage.play(Self.spread + Self.lift)
            let zoom = try #require(stage.trace.last?.zoom)
            #expect(zoom > 2 && zoom < 3.5)
            #expect(stage.trace.contains { $0.text("gesture") == "pinch" })
            try stage.expectGoodEnd()
        }

        @Test func aCancelSettlesAtRest() throws {
            let stage = try Stage.shown()
            let before = try #require(stage.trace.last?.rect)
            try stage.compositor.play(Self.squeeze)
            #expect(try #require(stage.trace.last?.rect).width < before.width)
            try stage.play("0 touch cancel\n")
            #expect(stage.trace.last?.rect == before)
            try stage.expectGoodEnd()
        }

        @Test(arguments: ["capability", "seat"])
        func aTouchscreenThatIsPulledOutEndsTheGesture(_ what: String) throws {
            let stage = try Stage.shown()
            let before = try #require(stage.trace.last?.rect)
            let seat = try #require(stage.compositor.seats.first)
            try stage.compositor.play(Self.squeeze)
            if what == "seat" { seat.remove() } else { seat.capabilities = [.pointer] }
            #expect(stage.compositor.run { stage.isAtRest })
            #expect(stage.trace.last?.rect == before)
            // And it works again when it is back.
            let count = stage.compositor.seats.flatMap(\.touches).count
            let back = what == "seat" ? try stage.compositor.addSeat() : seat
            back.capabilities = [.pointer, .touch]
            #expect(
                stage.compositor.run { stage.compositor.seats.flatMap(\.touches).count > count })
            try stage.compositor.play(Self.spread + Self.lift, by: back)
            #expect(stage.compositor.run { stage.isAtRest && stage.trace.last?.rect != before })
            try stage.expectGoodEnd()
        }

        @Test func aTouchpadPinchDoesWhatFingersDo() throws {
            let stage = try Stage.shown()
            let steps = (1...20).map {
                "\(50 + $0 * 10) pinch update 0 0 \(1 + Double($0) * 0.1) 0\n"
            }.joined()
            try stage.play("0 pointer move 320 200\n40 pinch begin 2\n\(steps)300 pinch end\n")
            let zoom = try #require(stage.trace.last?.zoom)
            #expect(zoom > 2.5 && zoom < 3.2, "\(zoom)")
            let rect = try #require(stage.trace.last?.rect)
            try stage.play("0 pinch begin 2\n\(steps)300 pinch end cancelled\n")
            #expect(stage.trace.last?.rect == rect)
            try stage.expectGoodEnd()
        }

        @Test func missingFramesDoNotMatter() throws {
            let stage = try Stage.shown()
            let bare = (Self.spread + Self.lift).split(separator: "\n")
                .filter { !$0.hasSuffix("frame") }.joined(separator: "\n")
            try stage.play(bare)
            #expect(try #require(stage.trace.last?.zoom) > 2)
            try stage.expectGoodEnd()
        }

        @Test func theWheelWithControlZoomsAtThePointer() throws {
            let stage = try Stage.shown()
            try stage.play(
                """
                0 pointer move 320 200
                20 key Ctrl+Control_L down
                40 pointer axis vertical -15 wheel -120
                60 pointer axis vertical -15 wheel -120
                200 key Control_L up
                """)
            #expect(try #require(stage.trace.last?.zoom) > 1)
            try stage.expectGoodEnd()
        }

        @Test func escapeEndsTheProgram() throws {
            let stage = try Stage.shown()
            try stage.compositor.play("0 key Escape")
            #expect(stage.untilEnded() == 0)
            #expect(stage.compositor.violations == [])
        }

        @Test func aFlickDownEndsTheProgram() throws {
            let stage = try Stage.shown()
            let moves = (1...8).map {
                "\($0 * 10) touch move 1 320 \(120 + $0 * 24)\n\($0 * 10) touch frame\n"
            }.joined()
            try stage.compositor.play(
                "0 touch down 1 320 120\n0 touch frame\n\(moves)82 touch up 1\n82 touch frame")
            #expect(stage.untilEnded() == 0)
            #expect(
                stage.trace.last?.isDismissed == true || stage.trace.contains(where: \.isDismissed))
            #expect(stage.compositor.violations == [])
        }

        @Test func whatIsOnTheWindowIsWhatTheHeadlessRunPaints() throws {
            let picture = TestPicture.photograph(900, 700)
            let stage = try Stage.shown(picture: picture)
            try stage.play(Self.spread + Self.lift)
            let pixels = try #require(try stage.surface.pixels)
            let shot = stage.folder / "fit.png"
            let headless = Binaries.vitrine([
                "--headless", "640x400", "--shot", shot, stage.folder / "card.png",
            ])
            #expect(headless.status == 0)
            try stage.play("0 key 0")
            let fit = try #require(try stage.surface.pixels)
            let screenshot = try #require(Screenshot(shot))
            var far = 0
            for y in 0..<400 {
                for x in 0..<640 {
                    let (a, b) = (fit.color(x, y), screenshot.color(x, y))
                    if max(abs(a.r - b.r), abs(a.g - b.g), abs(a.b - b.b)) > 1 { far += 1 }
                }
            }
            #expect(far == 0)
            #expect(pixels.rowOfDifference(from: fit) != nil)
            try stage.expectGoodEnd()
        }
    }
}
