import Edits
import Geometry
import ImageTypes
import ImageWire
import PictureWriter
import TestKit
import Testing

/// Turns by the orientation tag, compared with ImageMagick and exiftool.
@Suite struct OrientationTagTests {
    private let bench = EditBench()

    struct Format: CustomStringConvertible, Sendable {
        var name: String
        var command: String
        var description: String { name }

        static let all = [
            Format(name: "it.jpg", command: "convert photo.png -quality 90 it.jpg"),
            Format(name: "it.png", command: "convert photo.png it.png"),
            Format(name: "it.tif", command: "convert photo.png -compress lzw it.tif"),
            Format(name: "it.webp", command: "cwebp -quiet -lossless photo.png -o it.webp"),
            Format(name: "lossy.webp", command: "cwebp -quiet photo.png -o lossy.webp"),
        ]
    }

    @Test(arguments: Format.all, [Orientation.upright, .rotatedLeft, .transversed])
    func everyTurnKeepsPixelsAndMetadata(_ format: Format, _ stand: Orientation) throws {
        _ = try bench.source(format.name, by: format.command)
        try bench.run(
            "exiftool -q -overwrite_original -n -IFD0:Orientation=\(stand.rawValue) "
                + "-XMP-tiff:Orientation=\(stand.rawValue) \(format.name)")
        let source = bench.bytes(format.name)
        let metadata = try bench.metadata(format.name)
        let base = try fingerprint(source)
        let turns = EditBench.turns.filter { $0 != .upright }
        for turn in turns {
            let edited = try Edited(source, turn: turn)
            #expect(edited.description.method == .orientationTag)
            #expect(edited.description.losses.isEmpty)
            let shown = try fingerprint(edited.bytes)
            let wanted = try fingerprint(source, PictureEdit(turn: turn))
            #expect(shown == wanted, "\(turn)")
            #expect(shown.size == edited.description.size)
            #expect(shown.pixels != base.pixels)
            let name = Self.name(of: format, turned: turn)
            bench.put(name, edited.bytes)
            // ImageMagick ignores the EXIF chunk of a WebP.
            guard format.name.hasSuffix("jpg") || format.name.hasSuffix("tif") else { continue }
            #expect(
                try bench.upright(name) == bench.upright(format.name, turned: turn), "\(turn)")
        }
        let tags = try bench.tags(of: turns.map { Self.name(of: format, turned: $0) })
        #expect(tags.count == turns.count)
        for (turn, lines) in zip(turns, tags) {
            // The tag and its copy in XMP are the only differences.
            #expect(EditBench.kept(lines) == metadata, "\(turn)")
            let orientations = lines.filter { $0.contains(" Orientation ") }
                .compactMap { $0.split(separator: " ").last.map(String.init) }
            #expect(
                Set(orientations) == ["\(stand.followed(by: turn).rawValue)"], "\(turn) \(lines)")
        }
    }

    private static func name(of format: Format, turned turn: Orientation) -> String {
        "turned-\(turn.rawValue)-\(format.name)"
    }

    @Test(arguments: Format.all) func filesWithoutMetadataGetATag(_ format: Format) throws {
        let source = try bench.source(format.name, by: format.command, tags: false)
        for turn in EditBench.turns where turn != .upright {
            let edited = try Edited(source, turn: turn)
            #expect(
                try fingerprint(edited.bytes).pixels
                    == fingerprint(source, PictureEdit(turn: turn)).pixels)
            bench.put("turned-" + format.name, edited.bytes)
            let tag = try bench.run("exiftool -n -s -s -s -Orientation turned-\(format.name)")
            #expect(tag == "\(turn.rawValue)\n")
        }
    }

    @Test(arguments: Format.all) func turnsThatCancelOutGiveTheFirstPixels(
        _ format: Format
    ) throws {
        let source = try bench.source(format.name, by: format.command)
        try bench.expectTurnsCancelOut(source, sequences: 200)
    }

    @Test(arguments: Format.all) func turnsThatCancelOutGiveTheFirstBytesOfATaggedFile(
        _ format: Format
    ) throws {
        _ = try bench.source(format.name, by: format.command)
        try bench.run(
            "exiftool -q -overwrite_original -n -IFD0:Orientation=1 -XMP-tiff:Orientation=1 "
                + format.name)
        // The first edit may move a chunk to the place where every reader finds it.
        let source = try Edited(
            try Edited(bench.bytes(format.name), turn: .mirrored).bytes, turn: .mirrored
        ).bytes
        for turn in EditBench.turns where turn != .upright {
            let there = try Edited(source, turn: turn).bytes
            #expect(there != source)
            #expect(try Edited(there, turn: turn.inverse).bytes == source, "\(turn)")
        }
    }

    @Test func formatsWithoutATagAreRefused() throws {
        for name in ["it.gif", "it.bmp", "it.ppm"] {
            let source = try bench.source(name, by: "convert photo.png \(name)", tags: false)
            #expect(throws: EditFailure.self) { try Edited(source, turn: .mirrored) }
            // As a copy, if that is allowed.
            var request = EditRequest(PictureEdit(turn: .mirrored))
            request.mayReencode = true
            let edited = try Edited(source, request)
            #expect(edited.description.method == .reencoded(quality: nil))
            #expect(edited.description.fileExtension == "png")
            #expect(
                try fingerprint(edited.bytes).pixels
                    == fingerprint(source, PictureEdit(turn: .mirrored)).pixels)
        }
    }
}
