import Edits
import Geometry
import ImageTypes
import ImageWire
import TestKit
import Testing

@testable import PictureWriter

/// Metadata in packed forms, and behind the pixels: what an edit makes of them.
@Suite struct PackedMetadataTests {
    private let bench = EditBench()
    private static let picture = TestPicture.card(32, 24)

    private static let crop: EditRequest = {
        var request = EditRequest(
            PictureEdit(crop: .init(rect: Rect(x: 2, y: 3, width: 20, height: 16))))
        request.mayReencode = true
        return request
    }()

    private func has(_ text: String, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { $0.firstIndex(of: Array(text.utf8), from: 0) != nil }
    }

    // MARK: PNG

    private func profile(_ form: String, _ kind: String, _ data: [UInt8]) -> [UInt8] {
        TestMetadata.text(form, "Raw profile type \(kind)", TestMetadata.rawProfile(kind, data))
    }

    /// EXIF, XMP and IPTC data in each form are in a crop and in a turned file, once.
    @Test(arguments: ["tEXt", "zTXt", "iTXt", "ziTXt"], [false, true])
    func rawProfilesAreKept(form: String, isLate: Bool) throws {
        let records = TestMetadata.photoshop(TestMetadata.iptc(90, Array("Bern".utf8)))
            .dropFirst("Photoshop 3.0\0".utf8.count)
        let chunks =
            profile(form, "exif", Array("Exif\0\0".utf8) + TestMetadata.camera("Example"))
            + profile(form, "xmp", TestMetadata.xmp(TestMetadata.title("A boat")))
            + profile(form, "iptc", Array(records))
        let source = TestMetadata.png(Self.picture.png(), chunks, isLate: isLate)
        let results = [try Edited(source, Self.crop), try Edited(source, turn: .rotatedLeft)]
        for edited in results {
            #expect(edited.description.losses.isEmpty)
            bench.put("mine.png", edited.bytes)
            #expect(
                try bench.run("exiftool -s -s -s -a -Model -Title -City mine.png")
                    == "Example\nA boat\nBern\n")
        }
        let asked = try fingerprint(source, Self.crop.edit)
        #expect(try fingerprint(results[0].bytes).metadata == asked.metadata)
        // Each turn counts from the one before.
        try bench.expectTurnsCancelOut(source, sequences: 3)
    }

    /// The orientation in data that were skipped is that of the picture.
    @Test(arguments: ["eXIf", "zTXt"]) func lateOrientationsCount(form: String) throws {
        let tiff = TestMetadata.tiff([TestMetadata.entry(0x0112, type: 3, count: 1, [0, 6])])
        let chunk = form == "eXIf" ? TestAnimation.chunk(form, tiff) : profile(form, "exif", tiff)
        let source = TestMetadata.png(Self.picture.png(), chunk, isLate: true)
        #expect(try fingerprint(source).size == PixelSize(width: 24, height: 32))
        let turned = try Edited(source, turn: .rotatedRight)
        #expect(turned.description.size == PixelSize(width: 32, height: 24))
        #expect(try fingerprint(turned.bytes).pixels == fingerprint(Self.picture.png()).pixels)
    }

    @Test func damagedProfilesAreTold() throws {
        let tiff = TestMetadata.camera("Example")
        let good = TestMetadata.rawProfile("exif", tiff)
        let keyword = "Raw profile type exif"
        let stream = TestPicture.packed(good)
        let damaged = [
            TestMetadata.text("tEXt", keyword, Array(good.prefix(good.count / 2))),
            TestMetadata.text("tEXt", keyword, Array("\nexif\n99999999\n4d4d".utf8)),
            TestMetadata.text("tEXt", keyword, Array("\nexif\n2\n4d4g".utf8)),
            TestMetadata.text("tEXt", keyword, Array("\nexif\n-2\n4d4d".utf8)),
            TestMetadata.text("tEXt", keyword, []),
            TestAnimation.chunk(
                "zTXt", Array(keyword.utf8) + [0, 0] + stream.prefix(stream.count / 2)),
            TestAnimation.chunk("eXIf", Array("nothing".utf8)),
        ]
        for chunk in damaged {
            let source = TestMetadata.png(Self.picture.png(), chunk, isLate: false)
            let edited = try Edited(source, Self.crop)
            #expect(edited.description.losses.map { $0.contains("cannot be read") } == [true])
            #expect(!has(keyword, edited.bytes) && !has("eXIf", edited.bytes))
        }
    }

    /// Of many profiles the first ones are unpacked.
    @Test func manyProfilesAreLimited() throws {
        let one = profile("tEXt", "iptc", TestMetadata.iptc(90, Array("Bern".utf8)))
        let chunks = [[UInt8]](repeating: one, count: 40).flatMap(\.self)
        let source = TestMetadata.png(Self.picture.png(), chunks, isLate: false)
        let edited = try Edited(source, Self.crop)
        #expect(edited.bytes.count < chunks.count)
        #expect(!edited.description.losses.isEmpty)
    }

    // MARK: JPEG XL

    private func jxl(_ boxes: [UInt8]) throws -> [UInt8] {
        try bench.source(
            "it.jxl", by: "cjxl --quiet photo.png it.jxl -d 0 -e 3 --container=1", tags: false)
            + boxes
    }

    @Test func packedBoxesAreKept() throws {
        let exif = TestMetadata.number(0, 4) + TestMetadata.camera("Example")
        let xmp = TestMetadata.xmp(TestMetadata.title("A boat"))
        let source = try jxl(TestMetadata.brob("Exif", exif) + TestMetadata.brob("xml ", xmp))
        let cropped = try Edited(source, Self.crop)
        #expect(cropped.description.losses.isEmpty)
        bench.put("mine.png", cropped.bytes)
        #expect(try bench.run("exiftool -s -s -s -Model -Title mine.png") == "Example\nA boat\n")
        // A turn keeps the boxes as they are.
        let turned = try Edited(source, turn: .rotatedLeft)
        #expect(turned.description.method == .orientationTag)
        #expect(has("Example", turned.bytes) && has("A boat", turned.bytes))
        #expect(
            try fingerprint(turned.bytes).metadata
                == fingerprint(source, PictureEdit(turn: .rotatedLeft)).metadata)
    }

    @Test func damagedBoxesAreTold() throws {
        let exif = TestMetadata.number(0, 4) + TestMetadata.camera("Example")
        let body = TestMetadata.brob("Exif", exif).dropFirst(8)
        for damaged in [body.prefix(4), body.prefix(20), body.dropLast() + [0x55]] {
            let source = try jxl(TestMetadata.box("brob", Array(damaged)))
            let edited = try Edited(source, Self.crop)
            #expect(edited.description.losses.map { $0.contains("cannot be read") } == [true])
            #expect(!has("eXIf", edited.bytes))
        }
    }

    // MARK: Formats whose metadata are not read

    @Test func unreadFormsAreTold() throws {
        func isTold(_ source: [UInt8]) throws -> Bool {
            try Edited(source, Self.crop).description.losses.contains {
                $0.contains("cannot be read")
            }
        }
        let tiff = try bench.source("it.tif", by: "convert photo.png it.tif", tags: false)
        let big = try bench.source("it.tif", by: "convert photo.png TIFF64:it.tif", tags: false)
        #expect(try !isTold(tiff) && isTold(big))
        let jp2 = try bench.source(
            "it.jp2", by: "convert photo.png photo.ppm && opj_compress -i photo.ppm -o it.jp2",
            tags: false)
        let box = TestMetadata.box("uuid", [UInt8](repeating: 9, count: 20))
        #expect(try !isTold(jp2) && isTold(jp2 + box))
    }
}
