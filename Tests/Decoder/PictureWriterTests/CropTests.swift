import Edits
import Geometry
import ImageTypes
import ImageWire
import PictureWriter
import TestKit
import Testing

/// Crops, turns by coefficients and new encodings.
@Suite struct CropTests {
    private let bench = EditBench()

    private func crop(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, angle: Double = 0
    )
        -> PictureEdit.Crop
    {
        PictureEdit.Crop(angle: angle, rect: Rect(x: x, y: y, width: width, height: height))
    }

    private func request(_ edit: PictureEdit, _ change: (inout EditRequest) -> Void) -> EditRequest
    {
        var request = EditRequest(edit)
        change(&request)
        return request
    }

    // MARK: Coefficients

    @Test(arguments: ["1x1", "2x2", "2x1", "1x2", "4x1"])
    func coefficientsTurnAsJpegtranTurnsThem(sampling: String) throws {
        let even = TestPicture.photograph(128, 64)
        let source = try bench.source(
            "it.jpg", even, by: "convert photo.png -sampling-factor \(sampling) it.jpg")
        let witness: [(Orientation, String)] = [
            (.mirrored, "-flip horizontal"), (.upsideDown, "-rotate 180"),
            (.mirroredUpsideDown, "-flip vertical"), (.transposed, "-transpose"),
            (.rotatedLeft, "-rotate 90"), (.transversed, "-transverse"),
            (.rotatedRight, "-rotate 270"),
        ]
        for (turn, operation) in witness {
            let edited = try Edited(
                source, request(PictureEdit(turn: turn)) { $0.turnsPixels = true })
            #expect(edited.description.method == .jpegCoefficients)
            bench.put("mine.jpg", edited.bytes)
            try bench.run("jpegtran -copy none \(operation) -perfect it.jpg > theirs.jpg")
            try bench.run("djpeg -pnm mine.jpg > mine.ppm && djpeg -pnm theirs.jpg > theirs.ppm")
            #expect(bench.bytes("mine.ppm") == bench.bytes("theirs.ppm"), "\(turn)")
            let asked = try fingerprint(
                source, PictureEdit(turn: turn), ofCoefficients: true, turnsPixels: true)
            #expect(try fingerprint(edited.bytes, ofCoefficients: true) == asked, "\(turn)")
        }
    }

    @Test func incompleteBlocksAreTrimmedOnlyWhenAskedFor() throws {
        let source = try bench.source("it.jpg", by: "convert photo.png it.jpg")
        let kept = try Edited(
            source, request(PictureEdit(turn: .mirrored)) { $0.turnsPixels = true })
        #expect(kept.description.method == .orientationTag)
        let trimmed = try Edited(
            source,
            request(PictureEdit(turn: .mirrored)) {
                $0.turnsPixels = true
                $0.trimsEdges = true
            })
        #expect(trimmed.description.method == .jpegCoefficients)
        #expect(trimmed.description.size.width < 61)
        #expect(!trimmed.description.losses.isEmpty)
        bench.put("mine.jpg", trimmed.bytes)
        try bench.run("jpegtran -flip horizontal -trim it.jpg > theirs.jpg")
        try bench.run("djpeg -pnm mine.jpg > mine.ppm && djpeg -pnm theirs.jpg > theirs.ppm")
        #expect(bench.bytes("mine.ppm") == bench.bytes("theirs.ppm"))
    }

    @Test(arguments: [
        "", "-progressive", "-arithmetic", "-grayscale", "-restart 2", "-sample 1x1", "-sample 4x1",
    ])
    func cropsOnTheGridAreWithoutLoss(options: String) throws {
        bench.put("photo.ppm", [])
        bench.put("photo.png", EditBench.photo.png())
        try bench.run(
            "convert photo.png photo.ppm && cjpeg -quality 85 \(options) photo.ppm > it.jpg")
        let source = bench.bytes("it.jpg")
        for turn in EditBench.turns {
            let edit = PictureEdit(turn: turn, crop: crop(18, 9, 20, 25))
            let edited = try Edited(source, request(edit) { $0.crop = .blockGrid })
            #expect(edited.description.method == .jpegCoefficients)
            let kept = try #require(edited.description.kept)
            #expect(kept.x <= 18 && kept.y <= 9 && kept.maxX >= 38 && kept.maxY >= 34)
            #expect(edited.description.size == PixelSize(width: kept.width, height: kept.height))
            let asked = try fingerprint(source, edit, ofCoefficients: true)
            #expect(try fingerprint(edited.bytes, ofCoefficients: true) == asked, "\(turn)")
            let shown = try fingerprint(edited.bytes)
            #expect(shown.size == edited.description.size)
        }
        let upright = try Edited(
            source, request(PictureEdit(crop: crop(18, 9, 20, 25))) { $0.crop = .blockGrid })
        let rect = try #require(upright.description.kept)
        bench.put("mine.jpg", upright.bytes)
        try bench.run(
            "jpegtran -crop \(rect.width)x\(rect.height)+\(rect.x)+\(rect.y) it.jpg > theirs.jpg")
        try bench.run("djpeg -pnm mine.jpg > mine.ppm && djpeg -pnm theirs.jpg > theirs.ppm")
        #expect(bench.bytes("mine.ppm") == bench.bytes("theirs.ppm"))
    }

    // MARK: New encodings

    @Test(arguments: [
        ("it.png", "convert photo.png it.png"),
        ("deep.png", "convert photo.png -depth 16 -evaluate add 77 PNG48:deep.png"),
        ("gray.png", "convert photo.png -colorspace gray gray.png"),
        ("palette.png", "convert photo.png -colors 32 PNG8:palette.png"),
        ("alpha.png", "convert photo.png -alpha set -channel a -evaluate set 40% alpha.png"),
        ("it.webp", "cwebp -quiet -lossless photo.png -o it.webp"),
        ("it.tif", "convert photo.png it.tif"),
        ("deep.tif", "convert photo.png -depth 16 -evaluate add 77 deep.tif"),
        ("it.bmp", "convert photo.png it.bmp"),
        ("it.gif", "convert photo.png it.gif"),
    ])
    func cropsWithoutLossHaveThePixelsOfTheSource(name: String, command: String) throws {
        let source = try bench.source(name, by: command, tags: !name.hasSuffix("bmp"))
        for turn in [Orientation.upright, .rotatedLeft, .transversed] {
            let edit = PictureEdit(turn: turn, crop: crop(7, 5, 21, 30))
            let edited = try Edited(source, request(edit) { $0.mayReencode = true })
            #expect(edited.description.method == .reencoded(quality: nil))
            let (shown, asked) = (try fingerprint(edited.bytes), try fingerprint(source, edit))
            #expect(shown.pixels == asked.pixels)
            #expect(shown.size == PixelSize(width: 21, height: 30))
            if shown.format == asked.format { #expect(shown.metadata == asked.metadata) }
            bench.put("mine." + edited.description.fileExtension, edited.bytes)
            try bench.run("identify mine.\(edited.description.fileExtension)")
        }
    }

    /// A profile of greys does not tell that the pixels are grey.
    @Test(arguments: [0, 2] as [UInt8])
    func coloursSurviveAProfileOfGreys(kind: UInt8) throws {
        let picture = TestPicture(size: PixelSize(width: 40, height: 30)) { _, _ in
            kind == 0 ? (128, 128, 128) : (10, 200, 30)
        }
        let source = TestPicture.png(
            picture.png(), with: [("iCCP", TestProfile.gray(gamma: 1))])
        let edit = PictureEdit(crop: crop(7, 5, 21, 20))
        let edited = try Edited(source, request(edit) { $0.mayReencode = true })
        let (shown, asked) = (try fingerprint(edited.bytes), try fingerprint(source, edit))
        #expect(shown.pixels == asked.pixels && shown.metadata == asked.metadata)
        // The colour type in the header.
        #expect(edited.bytes[25] == kind)
    }

    /// libtiff converts what our own reader does not know.
    @Test func convertedSamplesAreTold() throws {
        let pixels: [UInt8] = (0..<1152).map { UInt8(60 + $0 * 7 % 130) }
        var page = TestTIFF.Page(
            width: 24, height: 16, bits: 8, samples: 3, photometric: 6, pixels: pixels)
        page.fields = [.init(530, shorts: [1, 1])]
        let edit = PictureEdit(crop: crop(2, 3, 12, 10))
        let converted = try Edited(
            TestTIFF.encode([page]), request(edit) { $0.mayReencode = true })
        #expect(converted.description.losses.contains { $0.contains("8 bits") })
        page.photometric = 2
        let plain = try Edited(TestTIFF.encode([page]), request(edit) { $0.mayReencode = true })
        #expect(!plain.description.losses.contains { $0.contains("8 bits") })
    }

    @Test(arguments: ["", "-colorspace CMYK", "-colorspace gray", "-sampling-factor 1x1"])
    func jpegsKeepTheirKindAndMetadata(options: String) throws {
        let source = try bench.source(
            "it.jpg", EditBench.even, by: "convert photo.png -quality 93 \(options) it.jpg")
        let edit = PictureEdit(turn: .rotatedLeft, crop: crop(3, 5, 50, 60))
        let edited = try Edited(source, request(edit) { $0.mayReencode = true })
        guard case .reencoded(let quality?) = edited.description.method else {
            Issue.record("\(edited.description)")
            return
        }
        #expect((92...94).contains(quality))
        let (shown, asked) = (try fingerprint(edited.bytes), try fingerprint(source, edit))
        #expect(shown.size == asked.size)
        #expect(zip(shown.colors, asked.colors).allSatisfy { abs(Int($0) - Int($1)) <= 12 })
        #expect(shown.metadata == asked.metadata)
        bench.put("mine.jpg", edited.bytes)
        let kind = "identify -format '%[colorspace] %[jpeg:sampling-factor]'"
        #expect(try bench.run("\(kind) mine.jpg") == bench.run("\(kind) it.jpg"))
        // Pixels that were turned need no tag.
        #expect(
            try bench.run("exiftool -n -s -s -s -Orientation mine.jpg").hasPrefix("1")
                || bench.run("exiftool -n -s -s -s -IFD0:Orientation mine.jpg").isEmpty)
    }

    @Test func aStraightenedPictureIsTheOneThatImageMagickRotates() throws {
        let smooth =
            "convert -size 120x90 gradient:navy-gold -wave 6x60 -crop 120x90+0+3 +repage it.png"
        let source = try bench.source("it.png", by: smooth, tags: false)
        let edit = PictureEdit(crop: crop(30, 25, 60, 40, angle: 10))
        let edited = try Edited(source, request(edit) { $0.mayReencode = true })
        #expect(try fingerprint(edited.bytes).pixels == fingerprint(source, edit).pixels)
        bench.put("mine.png", edited.bytes)
        try bench.run(
            "convert it.png -virtual-pixel edge -filter Lanczos -distort SRT 10 "
                + "-crop 60x40+30+25 +repage theirs.png")
        let difference = try bench.run("compare -metric PAE mine.png theirs.png null: 2>&1 || true")
        let value =
            difference.split(separator: "(").last?.split(separator: ")").first
            .flatMap { Double($0) } ?? 1
        #expect(value < 0.03, "\(difference)")
    }

    /// The ends of a long picture that is straightened lie beyond the sides that it had before.
    @Test(arguments: [45.0, -45]) func theEndOfARotatedStripIsKept(angle: Double) throws {
        let strip = TestPicture(size: PixelSize(width: 400, height: 40)) { x, _ in
            (UInt8(x / 2), 90, UInt8(255 - x / 2))
        }
        let source = try bench.source("it.png", strip, by: "cp photo.png it.png", tags: false)
        // 150 pixels from the centre, along the strip.
        let y = angle > 0 ? 118.0 : -94
        let edit = PictureEdit(crop: crop(298, y, 16, 16, angle: angle))
        let edited = try Edited(source, request(edit) { $0.mayReencode = true })
        #expect(edited.description.size == PixelSize(width: 16, height: 16))
        bench.put("mine.png", edited.bytes)
        let pixels = try bench.upright("mine.png")
        let middle = (8 * 16 + 8) * 4
        #expect(abs(Int(pixels[middle]) - 175) <= 2, "\(pixels[middle])")
        #expect(abs(Int(pixels[middle + 2]) - 80) <= 2)
    }

    @Test func theQualityIsAtLeastNinety() throws {
        let source = try bench.source("it.jpg", by: "convert photo.png -quality 60 it.jpg")
        let edit = PictureEdit(crop: crop(1, 1, 30, 30))
        #expect(
            try Edited(source, request(edit) { $0.mayReencode = true }).description.method
                == .reencoded(quality: 90))
        #expect(throws: EditFailure.self) { try Edited(source, EditRequest(edit)) }
    }

    /// A shell command that writes its input in hexadecimal, without spaces.
    private static let hexadecimal = "od -An -v -tx1 | tr -d ' \\n'"

    @Test func theThumbnailInExifDataIsRemovedAndTold() throws {
        _ = try bench.source("it.jpg", EditBench.even, by: "convert photo.png it.jpg")
        try bench.run("convert photo.png -resize 40x tiny.jpg")
        try bench.run("exiftool -q -overwrite_original '-ThumbnailImage<=tiny.jpg' it.jpg")
        let source = bench.bytes("it.jpg")
        let tiny = try bench.run(
            "exiftool -b -ThumbnailImage it.jpg | tail -c 80 | " + Self.hexadecimal)
        #expect(!tiny.isEmpty)
        let edit = PictureEdit(crop: crop(16, 16, 48, 32))
        for method in [EditRequest.CropMethod.exact, .blockGrid] {
            let edited = try Edited(
                source,
                request(edit) {
                    $0.crop = method
                    $0.mayReencode = true
                })
            #expect(edited.description.losses.contains { $0.contains("thumbnail") })
            bench.put("mine.jpg", edited.bytes)
            #expect(try bench.run("exiftool -s -s -s -ThumbnailImage mine.jpg").isEmpty)
            #expect(try bench.run("exiftool -s -s -s -Artist mine.jpg") == "Ada\n")
            // Nothing of the old thumbnail is left in the file.
            let rest = try bench.run("cat mine.jpg | " + Self.hexadecimal)
            #expect(!rest.contains(tiny.suffix(120).prefix(100)))
        }
    }
}
