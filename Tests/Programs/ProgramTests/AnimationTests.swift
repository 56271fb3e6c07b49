import CompositorKit
import Geometry
import Input
import TestKit
import Testing

/// Animations in the release build of the viewer.
@Suite struct AnimatedPictureTests {
    private let folder = TemporaryFolder()

    /// Four frames with different colours.
    private func animation(loops: Int = 0, side: Int = 64) -> [UInt8] {
        TestAnimation.apng(
            [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)].map { r, g, b in
                TestAnimation.Frame((r, g, b, 255), side, side, duration: 100)
            }, loops: loops)
    }

    private func play(
        _ file: [UInt8], _ script: String, _ options: [String] = []
    ) throws -> [TraceFrame] {
        let result = Binaries.vitrine(
            [
                "--headless", "400x300", "--script", folder.file("script.txt", script), "--trace",
                "-", "--shot", folder / "last.png",
            ] + options + [folder.file("moving.png", file)])
        #expect(result.errors == "" && result.status == 0)
        return TraceFrame.all(result.output)
    }

    private func color() throws -> (r: Int, g: Int, b: Int) {
        try #require(Screenshot(folder / "last.png")).color(200, 150)
    }

    @Test func framesAreShownAtTheirTimes() throws {
        let frames = try play(animation(), "1750 end")
        let starts = zip(frames, frames.dropFirst()).filter {
            $0.number("frame") != $1.number("frame")
        }.map { $1.time }
        #expect(starts.count >= 16)
        // Each frame lasts a tenth of a second, rounded to the refresh.
        for (first, second) in zip(starts, starts.dropFirst(4)) {
            #expect(abs(second - first - 400) < 17)
        }
        #expect(frames.last?.number("frame") == 1)
        #expect(try color() == (0, 255, 0))
        // Nothing is painted between them.
        let painted = frames.dropFirst(5).filter { !$0.line.contains("\"damage\":[]") }
        #expect(painted.count <= starts.count + 2)
    }

    @Test func aPauseHoldsTheFrameAndAStepShowsTheNext() throws {
        let script = """
            250 key p
            1000 key period
            1200 key period
            1500 end
            """
        let frames = try play(animation(), script)
        let at = { (time: Double) in frames.last { $0.time <= time }?.number("frame") }
        #expect(at(300) == 2 && at(990) == 2)
        #expect(at(1100) == 3)
        #expect(at(1490) == 0)
        let on = try play(animation(), script.replacing("1500 end", with: "1300 key p\n1500 end"))
        #expect(on.last?.number("frame") == 1 || on.last?.number("frame") == 2)
    }

    /// A long press opens the menu, whose items pause the animation and step it.
    @Test func theMenuPausesAndSteps() throws {
        let stop = """
            210 touch down 0 200 100
            210 touch frame
            900 touch up 0
            900 touch frame
            """
        let tall = ["--headless", "400x600"]
        let frames = try play(animation(), stop + "\n1500 end", tall)
        let menu = try #require(frames.last { $0.showsMenu })
        #expect(menu.time > 1400)
        // The middles of View, and of Pause and Next frame in that part. The menu is opened again in between.
        let (view, pause, next) = (280, 424, 472)
        var hand = ""
        for (y, time) in [(view, 950), (pause, 1020), (view, 2500), (next, 2600)] {
            hand += """

                \(time) touch down 0 300 \(y)
                \(time) touch frame
                \(time + 40) touch up 0
                \(time + 40) touch frame
                """
            if y == pause {
                hand +=
                    "\n1400 touch down 0 200 100\n1400 touch frame\n2200 touch up 0\n2200 touch frame"
            }
        }
        let stopped = try play(animation(), stop + hand + "\n3000 end", tall)
        let at = { (time: Double) in stopped.last { $0.time <= time }?.number("frame") }
        #expect(at(1100) == at(2590))
        #expect(at(2700) == at(2990))
        #expect(at(2990) == at(2590).map { ($0 + 1).truncatingRemainder(dividingBy: 4) })
    }

    @Test func playbackEndsAfterTheLoopCount() throws {
        let frames = try play(animation(loops: 2), "3000 end")
        #expect(frames.last?.number("frame") == 3)
        #expect(frames.filter { $0.number("frame") == 0 && $0.time > 900 }.isEmpty)
        #expect(try color() == (255, 255, 255))
    }

    @Test func withReducedMotionPlaybackStartsByKey() throws {
        let frames = try play(animation(), "500 key p\n1000 end", ["--reduced-motion"])
        #expect(frames.filter { $0.time < 490 }.allSatisfy { ($0.number("frame") ?? 0) == 0 })
        #expect(Set(frames.filter { $0.time > 510 }.map { $0.number("frame") ?? 0 }).count > 2)
    }

    /// More frames than are kept in memory: frames are decoded shortly before they are shown.
    @Test func aLargeAnimationIsDecodedAsItPlays() throws {
        let frames = try play(animation(side: 2400), "1000 end")
        #expect(Set(frames.compactMap { $0.number("frame") }).count == 4)
    }

    /// The page of an animation slides out with its last frame, and has one when it slides back.
    @Test func thePageOfAnAnimationIsNeverEmpty() throws {
        let file = folder.file("a.png", animation(side: 300))
        let next = folder.file("b.png", TestPicture.card(300, 300).png())
        var hand = Hand()
        hand.rest(250)
        hand.touch([1: (350, 150)])
        hand.move([1: (150, 150)], in: 60)
        hand.lift(1)
        hand.rest(2000)
        hand.touch([1: (100, 150)])
        hand.move([1: (250, 150)], in: 300)
        hand.rest(1000)
        let script = hand.finishScript().text
        let times = [320, 340, 2700]
        let result = Binaries.vitrine(
            ["--headless", "400x300", "--script", folder.file("script.txt", script)]
                + ["--shot", folder / "last.png"]
                + times.flatMap { ["--shot-at", "\($0):\(folder / "\($0).png")"] } + [file, next])
        #expect(result.errors == "" && result.status == 0)
        for time in times {
            let shot = try #require(Screenshot(folder / "\(time).png"))
            // The visible part of its page, at the left of the surface.
            let brightest = (0..<200).map { column -> Int in
                let color = shot.color(column, 150)
                return color.r + color.g + color.b
            }.max()
            #expect(try #require(brightest) >= 255, "at \(time)")
        }
    }
}
