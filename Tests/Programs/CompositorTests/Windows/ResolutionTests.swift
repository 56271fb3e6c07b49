import CompositorKit
import Geometry
import TestKit
import Testing

extension LiveTests {
    /// Frames in motion that are too large to paint at full resolution.
    @Suite struct ResolutionTests {
        private static let screen = PixelSize(width: 6144, height: 3840)

        private static let options = ["--set", "frames.adaptive_resolution=true"]

        /// A screen with the pixels of four screens and eight times the refresh rate.
        private static func setup(
            _ offer: OfferedGlobals = .everything, scale: Int32 = 1
        ) -> Setup {
            .fast(screen, hertz: 480, scale: scale, offer: offer, checksPixels: false)
        }

        /// A finger that drags the picture, which fills the window, to and fro.
        private static func pan(_ stage: Stage) {
            stage.play { hand in
                hand.key("2")
                hand.key("plus")
                hand.rest(500)
                hand.touch([1: (1000, 800)])
                for _ in 0..<3 {
                    hand.move([1: (1100, 850)], in: 300)
                    hand.move([1: (1000, 800)], in: 300)
                }
                hand.lift(1)
            }
        }

        @Test(
            arguments: [
                (.everything, 1), (.everything, 2), (.sway1_7, 2),
            ] as [(OfferedGlobals, Int32)])
        func framesHaveFewerPixelsInMotionAndAllAtRest(offer: OfferedGlobals, scale: Int32) throws {
            let stage = try Stage.shown(
                Self.setup(offer, scale: scale), in: .program, options: Self.options,
                pictures: [Stage.large])
            if scale > 1 {
                stage.compositor.prefer(scale: Double(scale))
                stage.compositor.run { stage.compositor.surface?.commits.last?.size == Self.screen }
            }
            Self.pan(stage)
            let surface = try stage.surface
            let sizes = surface.commits.map(\.size)
            #expect(sizes.last == Self.screen)
            #expect(Set(sizes).isSuperset(of: [Self.screen]))
            let coarse = surface.commits.filter { $0.size.width < Self.screen.width }
            #expect(coarse.count > 5)
            // The logical size of the window does not change.
            let logical = Self.screen.size * (1 / Double(scale))
            for commit in coarse { #expect(commit.logicalSize == logical) }
            #expect(surface.commits.last?.logicalSize == logical)
            // A change of size damages the whole buffer.
            for commit in surface.commits {
                for rect in commit.damage {
                    #expect(rect.intersection(PixelRect(commit.size)) == rect)
                }
            }
            let pairs = zip(surface.commits, surface.commits.dropFirst())
            for (before, after) in pairs where before.size != after.size {
                #expect(after.damage.contains(PixelRect(after.size)))
            }
            try stage.expectGoodEnd()
        }

        @Test func aCoarseFrameShowsThePictureInPlace() throws {
            let stage = try Stage.shown(
                Self.setup(), in: .program, options: Self.options, pictures: [Stage.large])
            let surface = try stage.surface
            var seen = 0
            stage.compositor.repeat(hertz: 50) {
                guard let commit = surface.commits.last, commit.size.width < Self.screen.width,
                    surface.commits.count == stage.painted.count,
                    let frame = stage.painted.last, let pixels = surface.look()
                else { return true }
                seen += 1
                let part = Double(commit.size.width) / Double(Self.screen.width)
                #expect(pixels.size == commit.size)
                pixels.expectCard(
                    at: [(200, 200), (1400, 200), (200, 800), (1400, 800)], in: frame, part: part)
                return seen < 3
            }
            Self.pan(stage)
            #expect(seen > 0)
            try stage.expectGoodEnd()
        }

        @Test func aFingerThatRestsGetsFullResolution() throws {
            let stage = try Stage.shown(
                Self.setup(), in: .program, options: Self.options, pictures: [Stage.large])
            stage.play { hand in
                hand.key("2")
                hand.key("plus")
                hand.rest(500)
                hand.touch([1: (1000, 800)])
                hand.move([1: (1300, 1000)], in: 600)
                hand.rest(300)
            }
            let surface = try stage.surface
            #expect(surface.commits.contains { $0.size.width < Self.screen.width })
            #expect(surface.commits.last?.size == Self.screen)
            #expect(try stage.last.phase == "touching")
            stage.play { $0.lift(1) }
            #expect(surface.commits.last?.size == Self.screen)
            try stage.expectGoodEnd()
        }

        @Test(arguments: [.everything, .withoutViewporter] as [OfferedGlobals])
        func framesAtRestDoNotDependOnTheSetting(offer: OfferedGlobals) throws {
            let stages = try ["true", "false"].map { value in
                try Stage.shown(
                    Self.setup(offer), in: .program,
                    options: ["--set", "frames.adaptive_resolution=\(value)"],
                    pictures: [Stage.large])
            }
            let pixels = try stages.map { stage in
                stage.press("1", "2", "0", "1")
                return try #require(try stage.surface.look())
            }
            #expect(pixels[0].rowOfDifference(from: pixels[1]) == nil)
            #expect(pixels[0].size == Self.screen)
            let resolutions = stages.map { Set($0.painted.compactMap { $0.number("resolution") }) }
            #expect(resolutions[0].count > 1)
            #expect(resolutions[1] == [1])
            for stage in stages { try stage.expectGoodEnd() }
        }

        /// A viewer that has shown its first frame.
        private static func started(
            _ screen: PixelSize, _ file: [UInt8], _ isAdaptive: String
        ) throws -> Stage {
            let stage = try Stage(
                .fast(screen, hertz: 60), in: .program,
                options: ["--set", "frames.adaptive_resolution=\(isAdaptive)"], pictures: [file])
            stage.compositor.run { stage.compositor.surface?.commits.isEmpty == false }
            return stage
        }

        /// An embedded preview, enlarged ten times, is shown in a small buffer.
        ///
        /// A busy machine may decode the whole picture before the viewer looks at the preview; then
        /// the picture is opened again, at most ten times.
        @Test func previewsAreShownInSmallBuffers() throws {
            let screen = PixelSize(width: 2048, height: 1280)
            let whole = TestPicture.card(6400, 4000).jpeg()
            let segment = TestMetadata.exif(thumbnail: TestPicture.card(180, 113).jpeg())
            // Previews are read from large files only; as in motion photos, data follows the picture.
            let film = [UInt8](repeating: 0, count: 3_000_000)
            let file = whole.inserting(segment, at: 2) + film
            for (value, first) in [("true", screen.reduced(by: 2)), ("false", screen)] {
                var stage = try Self.started(screen, file, value)
                for _ in 1..<10 where stage.compositor.surface?.commits.first?.size != first {
                    stage = try Self.started(screen, file, value)
                }
                let small = try #require(try stage.surface.look())
                #expect(small.size == first)
                try stage.untilShown()
                stage.compositor.run { stage.compositor.surface?.commits.last?.size == screen }
                stage.untilSeen()
                let surface = try stage.surface
                #expect(surface.commits.first?.size == first)
                #expect(surface.commits.first?.logicalSize == screen.size)
                #expect(surface.commits.last?.size == screen)
                let large = try #require(surface.look())
                // In the middle of each quarter, and beside the edge of the picture.
                for (x, y) in [
                    (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75), (0.45, 0.02),
                ] {
                    let (some, others) = (small.color(at: x, y), large.color(at: x, y))
                    #expect(
                        abs(some.r - others.r) < 8 && abs(some.g - others.g) < 8
                            && abs(some.b - others.b) < 8)
                }
                try stage.expectGoodEnd()
            }
        }
    }
}

extension SurfacePixels {
    /// The color of the pixel at fractions of the width and of the height.
    fileprivate func color(at x: Double, _ y: Double) -> (r: Int, g: Int, b: Int) {
        color(Int(Double(size.width) * x), Int(Double(size.height) * y))
    }
}
