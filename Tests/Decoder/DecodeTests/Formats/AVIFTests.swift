import Geometry
import ImageTypes
import RasterPipeline
import TestKit
import Testing

@testable import Codecs

/// AVIF image sequences, made with avifenc and compared with avifdec.
@Suite struct AVIFTests {
    let bench = Workbench()
    static let size = PixelSize(width: 64, height: 48)
    private static let colors: [(UInt8, UInt8, UInt8)] = [
        (220, 30, 40), (30, 200, 50), (40, 50, 210),
    ]
    private static let durations = [100.0, 40, 250]

    /// Three frames of one colour each, with `durations`; with alpha if made from PNG.
    func sequence(_ options: String = "", from kind: String = "jpg") throws -> [UInt8] {
        var inputs = ""
        for (number, color) in Self.colors.enumerated() {
            let flat = TestPicture(size: Self.size) { _, _ in color }
            bench.put(
                "\(number).\(kind)", kind == "png" ? flat.fadingPNG() : flat.jpeg(quality: 100))
            inputs += " --duration \(Int(Self.durations[number])) \(number).\(kind)"
        }
        return try encode("--timescale 1000 \(options)\(inputs)")
    }

    /// A test card without symmetry, so that every rotation is visible, then an empty frame.
    func cards(_ options: String) throws -> [UInt8] {
        bench.put("card.jpg", TestPicture.card(96, 64).jpeg(quality: 100))
        bench.put(
            "flat.jpg", TestPicture(size: .init(width: 96, height: 64)) { _, _ in (9, 9, 9) }.jpeg()
        )
        return try encode("\(options) card.jpg flat.jpg")
    }

    /// avifenc of libavif 1.4 crashes when a sequence is to be rotated, mirrored or cropped.
    static let toolTurnsSequences: Bool = {
        let bench = Workbench()
        bench.put("card.jpg", TestPicture.card(96, 64).jpeg())
        return bench.succeeds("avifenc -s 9 --irot 1 card.jpg card.jpg it.avif")
    }()

    func encode(_ options: String) throws -> [UInt8] {
        try bench.run("avifenc -s 9 --min 0 --max 8 --minalpha 0 --maxalpha 0 \(options) it.avif")
        return bench.bytes("it.avif")
    }

    /// A frame as avifdec decodes the file.
    private func reference(_ frame: Int, bits: Int) throws -> ReferencePixels {
        try bench.run(
            "avifdec -d \(bits) --index \(frame) it.avif frame.png && convert frame.png frame.pam")
        return try bench.pixels("frame.pam")
    }

    // MARK: Pixels

    @Test(arguments: [
        ("", "jpg"), ("-y 420", "jpg"), ("-y 422 -r limited", "jpg"), ("-y 400", "jpg"),
        ("-d 10", "jpg"), ("-d 12 -y 420", "jpg"), ("", "png"), ("-p", "png"), ("-y 420", "png"),
        ("-d 10", "png"), ("-d 12 -p", "png"), ("-k 1", "jpg"),
    ])
    func framesMatchAvifdec(options: String, kind: String) throws {
        let played = try AnimationPlayback(try sequence(options, from: kind), 5)
        #expect(played.failure == nil)
        #expect(played.info?.isAnimated == true && played.info?.format == "AVIF")
        // The sequence repeats from the start.
        try #require(played.numbers == [0, 1, 2, 0, 1])
        #expect(played.durations == Self.durations + Self.durations.prefix(2))
        #expect(played.frames.allSatisfy { $0.info.loops == 0 })
        #expect(played.frames[3].bitmap.pixel(30, 20) == played.frames[0].bitmap.pixel(30, 20))
        let isDeep = options.contains("-d 1")
        for (frame, bitmap) in played.frames.prefix(3) {
            #expect(bitmap.format == (kind == "png" ? .argb32 : .rgb24))
            let variant = options.isEmpty ? kind : "\(kind) \(options)"
            Conformance.expect(
                "AVIF", "sequence of \(variant), frame \(frame.number)",
                bitmap.largestDifference(
                    from: try reference(frame.number, bits: isDeep ? 16 : 8)),
                atMost: !isDeep ? 1 : kind == "png" ? 1.6 : 1.3, from: "avifdec")
            guard kind == "jpg", !options.contains("400") else { continue }
            let (_, r, g, b) = bitmap.pixel(30, 20)
            let wanted = Self.colors[frame.number]
            #expect(abs(r - Int(wanted.0)) < 8 && abs(g - Int(wanted.1)) < 8)
            #expect(abs(b - Int(wanted.2)) < 8)
        }
    }

    @Test func theStillIsTheFirstFrame() throws {
        let result = try Decoding(try sequence())
        #expect(result.info?.isAnimated == true && result.message == nil)
        let (_, r, g, b) = try #require(result.bitmaps.last).pixel(30, 20)
        #expect(abs(r - 220) < 8 && abs(g - 30) < 8 && abs(b - 40) < 8)
    }

    /// Rotation, mirroring and cropping are applied once, to stills and frames alike.
    @Test(
        .enabled(if: toolTurnsSequences),
        arguments: [
            "--irot 0", "--irot 1", "--irot 2", "--irot 3", "--imir 0", "--imir 1",
            "--irot 1 --imir 0", "--irot 1 --imir 1", "--irot 2 --imir 0", "--irot 3 --imir 0",
            "--irot 3 --imir 1", "--crop 0,0,48,64",
            "--crop 16,0,60,40 --irot 1 --imir 1", "-d 10 --crop 16,8,62,40 -y 420",
        ])
    func framesHaveTheGeometryOfTheStill(_ options: String) throws {
        let file = try cards(options)
        let still = try #require(try Decoding(file).bitmaps.last)
        let played = try AnimationPlayback(file, 2)
        let frame = try #require(played.frames.first?.bitmap)
        #expect(still.size == frame.size && played.info?.size == frame.size)
        #expect(still.size.width * still.size.height > 0)
        let (width, height) = (frame.size.width, frame.size.height)
        for (x, y) in [(5, 5), (width - 6, 5), (5, height - 6), (width - 6, height - 6)] {
            let (one, other) = (still.pixel(x, y), frame.pixel(x, y))
            #expect(abs(one.r - other.r) < 9 && abs(one.g - other.g) < 9)
            #expect(abs(one.b - other.b) < 9)
        }
    }

    @Test(.enabled(if: toolTurnsSequences), arguments: [(1, 8), (2, 3), (3, 6)])
    func rotationsAreCounterclockwise(quarters: Int, exif: UInt8) throws {
        let card = TestPicture.card(96, 64)
        let orientation = try #require(Orientation(rawValue: exif))
        let stored = card.stored(as: orientation)
        bench.put("card.jpg", stored.jpeg(quality: 100))
        let bitmap = try #require(
            try AnimationPlayback(try encode("--irot \(quarters) card.jpg card.jpg"), 1).frames
                .first?.bitmap)
        #expect(bitmap.size == card.size)
        for (x, y) in [(20, 16), (76, 16), (20, 48), (76, 48)] {
            let ((_, r, g, b), wanted) = (bitmap.pixel(x, y), card.color(x, y))
            #expect(abs(r - wanted.r) < 20 && abs(g - wanted.g) < 20 && abs(b - wanted.b) < 20)
        }
    }

    // MARK: Colours

    @Test func profilesAreApplied() throws {
        bench.put("it.icc", TestProfile.exchanged)
        let played = try AnimationPlayback(try sequence("--icc it.icc"), 1)
        let (_, r, g, b) = try #require(played.frames.first?.bitmap).pixel(9, 9)
        // The profile swaps red and green.
        #expect(abs(r - 30) < 16 && abs(g - 220) < 12 && abs(b - 40) < 14)
    }

    @Test(arguments: [
        ("9/16/9", ColorEncoding.Transfer.perceptualQuantizer), ("9/18/9", .hybridLogGamma),
        ("12/13/6", .sRGB),
    ])
    func codePointsAreApplied(points: String, transfer: ColorEncoding.Transfer) throws {
        try sequence("--cicp \(points)").withUnsafeBytes { bytes in
            let frames = try AVIFCodec(bytes).frames()
            let still = try AVIFCodec(bytes).rows()
            #expect(frames.color == still.color)
            #expect(frames.layout == (transfer.isHighRange ? .rgb16 : .bgrx8))
            guard case .encoded(let encoding) = frames.color else {
                Issue.record("no encoding")
                return
            }
            #expect(encoding.transfer == transfer)
        }
    }

    @Test(arguments: [
        ("", "jpg", SampleLayout.bgrx8), ("-d 10", "jpg", .rgb16), ("", "png", .rgba8),
        ("-d 12", "png", .rgba16),
    ])
    func framesHaveTheStillsLayout(options: String, kind: String, layout: SampleLayout) throws {
        try sequence(options, from: kind).withUnsafeBytes { bytes in
            let codec = try AVIFCodec(bytes)
            #expect(try codec.frames().layout == layout)
            #expect(try codec.rows().layout == layout)
        }
    }
}
