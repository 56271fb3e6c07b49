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

        private func isSimilar(_ pixels: SurfacePixels?, _ shot: Screenshot) -> Bool {
            guard let pixels else { return false }
            return (0..<400).allSatisfy { y in
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
    }
}
