import SeededRandom
import Edits
import Geometry
import ImageTypes
import ImageWire
import PictureWriter
import TestKit
import Testing

/// Truncated, mutated and lying files: a file is written or an error is thrown, and nothing traps.
@Suite struct EditBadInputTests {
    private let bench = EditBench()

    private static let sources = [
        ("it.jpg", "convert photo.png it.jpg"), ("it.png", "convert photo.png it.png"),
        ("it.tif", "convert photo.png it.tif"),
        ("it.webp", "cwebp -quiet photo.png -o it.webp"),
        ("it.heic", "heif-enc -q 50 photo.png -o it.heic"),
        ("it.jxl", "cjxl photo.png it.jxl -d 1 -e 3 --container=1"),
    ]

    /// Edits of each kind; the number of those that gave a file.
    private func edit(_ bytes: [UInt8]) -> Int {
        let crop = PictureEdit.Crop(rect: Rect(x: 9, y: 3, width: 22, height: 17))
        var requests = [EditRequest(PictureEdit(turn: .rotatedLeft))]
        var pixels = EditRequest(PictureEdit(turn: .mirrored))
        (pixels.turnsPixels, pixels.trimsEdges) = (true, true)
        requests.append(pixels)
        var grid = EditRequest(PictureEdit(crop: crop))
        grid.crop = .blockGrid
        requests.append(grid)
        return requests.reduce(0) { count, request in
            guard let edited = try? Edited(bytes, request) else { return count }
            _ = try? fingerprint(edited.bytes)
            return count + 1
        }
    }

    @Test(arguments: sources) func truncatedFilesAreHandled(name: String, command: String) throws {
        let source = try bench.source(name, by: command, tags: !name.hasSuffix("jxl"))
        #expect(edit(source) > 0)
        var written = 0
        for length in stride(from: 1, to: source.count, by: max(1, source.count / 150)) {
            written += edit(Array(source[..<length]))
        }
        // The header alone is not a picture.
        #expect(edit(Array(source[..<12])) == 0)
        #expect(written < 600)
    }

    @Test(arguments: sources) func mutatedFilesAreHandled(name: String, command: String) throws {
        let source = try bench.source(name, by: command, tags: !name.hasSuffix("jxl"))
        var random = SeededGenerator(seed: 9)
        var written = 0
        for _ in 0..<80 {
            var bytes = source
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // The headers are at the start, and for TIFF at the end.
                let most =
                    name.hasSuffix("tif") || Bool.random(using: &random)
                    ? bytes.count : min(bytes.count, 1200)
                let place = Int.random(in: 0..<most, using: &random)
                bytes[place] =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            written += edit(bytes)
        }
        #expect(written > 0)
    }

    @Test func exifDataThatLieAboutTheirSizeGetATag() throws {
        let source = try bench.source("it.jpg", by: "convert photo.png it.jpg", tags: false)
        for count in [1, 2, 0xFFFF] {
            // A directory that claims more entries than there are bytes, and one at a wrong place.
            for start in [8, 9, 200, 0x7FFF_FFFF] {
                let tiff: [UInt8] =
                    [0x4D, 0x4D, 0, 42] + TestMetadata.number(start, 4)
                    + TestMetadata.number(count, 2) + [UInt8](repeating: 7, count: 20)
                let segment = TestMetadata.segment(0xE1, Array("Exif\0\0".utf8) + tiff)
                let bytes = source.inserting(segment, at: 2)
                let edited = try Edited(bytes, turn: .rotatedLeft)
                #expect(
                    try fingerprint(edited.bytes).pixels
                        == fingerprint(source, PictureEdit(turn: .rotatedLeft)).pixels)
            }
        }
    }

    @Test func exifDataWithoutRoomAreRefused() throws {
        let source = try bench.source("it.jpg", by: "convert photo.png it.jpg", tags: false)
        let behind = TestMetadata.behind(1)
        let length = 65_533 - 6 - behind
        let tiff = TestMetadata.tiff(
            [
                TestMetadata.entry(
                    0x010E, type: 2, count: length, TestMetadata.number(behind, 4))
            ], behind: [UInt8](repeating: 65, count: length))
        let segment = TestMetadata.segment(0xE1, Array("Exif\0\0".utf8) + tiff)
        let bytes = source.inserting(segment, at: 2)
        #expect(
            throws: EditFailure.refused("the EXIF data has no room for the orientation")
        ) { try Edited(bytes, turn: .mirrored) }
    }

    @Test func twelveBitAndForeignFilesAreToldApart() throws {
        for bytes in [[], [0xFF], Array("text".utf8), [UInt8](repeating: 0xFF, count: 4000)] {
            #expect(throws: EditFailure.self) { try Edited(bytes, turn: .mirrored) }
            #expect(throws: EditFailure.self) { try fingerprint(bytes) }
        }
        let source = try bench.source("it.png", by: "convert photo.png it.png")
        var outside = EditRequest(
            PictureEdit(crop: .init(rect: Rect(x: 5000, y: 0, width: 10, height: 10))))
        outside.mayReencode = true
        #expect(throws: EditFailure.refused("nothing of the picture is left")) {
            try Edited(source, outside)
        }
        #expect(throws: EditFailure.refused("nothing of the picture is changed")) {
            try Edited(source, EditRequest(PictureEdit()))
        }
    }
}
