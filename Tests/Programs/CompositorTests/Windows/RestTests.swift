import CompositorKit
import Geometry
import TestKit
import Testing

extension LiveTests {
    /// Refinement of frames at rest on background threads, which new motion cancels.
    @Suite struct RestTests {
        private static let picture = TestPicture.photograph(1400, 1000).png()

        private func shot(_ rest: String, _ stage: Stage) throws -> Screenshot {
            let path = stage.folder / "\(rest).png"
            let result = Binaries.vitrine([
                "--headless", "640x400", "--set", "frames.rest=\(rest)", "--shot", path,
                stage.folder / "card.png",
            ])
            #expect(result.status == 0)
            return try #require(Screenshot(path))
        }

        private func isSimilar(
            _ pixels: SurfacePixels?, _ shot: Screenshot, rows: Range<Int> = 0..<400
        ) -> Bool {
            guard let pixels else { return false }
            return rows.allSatisfy { y in
                (0..<640).allSatisfy { x in
                    let (a, b) = (pixels.color(x, y), shot.color(x, y))
                    return max(abs(a.r - b.r), abs(a.g - b.g), abs(a.b - b.b)) <= 1
                }
            }
        }

        /// Zooms in, and back before the refinement is done, again and again.
        ///
        /// The final frame equals that of a headless run without any motion.
        @Test func theFinalFrameIsRefinedAfterCancellations() throws {
            let stage = try Stage.shown(
                in: .program, options: ["--set", "frames.rest=sharp"], pictures: [Self.picture])
            let (plain, sharp) = (try shot("plain", stage), try shot("sharp", stage))
            #expect(sharp.difference(from: plain, tolerance: 2) > 0.003)
            let surface = try stage.surface
            #expect(stage.compositor.run(seconds: 30) { isSimilar(surface.pixels, sharp) })
            for pause in [5, 20, 60, 150, 400] {
                try stage.play(
                    "0 key plus\n\(pause) key 0\n\(pause * 2) key plus\n\(pause * 3) key 0\n"
                        + "\(pause * 3 + 600) end")
                #expect(stage.compositor.run(seconds: 30) { isSimilar(surface.pixels, sharp) })
            }
            try stage.expectGoodEnd()
        }

        /// The frame that shows the refined picture holds its pixels; bars appear above the picture and go.
        @Test func theRefinedPictureIsHeldByTheFrameThatShowsIt() throws {
            let stage = try Stage.shown(
                in: .program, options: ["--set", "frames.rest=sharp"], pictures: [Self.picture])
            let sharp = try shot("sharp", stage)
            let surface = try stage.surface
            func isRefined(rows: Range<Int>) -> Bool {
                isSimilar(surface.pixels, sharp, rows: rows)
            }
            #expect(stage.compositor.run(seconds: 30) { isRefined(rows: 0..<400) })
            stage.compositor.run(seconds: 3)
            // The picture covers 560 × 400 pixels of the window.
            let refined = 560 * 400 * 4 / 1024
            let sizes = try stage.program.anonymousSizes
            #expect(!sizes.contains { (refined..<refined + 20).contains($0) }, "\(sizes)")
            for _ in 0..<3 {
                try stage.play(
                    "0 touch down 1 320 200\n0 touch frame\n50 touch up 1\n50 touch frame\n1000 end"
                )
                #expect(!isRefined(rows: 0..<100))
                #expect(isRefined(rows: 150..<250))
                try stage.play(
                    "0 touch down 1 320 200\n0 touch frame\n50 touch up 1\n50 touch frame\n1000 end"
                )
                #expect(stage.compositor.run(seconds: 30) { isRefined(rows: 0..<400) })
            }
            try stage.expectGoodEnd()
        }
    }
}
