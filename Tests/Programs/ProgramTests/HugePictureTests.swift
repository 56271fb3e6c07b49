import CompositorKit
import Geometry
import Input
import TestKit
import Testing

/// Pictures that are too large for memory, in the release build of the viewer.
///
/// The limit is set low, so that tests need no gigabytes.
@Suite struct HugePictureTests {
    private let folder = TemporaryFolder()
    private static let picture = TestPicture.photograph(2400, 1800)
    private static let file = picture.jpeg(quality: 98)
    /// Patches of horizontal and vertical lines with a period of three pixels.
    private static let fine = TestPicture(size: PixelSize(width: 2400, height: 1800)) { x, y in
        let isLight = ((x / 90 + y / 70).isMultiple(of: 2) ? x : y) % 3 == 0
        return isLight ? (250, 240, 230) : (10, 30, 20)
    }.jpeg(quality: 98)

    private func show(
        _ script: String, _ settings: [String], _ options: [String] = [],
        shot: String = "shot.png", file: [UInt8] = file
    ) throws -> (frames: [TraceFrame], shot: Screenshot, errors: String) {
        let result = Binaries.vitrine(
            [
                "--headless", "400x300", "--script", folder.file("script.txt", script), "--trace",
                "-", "--shot", folder / shot,
            ] + options + settings.flatMap { ["--set", $0] } + [folder.file("huge.jpg", file)])
        return (
            TraceFrame.all(result.output), try #require(Screenshot(folder / shot)), result.errors
        )
    }

    /// Tiled and whole pictures look the same at every zoom, also rotated.
    @Test(arguments: [
        "0 end", "0 key 1\n900 end", "0 key plus\n300 key plus\n900 end",
        "0 key 1\n500 key r\n1500 end",
        "0 key 1\n500 key plus\n1000 key plus\n1900 end",
    ])
    func tiledPicturesLookLikeWholeOnes(script: String) throws {
        let whole = try show(script, [], shot: "whole.png")
        let tiled = try show(script, ["decode.parts_from_megapixels=1"])
        #expect(tiled.errors == "")
        #expect(tiled.shot.difference(from: whole.shot, tolerance: 6) < 0.01)
        #expect(tiled.frames.last?.rect == whole.frames.last?.rect)
    }

    /// At rest, tiled pictures are as sharp as whole ones, upright and rotated, across tile borders.
    ///
    /// A picture of 2400 × 1800 pixels has such borders at every zoom above a quarter.
    @Test(arguments: [
        "0 key plus\n300 key plus\n600 key plus\n1500 end",
        "0 key plus\n300 key plus\n600 key plus\n900 key r\n1900 end",
        "0 key plus\n300 key plus\n600 key plus\n900 key plus\n1900 end",
    ])
    func tiledPicturesAreAsSharpAtRest(script: String) throws {
        let file = Self.fine
        let plain = try show(script, ["frames.rest=plain"], shot: "plain.png", file: file)
        let whole = try show(script, ["frames.rest=sharp"], shot: "whole.png", file: file)
        let tiled = try show(
            script, ["frames.rest=sharp", "decode.parts_from_megapixels=1"], file: file)
        #expect(tiled.errors == "")
        let zoom = try #require(tiled.frames.last?.zoom)
        #expect(zoom > 0.25 && zoom < 1 && zoom != 0.5, "\(zoom)")
        #expect(whole.shot.difference(from: plain.shot, tolerance: 20) > 0.2)
        #expect(tiled.shot.difference(from: whole.shot, tolerance: 3) < 0.01)
    }

    /// A drag at zoom 1 shows the tiles that become visible.
    @Test func aDragShowsNewTiles() throws {
        var hand = Hand()
        hand.key("1")
        hand.rest(600)
        hand.touch([1: (350, 250)])
        hand.move([1: (20, 40)], in: 300)
        hand.rest(200)
        hand.lift(1)
        hand.rest(800)
        let script = hand.finishScript().text
        let whole = try show(script, [], shot: "whole.png")
        let tiled = try show(script, ["decode.parts_from_megapixels=1"])
        #expect(tiled.shot.difference(from: whole.shot, tolerance: 6) < 0.001)
        #expect((tiled.frames.last?.rect?.x ?? 0) < -1000)
    }

    /// Where a truncated file has no data the overview stays, and a message reports the truncation.
    @Test func aTruncatedFileShowsItsFirstPart() throws {
        let truncated = Array(Self.file.prefix(Self.file.count * 2 / 3))
        let (frames, shot, errors) = try show(
            "0 key 1\n900 end", ["decode.parts_from_megapixels=1"], file: truncated)
        #expect(errors.contains("cut short"))
        #expect(frames.last?.zoom == 1)
        #expect(shot.color(200, 20).r > 0)
    }

    /// Two huge pictures, one after the other.
    @Test func theNextPictureIsTiledToo() throws {
        let other = folder.file("z.jpg", TestPicture.card(1600, 1200).jpeg())
        let result = Binaries.vitrine(
            [
                "--headless", "400x300", "--script",
                folder.file("script.txt", "0 key 1\n500 key space\n1200 key 1\n2000 end"), "--shot",
                folder / "next.png", "--set", "decode.parts_from_megapixels=1",
                folder.file("a.jpg", Self.file), other,
            ])
        #expect(result.status == 0 && result.errors == "")
        let shot = try #require(Screenshot(folder / "next.png"))
        // The four quarters of the card meet in the middle.
        #expect(shot.color(20, 20).r > 180 && shot.color(380, 20).g > 160)
        #expect(shot.color(20, 280).b > 190 && shot.color(380, 280).b < 60)
    }

    @Test(arguments: ["decode.max_megapixels=4", "decode.max_memory=20"])
    func picturesBeyondALimitAreRefusedWithTheLimit(setting: String) throws {
        let result = Binaries.vitrine(
            [
                "--headless", "400x300", "--set", setting, "--set",
                "decode.parts_from_megapixels=512",
                folder.file("large.jpg", Self.file),
            ])
        #expect(result.status == 1)
        #expect(result.errors.contains("2400 × 1800") && result.errors.contains("decode.max_"))
        let png = Binaries.vitrine(
            [
                "--headless", "400x300", "--set", setting,
                folder.file("small.jpg", TestPicture.card(300, 200).jpeg()),
            ])
        #expect(png.status == 0)
    }

    @Test(arguments: ["decode.max_megapixels=many", "decode.max_memory=-1", "decode.max=3"])
    func invalidLimitsAreRefused(setting: String) {
        let result = Binaries.vitrine(["--set", setting, "x.jpg"])
        #expect(result.status == 2 && result.errors.contains("decode.max"))
    }

    /// A format without addressable tiles is kept on the disk.
    @Test(arguments: ["0 end", "0 key 1\n900 end", "0 key 1\n500 key r\n1500 end"])
    func picturesOnTheDiskLookLikeWholeOnes(script: String) throws {
        let file = Self.picture.png()
        let whole = try show(script, [], shot: "whole.png", file: file)
        let tiled = try show(
            script, ["decode.parts_from_megapixels=1"], ["--verbose"], file: file)
        #expect(tiled.errors.contains("huge.jpg: uses 23 MiB of disk space while it is shown"))
        #expect(tiled.shot.difference(from: whole.shot, tolerance: 2) < 0.001)
    }

    /// Without enough disk space, the picture is kept in memory.
    @Test func withoutDiskSpaceMemoryIsUsed() throws {
        let file = Self.picture.png()
        let whole = try show("0 key 1\n900 end", [], shot: "whole.png", file: file)
        let held = try show(
            "0 key 1\n900 end", ["decode.parts_from_megapixels=1", "decode.max_disk=10"],
            ["--verbose"], file: file)
        #expect(
            held.errors.contains(
                "10 MiB are allowed (decode.max_disk); it is kept in memory instead"))
        #expect(held.shot.difference(from: whole.shot, tolerance: 0) == 0)
    }

    /// A picture that is also too large for memory is an error; the next one is shown.
    @Test func withoutDiskSpaceAndMemoryThePictureIsRefused() throws {
        let next = folder.file("z.png", TestPicture.card(300, 200).png())
        let result = Binaries.vitrine([
            "--headless", "400x300", "--script", folder.file("s.txt", "500 key space\n1500 end"),
            "--shot", folder / "z-shot.png", "--set", "decode.parts_from_megapixels=1", "--set",
            "decode.max_disk=10", "--set", "decode.max_megapixels=1",
            folder.file("a.png", Self.picture.png()), next,
        ])
        #expect(result.status == 0)
        #expect(
            result.errors.contains("MiB of disk space while it is shown; at most 10 MiB are")
                && result.errors.contains("max_disk"))
        let shot = try #require(Screenshot(folder / "z-shot.png"))
        // The four quarters of the card meet in the middle.
        #expect(shot.color(120, 70).r > 180 && shot.color(280, 70).g > 160)
        #expect(shot.color(120, 230).b > 190 && shot.color(280, 230).b < 60)
    }

    /// Drawings are rasterized for the zoom: edges are sharp at the largest zoom.
    @Test func drawingsAreSharpAtTheLargestZoom() throws {
        let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">
            <rect width="40" height="30" fill="white"/>
            <path d="M20 0 L20 30 M0 15 L40 15" stroke="black" stroke-width="0.004"/></svg>
            """
        let path = folder.file("drawing.svg", drawing)
        let script = (0..<40).map { "\($0 * 60) key plus" }.joined(separator: "\n") + "\n3500 end"
        let result = Binaries.vitrine([
            "--headless", "400x300", "--script", folder.file("near.txt", script), "--trace", "-",
            "--shot", folder / "near.png", path,
        ])
        #expect(result.errors == "" && result.status == 0)
        let zoom = try #require(TraceFrame.all(result.output).last?.zoom)
        #expect(zoom == 4)
        let shot = try #require(Screenshot(folder / "near.png"))
        // The drawing is 5120 pixels wide at 1:1, so at zoom 4 the line of 0.004 is 2 pixels wide.
        let row = (0..<400).map { shot.color($0, 40).r }
        let dark = row.indices.filter { row[$0] < 250 }
        #expect((2...4).contains(dark.count), "\(dark)")
        #expect(dark.contains(199) && dark.contains(200))
        #expect(dark.map { row[$0] }.min() ?? 255 < 90)
    }
}
