import CompositorKit
import Geometry
import Motion
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

extension LiveTests {
    /// The negotiation of the window's size, scale and state.
    @Suite struct WindowTests {
        @Test func theFirstFrameIsThePictureInTheConfiguredSize() throws {
            let stage = try Stage.shown(in: .program)
            let surface = try stage.surface
            let first = try #require(surface.commits.first)
            #expect(first.size == PixelSize(width: 640, height: 400))
            // No empty frame is shown before it, unless decoding takes long.
            let asked = try #require(try stage.window.configures.first)
            if first.moment.seconds(since: asked.moment) < 0.09 {
                #expect(stage.trace.first?.numbers("image") == [320, 200])
            }
            #expect(try stage.window.title == "card.png")
            #expect(try stage.window.appID == "io.github.vitrine_viewer.Vitrine")
            try stage.expectGoodEnd()
        }

        /// A pointer that is over the window from its first frame on, before there are fonts.
        @Test func aPointerThatIsThereFromTheStartIsFollowed() throws {
            let stage = try Stage(in: .program)
            stage.compositor.run { stage.compositor.surface?.isMapped == true }
            try stage.compositor.play("0 pointer move 320 200\n5 end")
            stage.until { $0.showsChrome }
            try stage.expectGoodEnd()
        }

        /// A wheel at once turns about the place of the pointer; both are held back together.
        @Test func aWheelAtTheStartZoomsAboutThePointer() throws {
            let stage = try Stage(
                in: .program, options: ["--set", "viewer.wheel=zoom"], pictures: [Stage.large])
            stage.compositor.run { stage.compositor.surface?.isMapped == true }
            let place = Point(x: 200, y: 120)
            try stage.compositor.play(
                "0 pointer move 200 120\n1 pointer axis vertical -15 wheel -120\n2 end")
            stage.until { $0.zoom > 0.4 && $0.phase == "idle" }
            let frame = try stage.last
            #expect(frame.distance(of: Point(x: 500, y: 300), to: place) < 0.5, "\(frame.line)")
            try stage.expectGoodEnd()
        }

        @Test func aSizeLeftOpenIsChosenByTheWindow() throws {
            var setup = Setup()
            setup.windowSize = nil
            let stage = try Stage.shown(setup, options: ["--size", "500x300"])
            #expect(try stage.surface.commits.last?.size == PixelSize(width: 500, height: 300))
            try stage.expectGoodEnd()
        }

        @Test func fullscreenFillsTheScreen() throws {
            let stage = try Stage.shown(options: ["--fullscreen"])
            let screen = PixelSize(width: 1280, height: 800)
            #expect(try stage.surface.commits.map(\.size) == [screen])
            try stage.play("0 key f")
            stage.compositor.run { stage.compositor.window?.isUpToDate == true }
            #expect(try !stage.window.isFullscreen)
            #expect(try stage.surface.commits.last?.size == PixelSize(width: 640, height: 400))
            try stage.expectGoodEnd()
        }

        /// New memory comes from another thread: its page faults would keep the input thread from its loop.
        @Test func aLargerFrameCausesFewPageFaults() throws {
            let stage = try Stage.shown(in: .program)
            stage.untilSeen()
            let before = try #require(stage.program.pageFaults)
            try stage.window.configure(Size(width: 3840, height: 2160))
            let size = PixelSize(width: 3840, height: 2160)
            #expect(
                stage.compositor.run { stage.compositor.surface?.commits.last?.size == size })
            // The frame has 8100 pages, of which the input thread paints a half or all.
            let faults = try #require(stage.program.pageFaults) - before
            #expect(faults < 2000, "\(faults)")
            try stage.expectGoodEnd()
        }

        @Test func aFractionalScaleIsPaintedToThePixel() throws {
            let stage = try Stage.shown()
            stage.compositor.prefer(scale: 1.5)
            let size = PixelSize(width: 960, height: 600)
            #expect(stage.compositor.run { stage.compositor.surface?.commits.last?.size == size })
            let commit = try #require(try stage.surface.commits.last)
            #expect(commit.logicalSize == Size(width: 640, height: 400))
            try stage.expectGoodEnd()
        }

        /// The compositor does not scale a buffer of this size, and the viewer must not blur it either.
        @Test(
            arguments: [1.25, 1.5, 1.75],
            [Size(width: 301, height: 207), Size(width: 640, height: 400)])
        func onePicturePixelIsOneDevicePixel(scale: Double, size: Size) throws {
            let picture = TestPicture.photograph(1300, 900)
            var setup = Setup()
            setup.windowSize = size
            let stage = try Stage.shown(setup, pictures: [picture.png()])
            stage.compositor.prefer(scale: scale)
            stage.press("1")
            try Self.expectPixels(of: picture, on: stage, size, scale: scale)
            let other = Size(width: 333, height: 211)
            try stage.window.configure(other)
            stage.compositor.run { stage.compositor.surface?.commits.last?.logicalSize == other }
            stage.press("0", "1")
            try Self.expectPixels(of: picture, on: stage, other, scale: scale)
            try stage.expectGoodEnd()
        }

        private static func expectPixels(
            of picture: TestPicture, on stage: Stage, _ size: Size, scale: Double
        ) throws {
            let pixels = try #require(try stage.surface.pixels)
            let commit = try #require(try stage.surface.commits.last)
            #expect(commit.logicalSize == size)
            #expect(
                pixels.size
                    == PixelSize(
                        width: Int((size.width * scale).rounded()),
                        height: Int((size.height * scale).rounded())))
            let frame = try stage.last
            #expect(abs(frame.zoom * scale - 1) < 1e-6)
            let rect = try #require(frame.rect)
            let (left, top) = (
                Int((rect.x * scale).rounded()), Int((rect.y * scale).rounded())
            )
            var far = 0
            for y in 0..<pixels.size.height {
                for x in 0..<pixels.size.width
                where pixels.color(x, y) != picture.color(x - left, y - top) { far += 1 }
            }
            #expect(far == 0)
        }

        @Test(arguments: [
            OfferedGlobals.sway1_7, OfferedGlobals.sway1_7.with("wl_compositor", version: 6),
        ])
        func aWholeScaleIsPaintedToThePixel(_ offer: OfferedGlobals) throws {
            let stage = try Stage.shown(Setup(offer: offer))
            stage.compositor.prefer(scale: 2)
            if let output = stage.compositor.outputs.first?.resources.first {
                try stage.surface.resource.enter(output: output)
            }
            let size = PixelSize(width: 1280, height: 800)
            #expect(stage.compositor.run { stage.compositor.surface?.commits.last?.size == size })
            #expect(
                try stage.surface.commits.last?.logicalSize == Size(width: 640, height: 400))
            try stage.expectGoodEnd()
        }

        @Test func fortyConfiguresASecondAreAnsweredInOrder() throws {
            let stage = try Stage.shown(in: .program)
            let window = try stage.window
            var count = 0
            stage.compositor.repeat(hertz: 40) {
                count += 1
                window.configure(
                    Size(width: Double(400 + count * 10), height: Double(300 + count * 5)),
                    states: [.activated, .resizing])
                return count < 40
            }
            stage.compositor.run { count == 40 && window.isUpToDate }
            let last = Size(width: 800, height: 500)
            #expect(stage.compositor.run { window.surface.commits.last?.logicalSize == last })
            // Each frame has the size of the configure that it answers.
            for commit in window.surface.commits {
                #expect(commit.logicalSize == commit.configuredSize)
            }
            #expect(window.surface.commits.count > 15)
            #expect(window.surface.heldBufferCount == 1)
            // Repeated resizing does not grow the memory use.
            let before = try stage.program.residentBytes
            stage.compositor.repeat(hertz: 100) {
                count += 1
                let side = Double(count * 37 % 400)
                window.configure(
                    Size(width: 400 + side, height: 300 + side), states: [.activated, .resizing])
                return count < 240
            }
            stage.compositor.run { count == 240 && window.isUpToDate }
            #expect(try stage.program.residentBytes < before + 24 << 20)
            try stage.expectGoodEnd()
        }

        @Test func extremeSizesAreSurvived() throws {
            let stage = try Stage.shown()
            let window = try stage.window
            for (width, height) in [(1, 1), (1, 3000), (3000, 1), (20_000, 16)] {
                window.configure(Size(width: Double(width), height: Double(height)))
                let size = PixelSize(width: width, height: height)
                #expect(stage.compositor.run { window.surface.commits.last?.size == size })
            }
            window.configure(Size(width: 640, height: 400))
            let size = PixelSize(width: 640, height: 400)
            #expect(stage.compositor.run { window.surface.commits.last?.size == size })
            try stage.expectGoodEnd()
        }

        @Test func aSurfaceOfAGibibyteIsPaintedAndItsMemoryReleased() throws {
            var setup = Setup()
            setup.checksPixels = false
            let stage = try Stage.shown(setup, in: .program)
            let window = try stage.window
            // No pool can hold a frame of two billion pixels a side, so that the window is limited.
            for (requested, side) in [(2_000_000_000, 16384), (16384, 16384), (1, 1), (640, 640)] {
                window.configure(Size(width: Double(requested), height: Double(requested)))
                let size = PixelSize(width: side, height: side)
                #expect(
                    stage.compositor.run(seconds: 60) {
                        window.surface.commits.last?.size == size
                    })
            }
            // The compositor releases the large buffer when it shows another one.
            stage.press("1", "0")
            // Refinement of the large frame may still run on background threads.
            let program = try stage.program
            #expect(stage.compositor.run { program.residentBytes < 256 << 20 })
            try stage.expectGoodEnd()
        }

        @Test func screensComeAndGo() throws {
            let stage = try Stage.shown()
            let output = try #require(stage.compositor.outputs.first)
            let resource = try #require(output.resources.first)
            try stage.surface.resource.enter(output: resource)
            output.change(size: PixelSize(width: 800, height: 1280))
            stage.compositor.run(seconds: 0.05)
            output.remove()
            stage.compositor.run(seconds: 0.05)
            try stage.play("0 key plus")
            try stage.expectGoodEnd()
        }

        @Test func theWindowShowsThePixelsOfAHeadlessRun() throws {
            let picture = TestPicture.photograph(900, 700)
            let stage = try Stage.shown(pictures: [picture.png()])
            let fit = try #require(try stage.surface.pixels)
            let shot = stage.folder / "fit.png"
            let headless = Binaries.vitrine([
                "--headless", "640x400", "--set", "frames.rest=plain", "--shot", shot,
                stage.folder / "card.png",
            ])
            #expect(headless.status == 0)
            let screenshot = try #require(Screenshot(shot))
            // And again after other frames and partial repaints.
            stage.play {
                $0.key("1")
                $0.point(320, 200)
                $0.wheel(120)
            }
            #expect(try #require(try stage.surface.pixels).rowOfDifference(from: fit) != nil)
            // The bars for the pointer leave after three seconds.
            stage.play {
                $0.key("0")
                $0.rest(4000)
            }
            for pixels in [fit, try #require(try stage.surface.pixels)] {
                var far = 0
                for y in 0..<400 {
                    for x in 0..<640 {
                        let (a, b) = (pixels.color(x, y), screenshot.color(x, y))
                        if max(abs(a.r - b.r), abs(a.g - b.g), abs(a.b - b.b)) > 1 { far += 1 }
                    }
                }
                #expect(far == 0)
            }
            try stage.expectGoodEnd()
        }
    }
}
