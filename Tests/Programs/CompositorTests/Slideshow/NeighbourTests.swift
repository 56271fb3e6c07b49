import CompositorKit
import Geometry
import Motion
import TestKit
import Testing

extension LiveTests {
    /// Pictures that are decoded at the size of the screen while another one is shown.
    @Suite struct NeighbourTests {
        /// Stripes of two pixels of the window, which a thumbnail does not have.
        private static let striped = TestPicture(
            size: PixelSize(width: 3840, height: 2400)
        ) { x, _ in
            let value: UInt8 = (x / 4).isMultiple(of: 2) ? 255 : 0
            return (value, value, value)
        }.jpeg(quality: 90, subsampled: true)

        /// How far the brightest pixel is from the darkest one in a part of the window that is wider than the gap
        /// between two pages, and into which the next page comes first.
        private static func contrast(_ stage: Stage) -> Int? {
            guard let pixels = stage.compositor.surface?.look() else { return nil }
            let values = (1800..<1920).map { pixels.color($0, 600).g }
            return (values.max() ?? 0) - (values.min() ?? 0)
        }

        /// Once a page is turned, its picture is decoded whole.
        ///
        /// Until then the pixels that are there stay, also if there is a thumbnail.
        @Test func aPageThatIsDecodedWholeStaysSharp() throws {
            var setup = Setup()
            setup.outputSize = PixelSize(width: 1920, height: 1200)
            let stage = try Stage.shown(
                setup, in: .program, options: ["--fullscreen"],
                pictures: Array(repeating: Self.striped, count: 3), onGrid: true)
            stage.untilSeen()
            let start = stage.compositor.now
            stage.press("Return", "Right")
            stage.until { $0.index == 1 && $0.phase == "idle" && $0.numbers("image").count == 2 }
            // The next picture is decoded meanwhile, in no more time than the two before.
            let decoding = stage.compositor.now.seconds(since: start)
            stage.compositor.run(seconds: max(4, 2 * decoding))
            var seen: [Int] = []
            stage.compositor.repeat(hertz: 60) {
                if let contrast = Self.contrast(stage) { seen.append(contrast) }
                return true
            }
            stage.press("Right")
            stage.compositor.run(seconds: 2)
            #expect(try stage.last.index == 2)
            #expect(seen.count > 20 && seen.allSatisfy { $0 > 150 }, "\(seen)")
            try stage.expectGoodEnd()
        }
    }
}
