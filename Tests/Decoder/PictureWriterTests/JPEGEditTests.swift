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

    // MARK: Data after the picture

    private func losses(_ source: [UInt8]) throws -> [String] {
        try Edited(source, crop(.blockGrid)).description.losses
    }

    @Test(arguments: ["", "-progressive", "-restart 1", "-arithmetic"])
    func dataAfterThePictureAreTold(options: String) throws {
        bench.put("photo.png", EditBench.even.png())
        try bench.run("convert photo.png photo.ppm && cjpeg \(options) photo.ppm > it.jpg")
        let source = bench.bytes("it.jpg")
        #expect(try losses(source).isEmpty)
        // Padding, and fill bytes before the end marker.
        for padding: UInt8 in [0, 0xFF] {
            #expect(try losses(source + [UInt8](repeating: padding, count: 200)).isEmpty)
        }
        #expect(try losses(source.dropLast(2) + [0xFF, 0xFF, 0xFF, 0xD9]).isEmpty)
        // A picture that no index tells of, such as a depth map.
        #expect(try losses(source + source).contains { $0.contains("further pictures") })
        #expect(
            try losses(source + [UInt8](repeating: 0, count: 32) + source).contains {
                $0.contains("further pictures")
            })
        // A video that happens to end like a picture.
        let video = Array("\0\0\0\u{18}ftypmp42".utf8) + [UInt8](repeating: 5, count: 90)
        for rest in [video, video + [0xFF, 0xD9], [1]] {
            #expect(try losses(source + rest).contains { $0.contains("data after the picture") })
        }
    }

    /// A thumbnail has an end marker of its own.
    @Test func aThumbnailDoesNotEndThePicture() throws {
        _ = try bench.source("it.jpg", EditBench.even, by: "convert photo.png it.jpg")
        try bench.run(
            "convert photo.png -resize 40x tiny.jpg && "
                + "exiftool -q -overwrite_original '-ThumbnailImage<=tiny.jpg' it.jpg")
        #expect(try losses(bench.bytes("it.jpg")).allSatisfy { $0.contains("thumbnail") })
    }
}
