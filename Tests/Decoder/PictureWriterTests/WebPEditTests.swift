import Edits
import Geometry
import ImageTypes
import ImageWire
import PictureWriter
import TestKit
import Testing

/// WebP files: transparent pictures, and data that no chunk of a picture has.
@Suite(.timeLimit(.minutes(2))) struct WebPEditTests {
    private let bench = EditBench()
    private static let crop = PictureEdit.Crop(rect: Rect(x: 7, y: 5, width: 21, height: 30))

    private func reencoding(_ edit: PictureEdit) -> EditRequest {
        var request = EditRequest(edit)
        request.mayReencode = true
        return request
    }

    /// A picture that becomes transparent to the left, where its colours stay as they are.
    private func transparent(
        _ name: String, _ options: String, tags: Bool = true
    ) throws -> [UInt8] {
        try bench.source(
            name,
            by: "convert photo.png '(' -size 43x61 gradient:black-white -rotate -90 "
                + "-level 20%,100% ')' -alpha off -compose CopyOpacity -composite -define png:color-type=6 alpha.png && "
                + "cwebp -quiet \(options) alpha.png -o \(name)", tags: tags)
    }

    @Test func losslessCropsKeepTheColoursOfTransparentPixels() throws {
        let source = try transparent("it.webp", "-lossless -exact")
        let edit = PictureEdit(crop: Self.crop)
        let edited = try Edited(source, reencoding(edit))
        #expect(edited.description.method == .reencoded(quality: nil))
        #expect(edited.description.losses.isEmpty)
        bench.put("mine.webp", edited.bytes)
        try bench.run(
            "dwebp -quiet mine.webp -pam -o mine.pam && "
                + "dwebp -quiet it.webp -crop 7 5 21 30 -pam -o theirs.pam")
        let theirs = bench.bytes("theirs.pam")
        let pixels = Array(theirs.suffix(21 * 30 * 4))
        let faint = stride(from: 0, to: pixels.count, by: 4).filter {
            (0..<9).contains(pixels[$0 + 3]) && pixels[$0] > 20
        }
        #expect(faint.count > 10, "the source has no colours to lose")
        #expect(bench.bytes("mine.pam") == theirs)
        #expect(try fingerprint(edited.bytes).pixels == fingerprint(source, edit).pixels)
    }

    @Test func fingerprintsDifferWithTheColoursOfTransparentPixels() throws {
        let exact = try transparent("it.webp", "-lossless -exact")
        let cleared = try transparent("cleared.webp", "-lossless")
        #expect(try fingerprint(exact).pixels != fingerprint(cleared).pixels)
    }

    /// A file of one frame is no animation, and its rows are those of a canvas.
    @Test func aSingleFrameKeepsTheColoursOfTransparentPixels() throws {
        _ = try transparent("it.webp", "-lossless -exact", tags: false)
        try bench.run("webpmux -frame it.webp +100+0+0+0-b -o framed.webp")
        let (still, framed) = (bench.bytes("it.webp"), bench.bytes("framed.webp"))
        #expect(try fingerprint(framed).pixels == fingerprint(still).pixels)
    }
}
