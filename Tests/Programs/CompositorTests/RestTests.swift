import CompositorKit
import Geometry
import TestKit
import Testing

extension LiveTests {
    /// What lies still is painted anew on threads of its own, which is given up when it moves on.
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

        private func isAlike(_ pixels: SurfacePixels?, _ shot: Screenshot) -> Bool {
            guard let pixels else { return false }
            return (0..<400).allSatisfy { y in
                (0..<640).allSatisfy { x in
                    let (a, b) = (pixels.color(x, y), shot.color(x, y))
                    return max(abs(a.r - b.r), abs(a.g - b.g), abs(a.b - b.b)) <= 1
                }
            }
        }

        /// Near, and back before that was painted, again and again: in the end what is seen is just what
        /// a run shows that came there at once.
        @Test func whateverWasGivenUpTheEndIsSharp() throws {
            let stage = try Stage.shown(
                options: ["--set", "frames.rest=sharp"], pictures: [Self.picture])
            let (plain, sharp) = (try shot("plain", stage), try shot("sharp", stage))
            #expect(sharp.difference(from: plain, tolerance: 2) > 0.003)
            let surface = try stage.surface
            #expect(stage.compositor.run(seconds: 30) { isAlike(surface.pixels, sharp) })
            for pause in [5, 20, 60, 150, 400] {
                try stage.play(
                    "0 key plus\n\(pause) key 0\n\(pause * 2) key plus\n\(pause * 3) key 0\n"
                        + "\(pause * 3 + 600) end")
                #expect(stage.compositor.run(seconds: 30) { isAlike(surface.pixels, sharp) })
            }
            try stage.expectGoodEnd()
        }
    }
}
