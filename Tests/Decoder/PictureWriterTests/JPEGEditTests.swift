import Edits
import Geometry
import ImageTypes
import ImageWire
import PictureWriter
import TestKit
import Testing

/// JPEGs: colour spaces, data after the picture, thumbnails in their metadata, and progress.
@Suite struct JPEGEditTests {
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

    // MARK: Thumbnails

    /// Whether a file has the middle of the thumbnail in any of its encodings.
    private func hasThumbnail(_ file: [UInt8], _ thumbnail: [UInt8]) -> Bool {
        let middle = Array(thumbnail[(thumbnail.count / 2)...].prefix(24))
        return file.indices.contains { file[$0...].starts(with: middle) }
    }

    @Test func photoshopsThumbnailIsRemovedAndTold() throws {
        _ = try bench.source("it.jpg", EditBench.even, by: "convert photo.png it.jpg")
        try bench.run(
            "convert photo.png -resize 40x tiny.jpg && exiftool -q -overwrite_original "
                + "'-PhotoshopThumbnail<=tiny.jpg' -IPTC:City=Bern -Photoshop:URL=http://a.b it.jpg"
        )
        let (source, tiny) = (bench.bytes("it.jpg"), bench.bytes("tiny.jpg"))
        #expect(hasThumbnail(source, tiny))
        for method in [EditRequest.CropMethod.exact, .blockGrid] {
            let edited = try Edited(source, crop(method))
            #expect(edited.description.losses.contains { $0.contains("thumbnail") })
            #expect(!hasThumbnail(edited.bytes, tiny))
            bench.put("mine.jpg", edited.bytes)
            #expect(try bench.run("exiftool -s -s -s -PhotoshopThumbnail mine.jpg").isEmpty)
            #expect(try bench.run("exiftool -s -s -s -City -URL mine.jpg") == "Bern\nhttp://a.b\n")
            #expect(
                try fingerprint(edited.bytes).metadata
                    == fingerprint(source, crop(method).edit).metadata)
        }
        // A turn keeps everything.
        #expect(hasThumbnail(try Edited(source, turn: .rotatedLeft).bytes, tiny))
    }

    /// Photoshop's data may be longer than a segment.
    @Test func aThumbnailInSeveralSegmentsIsRemoved() throws {
        let source = try bench.source("it.jpg", EditBench.even, by: "convert photo.png it.jpg")
        let name = Array("Photoshop 3.0\0".utf8)
        func resource(_ kind: Int, _ data: [UInt8]) -> [UInt8] {
            let head = Array("8BIM".utf8) + TestMetadata.number(kind, 2) + [0, 0]
            let padding = [UInt8](repeating: 0, count: data.count % 2)
            return head + TestMetadata.number(data.count, 4) + data + padding
        }
        let secret = Array("what was cut off".utf8)
        let resources =
            resource(0x0404, TestMetadata.iptc(90, Array("Bern".utf8)))
            + resource(0x0409, [UInt8](repeating: 1, count: 90_001) + secret)
            + resource(0x040B, Array("http://a.b".utf8))
        let half = 61_000
        let segments =
            TestMetadata.segment(0xED, name + Array(resources[..<half]))
            + TestMetadata.segment(0xED, name + Array(resources[half...]))
        let bytes = source.inserting(segments, at: 2)
        let edited = try Edited(bytes, crop(.blockGrid))
        #expect(!edited.bytes.indices.contains { edited.bytes[$0...].starts(with: secret) })
        #expect(edited.bytes.count < source.count + 2000)
        #expect(edited.description.losses.contains { $0.contains("thumbnail") })
        bench.put("mine.jpg", edited.bytes)
        #expect(try bench.run("exiftool -s -s -s -City -URL mine.jpg") == "Bern\nhttp://a.b\n")
    }

    @Test func theThumbnailInXMPIsRemovedAndTold() throws {
        _ = try bench.source("it.jpg", EditBench.even, by: "convert photo.png it.jpg")
        try bench.run("convert photo.png -resize 40x tiny.jpg")
        for name in ["it.jpg", "it.png", "it.webp"] {
            if name != "it.jpg" { try bench.run("convert photo.png \(name)") }
            try bench.run(
                "exiftool -q -overwrite_original '-XMP-xmp:ThumbnailImage<=tiny.jpg' "
                    + "-XMP-xmp:ThumbnailFormat=JPEG -XMP:Title=Kept -XMP-tiff:Orientation#=1 \(name)"
            )
            let source = bench.bytes(name)
            for method in [EditRequest.CropMethod.exact, .blockGrid] {
                if name != "it.jpg", method == .blockGrid { continue }
                let edited = try Edited(source, crop(method))
                #expect(edited.description.losses.contains { $0.contains("thumbnail") }, "\(name)")
                bench.put("mine-\(name)", edited.bytes)
                let tags = "exiftool -s -s -s -XMP-xmp:ThumbnailImage -XMP:Title"
                #expect(try bench.run("\(tags) mine-\(name)") == "Kept\n", "\(name)")
                #expect(
                    try fingerprint(edited.bytes).metadata
                        == fingerprint(source, crop(method).edit).metadata)
            }
        }
    }

    /// XMP data of more than a segment go on in others, which need not be in order.
    @Test func theThumbnailInExtendedXMPIsRemovedAndTold() throws {
        let source = try bench.source(
            "it.jpg", EditBench.even, by: "convert photo.png it.jpg", tags: false)
        let guid = String(repeating: "0123456789ABCDEF", count: 2)
        let secret = Array("what was cut off".utf8)
        let noise = String(repeating: "QUJD", count: 20_000)
        let thumbnail =
            "<xmp:Thumbnails><rdf:Alt><rdf:li>\(noise)what was cut off</rdf:li></rdf:Alt>"
            + "</xmp:Thumbnails>"
        let data = TestMetadata.xmp(
            "\(thumbnail)<dc:source>\(noise)</dc:source>" + TestMetadata.title("Kept"))
        func part(_ range: Range<Int>, length: Int = data.count) -> [UInt8] {
            let head =
                Array(("http://ns.adobe.com/xmp/extension/\0" + guid).utf8)
                + TestMetadata.number(length, 4) + TestMetadata.number(range.lowerBound, 4)
            return TestMetadata.segment(0xE1, head + Array(data[range]))
        }
        let main = TestMetadata.segment(
            0xE1,
            Array("http://ns.adobe.com/xap/1.0/\0".utf8)
                + TestMetadata.xmp(
                    attributes: "xmlns:xmpNote=\"http://ns.adobe.com/xmp/note/\" "
                        + "xmpNote:HasExtendedXMP=\"\(guid)\"", ""))
        let step = 60_000
        let last = part((2 * step)..<data.count)
        let bytes = source.inserting(
            main + part(step..<(2 * step)) + part(0..<step) + last, at: 2)
        bench.put("it.jpg", bytes)
        let title = "exiftool -s -s -s -ee -XMP:Title"
        #expect(try bench.run("\(title) it.jpg") == "Kept\n")
        for method in [EditRequest.CropMethod.exact, .blockGrid] {
            let edited = try Edited(bytes, crop(method))
            #expect(edited.description.losses.contains { $0.contains("thumbnail") })
            #expect(!edited.bytes.indices.contains { edited.bytes[$0...].starts(with: secret) })
            bench.put("mine.jpg", edited.bytes)
            #expect(try bench.run("\(title) -XMP:Source mine.jpg") == "Kept\n\(noise)\n")
            #expect(
                try fingerprint(edited.bytes).metadata
                    == fingerprint(bytes, crop(method).edit).metadata)
        }
        // A turn keeps everything.
        let turned = try Edited(bytes, turn: .rotatedLeft).bytes
        #expect(turned.indices.contains { turned[$0...].starts(with: secret) })
        // Without its last segment, the data could have a part of a thumbnail.
        let cut = source.inserting(main + part(0..<step) + part(step..<(2 * step)), at: 2)
        let edited = try Edited(cut, crop(.blockGrid))
        #expect(edited.description.losses.contains { $0.contains("incomplete") })
        #expect(edited.bytes.count < step)
    }

    /// An uncompressed thumbnail is in strips, like the picture of a TIFF file.
    @Test func theStripsOfAThumbnailAreErased() throws {
        let source = try bench.source(
            "it.jpg", EditBench.even, by: "convert photo.png it.jpg", tags: false)
        let model = Array("Model\0".utf8)
        let strip = (0..<300).map { UInt8($0 % 251) }
        // A directory of two entries, a second one of three, the model, and two strips.
        let second = TestMetadata.behind(2)
        let values = second + 2 + 36 + 4
        let strips = values + 8 + 16
        func directory(_ entries: [[UInt8]], next: Int) -> [UInt8] {
            TestMetadata.number(entries.count, 2) + entries.flatMap(\.self)
                + TestMetadata.number(next, 4)
        }
        let main = directory(
            [
                TestMetadata.entry(0x0110, type: 2, count: 6, TestMetadata.number(values, 4)),
                TestMetadata.entry(0x0112, type: 3, count: 1, [0, 1]),
            ], next: second)
        let small = directory(
            [
                TestMetadata.entry(0x0103, type: 3, count: 1, [0, 1]),
                TestMetadata.entry(0x0111, type: 4, count: 2, TestMetadata.number(values + 8, 4)),
                TestMetadata.entry(0x0117, type: 3, count: 2, [0, 200, 0, 100]),
            ], next: 0)
        let parts: [[UInt8]] = [
            Array("MM\0*".utf8), TestMetadata.number(8, 4), main, small, model, [0, 0],
            TestMetadata.number(strips, 4), TestMetadata.number(strips + 200, 4),
            [UInt8](repeating: 0, count: 8), strip,
        ]
        let tiff = parts.flatMap(\.self)
        let segment = TestMetadata.segment(0xE1, Array("Exif\0\0".utf8) + tiff)
        let bytes = source.inserting(segment, at: 2)
        let edited = try Edited(bytes, crop(.blockGrid))
        #expect(edited.description.losses.contains { $0.contains("thumbnail") })
        for part in [strip[20..<60], strip[220..<260]] {
            #expect(bytes.indices.contains { bytes[$0...].starts(with: part) })
            #expect(!edited.bytes.indices.contains { edited.bytes[$0...].starts(with: part) })
        }
        bench.put("mine.jpg", edited.bytes)
        #expect(try bench.run("exiftool -s -s -s -Model mine.jpg") == "Model\n")
    }

    // MARK: Progress

    @Test(arguments: ["", "-progressive"]) func movedCoefficientsReportProgress(
        options: String
    ) throws {
        bench.put("photo.png", TestPicture.photograph(640, 640).png())
        try bench.run("convert photo.png photo.ppm && cjpeg \(options) photo.ppm > it.jpg")
        let source = bench.bytes("it.jpg")
        var request = crop(.blockGrid, width: 600)
        request.edit.crop?.rect.height = 600
        // There are 40 rows of MCUs.
        #expect(try Edited.progress(source, request) >= 40)
        var count = 0
        var asked = FingerprintRequest(request.edit)
        asked.ofCoefficients = true
        _ = try source.withUnsafeBytes {
            try PictureFingerprinting.fingerprint(of: $0, asked) { count += 1 }
        }
        #expect(count >= 40)
    }

    /// The scans of a progressive JPEG are written after the last row was given to the encoder.
    @Test func encodingReportsProgress() throws {
        bench.put("photo.png", TestPicture.photograph(640, 640).png())
        try bench.run("convert photo.png photo.ppm && cjpeg -progressive photo.ppm > it.jpg")
        var request = crop(.exact, width: 600)
        request.edit.crop?.rect.height = 600
        // 40 times while rows are decoded and 10 times while they are given to the encoder.
        #expect(try Edited.progress(bench.bytes("it.jpg"), request) > 60)
    }
}
