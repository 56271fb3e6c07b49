import Geometry
import TestKit
import Testing

/// What is written over the pictures of a slideshow, headless.
@Suite struct SlideshowTextTests {
    private let folder = TemporaryFolder()

    /// A grey picture with a title and a place.
    private func picture(_ name: String, _ elements: String, grey: UInt8 = 255) -> String {
        let plain: [UInt8] = TestPicture(size: PixelSize(width: 640, height: 400)) { _, _ in
            (grey, grey, grey)
        }
        .jpeg()
        let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + TestMetadata.xmp(elements)
        folder.folder("Alps")
        return folder.file(
            "Alps/\(name)",
            Array(plain.prefix(2)) + TestMetadata.segment(0xE1, xmp) + plain.dropFirst(2))
    }

    private func run(
        _ options: [String], end: Int, _ pictures: [String]
    ) throws -> (tree: String, frames: [TraceFrame]) {
        let result = Binaries.vitrine(
            [
                "--headless", "640x400", "--slideshow", "3", "--trace", "-", "--script",
                folder.file("script.txt", "\(end) end\n"), "--ui-at",
                "\(end):\(folder / "ui.json")", "--shot", folder / "last.png",
            ] + options + pictures)
        #expect(result.errors == "" && result.status == 0)
        return (TestFile.text(folder / "ui.json") ?? "", TraceFrame.all(result.output))
    }

    @Test func theCaptionIsReadFromTheFile() throws {
        let pictures = [
            picture("1.jpg", TestMetadata.title("Morning on the ridge")),
            picture("2.jpg", TestMetadata.title("\u{202E}gpj.exe\u{0}\nEvening")),
        ]
        let options = ["--set", "slideshow.caption=title, folder, name"]
        let first = try run(options, end: 1000, pictures).tree
        #expect(
            first.contains(#""role":"label","name":"Morning on the ridge, Alps · 1.jpg""#),
            "\(first)")
        let second = try run(options, end: 5000, pictures).tree
        #expect(
            second.contains("Evening") && second.contains("2.jpg") && !second.contains("Morning"))
        // Without a slideshow there is none.
        let still = Binaries.vitrine(
            ["--headless", "640x400", "--ui-at", "0:\(folder / "ui.json")"] + options + pictures)
        #expect(still.status == 0)
        #expect(TestFile.text(folder / "ui.json")?.contains("Morning") == false)
    }

    /// Light text on a dark ground, whatever the picture is.
    @Test(arguments: [0, 128, 255] as [UInt8])
    func theCaptionIsLegible(_ grey: UInt8) throws {
        _ = try run(
            ["--set", "slideshow.caption=title", "--set", "slideshow.clock=true"], end: 500,
            [
                picture("1.jpg", TestMetadata.title("HHHHHHHHHHHHHHHHHHHHHH"), grey: grey),
                picture("2.jpg", ""),
            ])
        let shot = try #require(Screenshot(folder / "last.png"))
        for (x, y) in [(20..<200, 345..<383), (560..<622, 18..<45)] {
            var (lightest, darkest) = (0, 255)
            for row in y {
                for column in x {
                    let value = Int(shot.color(column, row).g)
                    (lightest, darkest) = (max(lightest, value), min(darkest, value))
                }
            }
            #expect(lightest > 215 && darkest < 90, "\(grey): \(darkest)…\(lightest)")
        }
    }

    /// The clock changes on the minute and costs nothing in between.
    @Test func theClockChangesOnTheMinute() throws {
        let pictures = [picture("1.jpg", ""), picture("2.jpg", "")]
        let options = ["--set", "slideshow.clock=true", "--set", "slideshow.interval=86400"]
        let result = try run(options + ["--refresh", "10"], end: 130_000, pictures)
        #expect(result.tree.contains(#""name":"12:02""#), "\(result.tree)")
        let painted = result.frames.filter { !$0.line.contains(#""damage":[]"#) }.map(\.time)
        #expect(painted.count == 3 && painted[0] == 0, "\(painted)")
        #expect(painted.dropFirst().allSatisfy { $0.truncatingRemainder(dividingBy: 60_000) < 200 })
    }

    /// Each step of the bar is one small rectangle.
    @Test func theProgressCostsFewFrames() throws {
        let result = try run(
            ["--set", "slideshow.progress=true", "--set", "slideshow.transition=cut"], end: 2950,
            [picture("1.jpg", ""), picture("2.jpg", "")])
        let painted = result.frames.filter { !$0.line.contains(#""damage":[]"#) }
        #expect((11...12).contains(painted.count), "\(painted.map(\.time))")
        #expect(
            painted.dropFirst().allSatisfy {
                $0.line.contains(#""damage":[[0,396,"#)
            })
        #expect(result.tree.contains(#""role":"progress bar","name":"Slideshow""#))
    }
}
