import CompositorKit
import Geometry
import TestKit
import Testing

extension LiveTests {
    /// Frames in motion that are too large to sample every pixel, on a compositor without
    /// wp_viewporter, which cannot enlarge smaller buffers.
    @Suite struct BlockTests {
        private static let options = ["--set", "frames.adaptive_resolution=true"]

        /// A screen so fast that nothing is painted within its period.
        ///
        /// The test compositor compares every frame with the previous one: outside of the damage no
        /// pixel may differ.
        private static func setup(scale: Int32 = 1, checksPixels: Bool = true) -> Setup {
            .fast(
                screen, hertz: 960, scale: scale, offer: .withoutViewporter,
                checksPixels: checksPixels)
        }

        /// Neither side is a multiple of three or four.
        private static let screen = PixelSize(width: 3838, height: 2398)

        /// A finger that drags the picture to and fro.
        private static func pan(_ stage: Stage) {
            stage.play { hand in
                hand.touch([1: (500, 400)])
                for _ in 0..<3 {
                    hand.move([1: (600, 450)], in: 300)
                    hand.move([1: (500, 400)], in: 300)
                }
                hand.lift(1)
            }
        }

        /// The side of the blocks in a frame, by its resolution.
        private static func blockSide(_ frame: TraceFrame) -> Int {
            Int((1 / (frame.number("resolution") ?? 1)).rounded())
        }

        private static func isOfBlocks(_ pixels: SurfacePixels, side: Int) -> Bool {
            let size = pixels.size
            return stride(from: 0, to: size.height, by: 7).allSatisfy { y in
                stride(from: 0, to: size.width, by: 5).allSatisfy { x in
                    let (top, left) = (y / side * side, x / side * side)
                    return pixels.values[y * size.width + x]
                        == pixels.values[top * size.width + left]
                }
            }
        }

        /// Inspects some frames in motion, when the surface shows the last frame of the trace.
        private static func watch(
            _ stage: Stage, _ look: @escaping (TraceFrame, SurfacePixels) -> Void
        ) throws {
            let surface = try stage.surface
            var seen = 0
            stage.compositor.repeat(hertz: 50) {
                guard surface.commits.count == stage.painted.count, let frame = stage.painted.last,
                    blockSide(frame) > 1, let pixels = surface.look()
                else { return true }
                seen += 1
                look(frame, pixels)
                return seen < 4
            }
        }

        @Test(arguments: [1, 2] as [Int32])
        func framesHaveBlocksInMotionAndEveryPixelAtRest(scale: Int32) throws {
            let stage = try Stage.shown(
                Self.setup(scale: scale), in: .program, options: Self.options,
                pictures: [Stage.large])
            stage.press("2", "plus")
            var sides: [Int] = []
            try Self.watch(stage) { frame, pixels in
                let side = Self.blockSide(frame)
                sides.append(side)
                #expect(Self.isOfBlocks(pixels, side: side))
            }
            Self.pan(stage)
            #expect(!sides.isEmpty)
            #expect(sides.allSatisfy { (2...4).contains($0) })
            let surface = try stage.surface
            // The buffer always has full size.
            #expect(Set(surface.commits.map(\.size)) == [Self.screen])
            let logical = Self.screen.size * (1 / Double(scale))
            for commit in surface.commits { #expect(commit.logicalSize == logical) }
            #expect(
                try stage.last.number("resolution") == nil || Self.blockSide(try stage.last) == 1)
            let pixels = try #require(surface.look())
            #expect(!Self.isOfBlocks(pixels, side: 2) && !Self.isOfBlocks(pixels, side: 3))
            try stage.expectGoodEnd()
        }

        /// Two fingers that pinch in and out three times; the picture then lies at any position.
        private static func pinchThrice(_ stage: Stage) {
            stage.play { hand in
                hand.touch([1: (1500, 1000), 2: (2300, 1400)])
                for _ in 0..<3 {
                    hand.move([1: (1500, 1000), 2: (2300, 1400)], in: 100)
                    hand.move([1: (1700, 1100), 2: (2100, 1300)], in: 300)
                    hand.move([1: (1500, 1000), 2: (2300, 1400)], in: 300)
                }
                hand.lift(1, 2)
            }
        }

        private static func isPartial(_ damage: [PixelRect]) -> Bool {
            damage.reduce(0) { $0 + $1.width * $1.height } < screen.width * screen.height
        }

        /// A picture that moves over the backdrop damages part of the window, in whole blocks.
        @Test func onlyWhatChangesIsDamaged() throws {
            let stage = try Stage.shown(
                Self.setup(), in: .program, options: Self.options,
                pictures: [TestPicture.card(1600, 1000).png()])
            let start = stage.painted.count
            stage.press("1")
            // Frames of blocks that damage only a part of the window.
            var partial: [(side: Int, damage: [PixelRect])] = []
            // A busy machine shows fewer frames in the same time.
            for _ in 0..<12 where partial.count <= 3 {
                Self.pinchThrice(stage)
                partial = zip(stage.painted[start...], try stage.surface.commits[start...])
                    .map { (Self.blockSide($0), $1.damage) }
                    .filter { $0 > 1 && Self.isPartial($1) }
            }
            #expect(partial.count > 3)
            for (side, damage) in partial {
                // Blocks change as a whole.
                for rect in damage {
                    #expect(rect.x.isMultiple(of: side) && rect.y.isMultiple(of: side))
                    #expect(rect.maxX.isMultiple(of: side) || rect.maxX == Self.screen.width)
                    #expect(rect.maxY.isMultiple(of: side) || rect.maxY == Self.screen.height)
                }
            }
            let frames = stage.painted[start...]
            let commits = try stage.surface.commits[start...]
            // A change of the block size damages the whole window.
            let sides = frames.map(Self.blockSide)
            for (index, (before, after)) in zip(sides, sides.dropFirst()).enumerated()
            where before != after {
                let commit = commits[commits.startIndex + index + 1]
                #expect(commit.damage.contains(PixelRect(Self.screen)))
            }
            try stage.expectGoodEnd()
        }

        @Test func aFrameOfBlocksShowsThePictureInPlace() throws {
            let stage = try Stage.shown(
                Self.setup(checksPixels: false), in: .program, options: Self.options,
                pictures: [Stage.large])
            stage.press("2", "plus")
            var seen = 0
            try Self.watch(stage) { frame, pixels in
                let side = Self.blockSide(frame)
                // Any pixel of a block has the color of the block's center.
                seen += pixels.expectCard(
                    at: [(700, 400), (900, 400), (700, 600), (900, 600)], in: frame,
                    blockSide: side)
            }
            Self.pan(stage)
            #expect(seen > 0)
            try stage.expectGoodEnd()
        }

        @Test func aFingerThatRestsGetsEveryPixel() throws {
            let stage = try Stage.shown(
                Self.setup(), in: .program, options: Self.options, pictures: [Stage.large])
            stage.press("2", "plus")
            let frames = stage.play { hand in
                hand.touch([1: (500, 400)])
                hand.move([1: (800, 600)], in: 600)
                hand.rest(300)
            }
            #expect(frames.contains { Self.blockSide($0) > 1 })
            #expect(try stage.last.phase == "touching")
            let pixels = try #require(try stage.surface.look())
            #expect(!Self.isOfBlocks(pixels, side: 2) && !Self.isOfBlocks(pixels, side: 3))
            stage.play { $0.lift(1) }
            try stage.expectGoodEnd()
        }

        /// With the setting off, every pixel is sampled, however long a frame takes.
        @Test func withoutTheSettingThereAreNoBlocks() throws {
            let stage = try Stage.shown(
                Self.setup(checksPixels: false), in: .program, pictures: [Stage.large])
            stage.press("2", "plus")
            Self.pan(stage)
            #expect(stage.painted.count > 5)
            #expect(stage.painted.allSatisfy { Self.blockSide($0) == 1 })
            try stage.expectGoodEnd()
        }
    }
}
