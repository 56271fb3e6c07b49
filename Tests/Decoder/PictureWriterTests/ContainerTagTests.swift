import Edits
import Geometry
import ImageTypes
import ImageWire
import PictureWriter
import TestKit
import Testing

/// Turns of HEIC, AVIF and JPEG XL pictures, compared with the programs of their libraries.
@Suite struct ContainerTagTests {
    private let bench = EditBench()

    struct Format: CustomStringConvertible, Sendable {
        var name: String
        var command: String
        /// Decodes `$1` to `$2`.
        var decoder: String
        var hasMetadata = true
        var description: String { command }

        /// The pixels are upright, whatever copies of the orientation say.
        private static let heif =
            "heif-convert $1 $2 && convert $2 -orient undefined +profile '*' $2"

        static let all = [
            Format(
                name: "it.heic", command: "heif-enc -q 60 photo.png -o it.heic",
                decoder: heif),
            Format(
                name: "alpha.heic",
                command: "convert photo.png -alpha set -channel a -evaluate set 40% a.png && "
                    + "heif-enc -q 60 a.png -o alpha.heic",
                decoder: heif),
            Format(
                name: "thumb.heic", command: "heif-enc -t 32 -q 60 photo.png -o thumb.heic",
                decoder: heif),
            Format(
                name: "it.avif", command: "avifenc -s 9 photo.png it.avif",
                decoder: heif),
            Format(
                name: "alpha.avif",
                command: "convert photo.png -alpha set -channel a -evaluate set 40% a.png && "
                    + "avifenc -s 9 a.png alpha.avif", decoder: heif),
            Format(
                name: "it.jxl", command: "cjxl photo.png it.jxl -d 0 -e 3", decoder: "djxl $1 $2",
                hasMetadata: false),
            Format(
                name: "lossy.jxl", command: "cjxl photo.png lossy.jxl -d 1 -e 3",
                decoder: "djxl $1 $2", hasMetadata: false),
            Format(
                name: "box.jxl", command: "cjxl photo.png box.jxl -d 1 -e 3 --container=1",
                decoder: "djxl $1 $2", hasMetadata: false),
            Format(
                name: "alpha.jxl",
                command: "convert photo.png -alpha set -channel a -evaluate set 40% a.png && "
                    + "cjxl a.png alpha.jxl -d 0 -e 3", decoder: "djxl $1 $2", hasMetadata: false),
            Format(
                name: "again.jxl",
                command: "convert photo.png -quality 90 p.jpg && cjxl p.jpg again.jxl",
                decoder: "djxl $1 $2", hasMetadata: false),
        ]
    }

    private func decode(_ format: Format, _ name: String, to result: String) throws {
        let command = format.decoder.replacing("$1", with: name).replacing("$2", with: result)
        try bench.run("\(command) >/dev/null 2>&1")
    }

    @Test(arguments: Format.all) func everyTurnIsSeenByTheLibrarysProgram(
        _ format: Format
    ) throws {
        let source = try bench.source(format.name, by: format.command, tags: format.hasMetadata)
        let metadata = format.hasMetadata ? try bench.metadata(format.name) : []
        try decode(format, format.name, to: "source.png")
        for turn in EditBench.turns where turn != .upright {
            let edited = try Edited(source, turn: turn)
            #expect(edited.description.method == .orientationTag)
            let shown = try fingerprint(edited.bytes)
            let wanted = try fingerprint(source, PictureEdit(turn: turn))
            expectSame(shown, wanted, "\(turn)")
            #expect(shown.size == edited.description.size)
            let name = "turned-" + format.name
            bench.put(name, edited.bytes)
            try decode(format, name, to: "turned.png")
            let seen = try bench.upright("turned.png")
            let turned = try bench.upright("source.png", turned: turn)
            // Newer programs interpolate chroma, and dither what is not lossless, after the turn. The
            // pixels of another turn differ by more than 20.
            let isExact = ["it.jxl", "alpha.jxl"].contains(format.name)
            #expect(Self.meanDifference(seen, turned) <= (isExact ? 0 : 2), "\(turn)")
            guard format.hasMetadata else { continue }
            let left = [
                "Rotation", "Mirroring", "ImageSize", "Megapixels", "MediaData", "ImageWidth",
                "ImageHeight",
            ]
            func kept(_ lines: [String]) -> [String] {
                lines.filter { line in !left.contains { line.contains($0) } }
            }
            #expect(try kept(bench.metadata(name)) == kept(metadata), "\(turn)")
        }
    }

    /// Whether a new file shows what was asked for, as the viewer decides before a file is replaced.
    private func expectSame(
        _ shown: PictureFingerprint, _ wanted: PictureFingerprint, _ comment: Comment
    ) {
        var rest = shown
        // newer versions of libheif interpolate the chroma of odd sizes after the turn.
        if ["HEIC", "AVIF"].contains(shown.format) {
            #expect(shown.isNear(wanted, within: PictureFingerprint.interpolation), comment)
            (rest.pixels, rest.colors) = (wanted.pixels, wanted.colors)
        }
        #expect(rest == wanted, comment)
    }

    /// 0…255; 255 for pictures of different sizes.
    private static func meanDifference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        guard one.count == other.count, !one.isEmpty else { return 255 }
        let sum = zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(one.count)
    }

    @Test(arguments: Format.all) func turnsThatCancelOutGiveTheFirstPixels(
        _ format: Format
    ) throws {
        let source = try bench.source(format.name, by: format.command, tags: format.hasMetadata)
        try bench.expectTurnsCancelOut(source, sequences: 20) {
            // Properties are shared, so that a file does not grow with every edit.
            #expect($0.count < source.count + 200)
        }
    }

    /// The depth map has the place of the alpha channel that it is made of.
    @Test func theDepthMapOfAHEICTurnsWithItsPicture() throws {
        let source = try bench.source(
            "depth.heic", EditBench.even,
            by: "convert photo.png -alpha set -channel a -evaluate set 40% a.png && "
                + "heif-enc -q 60 a.png -o depth.heic && LC_ALL=C sed -i "
                + "s/urn:mpeg:hevc:2015:auxid:1/urn:mpeg:hevc:2015:auxid:2/ depth.heic")
        func depth(_ name: String) throws -> String {
            let lines = try bench.run("heif-info \(name)").split(separator: "\n")
            let place = try #require(lines.firstIndex { $0.contains("depth channel: yes") })
            return lines[place + 1].filter { $0 != " " }
        }
        let size = EditBench.even.size
        #expect(try depth("depth.heic").contains("\(size.width)x\(size.height)"))
        let edited = try Edited(source, turn: .rotatedRight)
        #expect(edited.description.losses.isEmpty)
        bench.put("turned.heic", edited.bytes)
        #expect(try depth("turned.heic").contains("\(size.height)x\(size.width)"))
    }
}
