import CompositorKit
import Geometry
import Input
import TestKit
import Testing

/// Refinement of pictures at rest.
@Suite struct RestTests {
    private let folder = TemporaryFolder()

    /// Alternating light and dark lines of one pixel; a filter that skips some shows stripes.
    private static let lines = lines(PixelSize(width: 500, height: 500))

    private static func lines(_ size: PixelSize) -> [UInt8] {
        TestPicture(size: size) { _, y in
            y.isMultiple(of: 2) ? (255, 255, 255) : (0, 0, 0)
        }.png()
    }

    private func show(_ rest: String, _ script: String, at time: Double? = nil) throws -> Screenshot
    {
        let result = Binaries.vitrine(
            [
                "--headless", "400x300", "--script", folder.file("script.txt", script), "--set",
                "frames.rest=\(rest)", "--shot", folder / "last.png",
            ] + (time.map { ["--shot-at", "\($0):\(folder / "shot.png")"] } ?? [])
                + [folder.file("lines.png", Self.lines)])
        #expect(result.errors == "" && result.status == 0)
        return try #require(Screenshot(folder / (time == nil ? "last.png" : "shot.png")))
    }

    /// The range from the darkest to the lightest pixel around the middle.
    private func range(_ shot: Screenshot) -> ClosedRange<Int> {
        let greys = (0..<60).flatMap { y in
            (0..<60).map { x in shot.color(170 + x, 120 + y).g }
        }
        return (greys.min() ?? 0)...(greys.max() ?? 255)
    }

    /// Upright and rotated.
    @Test(arguments: ["0 end", "100 key r\n900 end", "100 key r\n700 key r\n1500 end"])
    func linesAreGreyAtRest(script: String) throws {
        #expect(range(try show("plain", script)).count > 30)
        let sharp = range(try show("sharp", script))
        #expect(sharp.lowerBound >= 125 && sharp.upperBound <= 130, "\(sharp)")
        let linear = range(try show("linear", script))
        #expect(linear.lowerBound >= 185 && linear.upperBound <= 190, "\(linear)")
    }

    /// Frames in motion are not refined.
    @Test func framesInMotionAreNotRefined() throws {
        var hand = Hand()
        hand.rest(100)
        hand.touch([1: (200, 150), 2: (250, 150)])
        hand.move([1: (150, 150), 2: (300, 150)], in: 300)
        hand.rest(200)
        hand.lift(1)
        hand.lift(2)
        hand.rest(900)
        let script = hand.finishScript().text
        let (plain, sharp) = (
            try show("plain", script, at: 300), try show("sharp", script, at: 300)
        )
        #expect(sharp.difference(from: plain, tolerance: 0) == 0)
        let rested = (try show("plain", script), try show("sharp", script))
        #expect(rested.1.difference(from: rested.0, tolerance: 4) > 0.2)
    }

    /// A large picture that was at rest moves without stripes just above a zoom of 1/2.
    ///
    /// There, the full level would be sampled with gaps; the three-quarter level is used instead. Nearer
    /// to zoom 1 the full level is sampled, and the lines are visible.
    @Test(arguments: [(10.0, 0.0...30), (60, 100...255)])
    func aRefinedPictureMovesWithoutStripes(delta: Double, stripes: ClosedRange<Double>) throws {
        var hand = Hand()
        hand.rest(100)
        hand.touch([1: (600, 600), 2: (1000, 600)])
        hand.move([1: (600 - delta, 600), 2: (1000 + delta, 600)], in: 300)
        hand.rest(200)
        hand.lift(1)
        hand.lift(2)
        hand.rest(900)
        let size = PixelSize(width: 2800, height: 2100)
        let result = Binaries.vitrine([
            "--headless", "1600x1200", "--script",
            folder.file("script.txt", hand.finishScript().text), "--shot", folder / "last.png",
            "--shot-at", "400:\(folder / "shot.png")",
            folder.file("lines.png", Self.lines(size)),
        ])
        #expect(result.errors == "" && result.status == 0)
        let moving = range(try #require(Screenshot(folder / "shot.png")))
        #expect(stripes.contains(Double(moving.upperBound - moving.lowerBound)), "\(moving)")
        let still = range(try #require(Screenshot(folder / "last.png")))
        #expect(still.upperBound - still.lowerBound < 30, "\(still)")
    }

    /// In motion and at rest, of words and of planes.
    @Test(arguments: [false, true]) func everySetOfInstructionsPaintsTheSamePixels(
        isPhotograph: Bool
    ) {
        let picture = TestPicture.photograph(900, 700)
        let file =
            isPhotograph
            ? folder.file("photo.jpg", picture.jpeg()) : folder.file("photo.png", picture.png())
        let script = folder.file("script.txt", "100 key plus\n900 end")
        let shots = ["best", "simd", "portable"].map { instructions in
            let paths = (folder / "moving.png", folder / "still.png")
            let result = Binaries.vitrine([
                "--headless", "400x300", "--script", script, "--set",
                "frames.instructions=\(instructions)", "--shot-at", "150:\(paths.0)", "--shot",
                paths.1, file,
            ])
            #expect(result.errors == "" && result.status == 0)
            let bytes = [TestFile.read(paths.0), TestFile.read(paths.1)]
            #expect(bytes[0]?.isEmpty == false && bytes[0] != bytes[1])
            return bytes
        }
        #expect(shots[0] == shots[1] && shots[0] == shots[2])
    }

    @Test func anUnknownValueIsRefused() {
        let result = Binaries.vitrine(["--set", "frames.rest=fine", "x.png"])
        #expect(result.status == 2 && result.errors.contains("plain"))
    }
}
