import Edits
import Geometry
import ImageTypes
import ImageWire
import PictureWriter
import TestKit
import Testing

/// WebP files: transparent pictures, and data that no chunk of a picture has.
@Suite struct WebPEditTests {
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

    // MARK: Chunks

    private func length(_ bytes: [UInt8]) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << ($1 * 8) }
    }

    private func withLength(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(4..<8, with: TestMetadata.number(length, 4).reversed())
        return bytes
    }

    @Test(arguments: [true, false]) func dataAfterTheFileStay(isTagged: Bool) throws {
        let source = try bench.source(
            "it.webp", by: "cwebp -quiet photo.png -o it.webp", tags: isTagged)
        for rest in [Array("behind the file".utf8), TestMetadata.webP([("ABCD", [1, 2, 3])])] {
            let edited = try Edited(source + rest, turn: .rotatedLeft)
            #expect(Array(edited.bytes.suffix(rest.count)) == rest)
            #expect(
                try Array(edited.bytes.dropLast(rest.count))
                    == Edited(source, turn: .rotatedLeft).bytes)
        }
    }

    @Test func chunksThatDoNotFillTheFileAreRefused() throws {
        let source = try bench.source("it.webp", by: "cwebp -quiet photo.png -o it.webp")
        let open = Array("ABCD".utf8) + [100, 0, 0, 0] + [UInt8](repeating: 7, count: 10)
        for bytes in [
            // An incomplete chunk, no chunk at all, and a chunk that reaches beyond the file.
            withLength(source + open, length(source) + open.count),
            withLength(source + [1, 2, 3, 4], length(source) + 4),
            withLength(source, length(source) - 20),
        ] {
            #expect(throws: EditFailure.self) { try Edited(bytes, turn: .rotatedLeft) }
        }
    }

    /// The length of some files leaves out the padding of the last chunk.
    @Test func theLastChunkMayLackItsPadding() throws {
        let exif: [UInt8] = TestMetadata.camera("Odd model") + [0]
        #expect(!exif.count.isMultiple(of: 2))
        let plain = try bench.source(
            "it.webp", by: "cwebp -quiet photo.png -o it.webp", tags: false)
        let flags: [UInt8] = [8, 0, 0, 0, 60, 0, 0, 42, 0, 0]
        let header = Array("VP8X".utf8) + [10, 0, 0, 0] + flags
        let chunk = Array("EXIF".utf8) + TestMetadata.number(exif.count, 4).reversed() + exif
        let body = plain.inserting(header, at: 12) + chunk
        let whole = withLength(body, body.count - 8)
        for bytes in [whole, whole + [0], withLength(whole + [0], whole.count - 7)] {
            let edited = try Edited(bytes, turn: .rotatedLeft)
            #expect(
                try fingerprint(edited.bytes).pixels
                    == fingerprint(bytes, PictureEdit(turn: .rotatedLeft)).pixels)
            bench.put("mine.webp", edited.bytes)
            #expect(try bench.run("exiftool -s -s -s -Model mine.webp") == "Odd model\n")
            try bench.run("webpmux -info mine.webp")
        }
    }

    // MARK: Progress

    @Test(arguments: ["", "-lossless"]) func encodingReportsProgress(option: String) throws {
        let source = try bench.source(
            "it.webp", by: "cwebp -quiet \(option) photo.png -o it.webp", tags: false)
        var request = reencoding(PictureEdit(crop: Self.crop))
        request.edit.crop?.rect.width = 20
        let progress = try Edited.progress(source, request)
        // Three times while 43 rows are decoded, and once while 30 rows are given to the encoder.
        #expect(progress > 4 + 3)
    }
}
