import Edits
import Geometry
import ImageWire
import TestKit
import Testing

@testable import PictureWriter

/// Segments, chunks and tags about the old pixels, or about parts of the file that a new one has not.
@Suite struct StalePartTests {
    private let bench = EditBench()
    private static let picture = TestPicture.card(32, 24)

    private func crop(_ method: EditRequest.CropMethod = .exact) -> EditRequest {
        var request = EditRequest(
            PictureEdit(crop: .init(rect: Rect(x: 0, y: 0, width: 16, height: 16))))
        request.crop = method
        request.mayReencode = method == .exact
        return request
    }

    private func has(_ text: String, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { $0.firstIndex(of: Array(text.utf8), from: 0) != nil }
    }

    // MARK: JPEG

    /// The number of APPn, the start of the data, and a part of what a person is told: nil for a segment
    /// that stays, an empty text for one that goes in silence.
    @Test(
        arguments: [
            (UInt8(2), "MPF\0MM\0*", "further pictures"),
            (2, "urn:iso:std:iso:ts:21496:-1\0", ""), (3, "_JPSJPS_", "old pixels"),
            (8, "SPIFF\0", ""),
            (11, "JP\0\u{1}", "old pixels"), (2, "FPXR\0", nil), (5, "Mine\0", nil),
            (8, "Mine\0", nil),
            (3, "Mine\0", nil),
        ] as [(UInt8, String, String?)])
    func segmentsAboutTheOldPixelsGo(number: UInt8, start: String, told: String?) throws {
        let source = TestMetadata.jpeg([(0xE0 + number, Array((start + "what it says").utf8))])
        for method in [EditRequest.CropMethod.exact, .blockGrid] {
            let edited = try Edited(source, crop(method))
            #expect(has("what it says", edited.bytes) == (told == nil))
            let losses = edited.description.losses
            #expect(losses.count == ((told ?? "").isEmpty ? 0 : 1), "\(losses)")
            #expect(losses.allSatisfy { $0.contains(told ?? "") }, "\(losses)")
        }
        #expect(has("what it says", try Edited(source, turn: .mirrored).bytes))
    }

    /// A turn by the tag inserts EXIF data before or behind the index of the pictures.
    @Test(arguments: [2, 20]) func theIndexOfPicturesFollowsATurn(place: Int) throws {
        let first = Self.picture.jpeg()
        // Behind the start marker, or behind the JFIF segment.
        try #require(Array(first[2..<4]) == [0xFF, 0xE0] && first[4] == 0 && first[5] == 16)
        let second = TestPicture.card(48, 40).jpeg()
        let length = TestMetadata.multiPicture(0, at: 0).count
        // The header of the index follows marker, length and name.
        let offset = first.count + length - (place + 8)
        let index = TestMetadata.multiPicture(second.count, at: offset, kind: 0x02_0002)
        let source = first.inserting(index, at: place) + second
        for turn in [Orientation.rotatedLeft, .mirrored] {
            bench.put("it.jpg", source)
            bench.put("mine.jpg", try Edited(source, turn: turn).bytes)
            for name in ["it.jpg", "mine.jpg"] {
                try bench.run("exiftool -b -MPImage2 \(name) > second.jpg")
                #expect(bench.bytes("second.jpg") == second, "\(name)")
            }
        }
    }

    @Test(arguments: [(0x01_0002, false), (0x02_0001, true), (0x02_0003, true), (0x03_0000, false)])
    func otherViewsAreFurtherPictures(kind: Int, isView: Bool) throws {
        let (first, second) = (Self.picture.jpeg(), TestPicture.card(48, 40).jpeg())
        let index = TestMetadata.multiPicture(second.count, at: first.count, kind: kind)
        let source = first.inserting(index, at: 2) + second
        for method in [EditRequest.CropMethod.exact, .blockGrid] {
            let description = try Edited(source, crop(method)).description
            #expect(description.omitsPictures == isView)
            #expect(description.losses.contains { $0.contains("further pictures") })
        }
    }

    // MARK: EXIF

    @Test func placesOfTheSubjectGo() throws {
        let source = try bench.source(
            "it.jpg", EditBench.even,
            by: "convert photo.png it.jpg && exiftool -q -overwrite_original "
                + "'-SubjectArea=20 20 9' '-SubjectLocation=20 20' -FNumber=4 "
                + "-DateTimeOriginal='2003:05:06 07:08:09' it.jpg")
        for method in [EditRequest.CropMethod.exact, .blockGrid] {
            bench.put("mine.jpg", try Edited(source, crop(method)).bytes)
            #expect(
                try bench.run("exiftool -s -s -s -SubjectArea -SubjectLocation mine.jpg").isEmpty)
            let kept = try bench.run("exiftool -s -s -s -FNumber -DateTimeOriginal -ISO mine.jpg")
            #expect(kept == "4.0\n2003:05:06 07:08:09\n200\n")
            #expect(
                try bench.run("exiftool -validate -warning -a mine.jpg | grep -i corrupt || true")
                    .isEmpty)
        }
    }

    // MARK: PNG

    /// Unknown chunks are copied if the fourth letter says that they are safe to copy.
    @Test(arguments: [
        ("iDOT", 28, false, false), ("tIME", 7, false, false), ("caBX", 12, false, true),
        ("prIV", 12, false, true), ("gmAP", 0, false, true), ("prIv", 12, true, false),
        ("vpAg", 9, true, false), ("pHYs", 9, true, false),
    ])
    func unknownChunksAreCopiedIfTheyMay(
        name: String, length: Int, isKept: Bool, isTold: Bool
    ) throws {
        let chunk = TestAnimation.chunk(name, [UInt8](repeating: 1, count: length))
        let source = TestMetadata.png(Self.picture.png(), chunk, isLate: false)
        let edited = try Edited(source, crop())
        #expect(has(name, edited.bytes) == isKept)
        let told = edited.description.losses.map { $0.contains("old pixels") }
        #expect(told == (isTold ? [true] : []))
        #expect(has(name, try Edited(source, turn: .mirrored).bytes))
    }

    /// An iDOT chunk counts from itself to the pixels: a turn that changes the distance removes it.
    @Test func anIndexOfPixelsStaysWhereItIsTrue() throws {
        func distance(_ file: [UInt8]) -> Int? {
            file.withUnsafeBytes { bytes in
                guard let index = bytes.firstIndex(of: Array("iDOT".utf8), from: 0) else {
                    return nil
                }
                return bytes.firstIndex(of: Array("IDAT".utf8), from: 0).map { $0 - index }
            }
        }
        let index = TestAnimation.chunk("iDOT", [UInt8](repeating: 0, count: 28))
        let exif = TestAnimation.chunk("eXIf", TestMetadata.camera("Example"))
        for (added, isKept) in [(index, true), (exif + index, true), (index + exif, false)] {
            let source = TestMetadata.png(Self.picture.png(), added, isLate: false)
            let turned = try Edited(source, turn: .rotatedRight).bytes
            #expect(distance(turned) == (isKept ? distance(source) : nil))
            #expect(has("Example", turned) == (added.count > index.count))
        }
    }

    // MARK: Other formats

    @Test func aManifestInAWebPIsTold() throws {
        let source = try bench.source("it.webp", by: "cwebp -quiet -lossless photo.png -o it.webp")
        func chunk(_ name: String) -> [UInt8] {
            Array(name.utf8) + TestMetadata.number(4, 4).reversed() + [1, 2, 3, 4]
        }
        func file(_ added: [UInt8], behind: [UInt8] = []) -> [UInt8] {
            var file = source + added
            file.replaceSubrange(4..<8, with: TestMetadata.number(file.count - 8, 4).reversed())
            return file + behind
        }
        func losses(_ file: [UInt8]) throws -> [String] {
            try Edited(file, crop()).description.losses
        }
        #expect(try losses(file([])).isEmpty)
        #expect(try losses(file(chunk("C2PA"))).map { $0.contains("old pixels") } == [true])
        #expect(
            try losses(file([], behind: Array("video".utf8))).map { $0.contains("data after") }
                == [true])
    }
}
