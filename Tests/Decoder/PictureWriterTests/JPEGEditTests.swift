import Edits
import Geometry
import ImageTypes
import ImageWire
import PictureWriter
import TestKit
import Testing

/// JPEGs: colour spaces, data after the picture, thumbnails in their metadata, and progress.
@Suite(.timeLimit(.minutes(2))) struct JPEGEditTests {
    private let bench = EditBench()

    private func crop(_ method: EditRequest.CropMethod, width: Double = 48) -> EditRequest {
        let rect = Rect(x: 16, y: 16, width: width, height: 32)
        var request = EditRequest(PictureEdit(crop: PictureEdit.Crop(rect: rect)))
        request.crop = method
        request.mayReencode = method == .exact
        return request
    }

    // MARK: Colours

    /// The samples of a part of a CMYK picture.
    private func samples(_ name: String, _ part: String = "") throws -> [UInt8] {
        try bench.run("convert \(name) \(part) -depth 8 cmyk:samples")
        return bench.bytes("samples")
    }

    /// With YCCK, the second and third component are chroma, and with CMYK they are inks.
    @Test(arguments: ["2x2,1x1,1x1,2x2", "1x1", "2x1,1x1,1x1,2x1"])
    func inksAreAsSharpAsInTheSource(sampling: String) throws {
        let lines = TestPicture(size: PixelSize(width: 96, height: 64)) { x, y in
            // Sharp in brightness only, so that chroma of half the resolution has everything.
            let light = (x + y) % 4 < 2 ? 180 : 90
            return (UInt8(light + x / 3), UInt8(light - y / 3), UInt8(light))
        }
        let source = try bench.source(
            "it.jpg", lines,
            by: "convert photo.png -colorspace CMYK -quality 97 -sampling-factor \(sampling) it.jpg"
        )
        let kind = "exiftool -s -s -s -ColorTransform -ColorComponents"
        #expect(try bench.run("\(kind) it.jpg") == "YCCK\n4\n")
        let edited = try Edited(source, crop(.exact))
        bench.put("mine.jpg", edited.bytes)
        #expect(try bench.run("\(kind) mine.jpg") == "YCCK\n4\n")
        let factors = "identify -format %[jpeg:sampling-factor]"
        #expect(try bench.run("\(factors) mine.jpg") == bench.run("\(factors) it.jpg"))
        try expectEqualInks("-crop 48x32+16+16 +repage")
    }

    /// The same planes without a transform, as some programs store CMYK.
    @Test func inksWithoutATransformAreNotSubsampled() throws {
        var source = try bench.source(
            "it.jpg", EditBench.even,
            by: "convert photo.png -colorspace CMYK -quality 97 "
                + "-sampling-factor 2x2,1x1,1x1,2x2 it.jpg")
        let name = Array("Adobe".utf8)
        let place = try #require(
            source.indices.first { source[$0...].starts(with: name) })
        #expect(source[place + 11] == 2)
        source[place + 11] = 0
        bench.put("it.jpg", source)
        let edited = try Edited(source, crop(.exact))
        bench.put("mine.jpg", edited.bytes)
        #expect(try bench.run("identify -format %[jpeg:sampling-factor] mine.jpg").hasPrefix("1x1"))
        try expectEqualInks("-crop 48x32+16+16 +repage")
    }

    private func expectEqualInks(_ part: String) throws {
        let (mine, theirs) = (try samples("mine.jpg"), try samples("it.jpg", part))
        #expect(mine.count == theirs.count)
        let differences = zip(mine, theirs).map { abs(Int($0) - Int($1)) }
        let mean = Double(differences.reduce(0, +)) / Double(max(differences.count, 1))
        let most = differences.max() ?? 255
        #expect(mean < 1.5 && most < 24, "\(mean) \(most)")
    }
}
