import Edits
import Geometry
import ImageTypes
import Metadata
import RasterPipeline
import TestKit

@testable import Codecs
@testable import ImageWire

extension Seeds {
    // MARK: Metadata

    private static let packet = TestMetadata.xmp(
        attributes: "xmp:Rating=\"4\" xmp:CreateDate='2026-11-21'",
        TestMetadata.title("&lt;a&#x41;") + "<dc:subject><rdf:Bag><rdf:li>x</rdf:li></rdf:Bag>"
            + "</dc:subject><![CDATA[text]]><!-- no -->")

    private static let records =
        [0x1C, 1, 90, 0, 3, 0x1B, 0x25, 0x47] + TestMetadata.iptc(5, Array("title".utf8))
        + TestMetadata.iptc(25, Array("word".utf8)) + TestMetadata.iptc(120, [0xC3, 0xA4])

    static var exif: [[UInt8]] {
        let place = TestMetadata.behind(3)
        let camera = TestMetadata.directory([
            TestMetadata.entry(
                0x829A, type: 5, count: 1, TestMetadata.number(place + 18 * 3, 4)),
            TestMetadata.entry(0x8827, type: 3, count: 1, [0, 100]),
            TestMetadata.entry(0x9003, type: 2, count: 20, TestMetadata.number(place, 4)),
        ])
        let whole = TestMetadata.tiff(
            [
                TestMetadata.entry(0x0112, type: 3, count: 1, [0, 6]),
                TestMetadata.entry(0x8769, type: 4, count: 1, TestMetadata.number(place, 4)),
                TestMetadata.entry(0x8825, type: 4, count: 1, TestMetadata.number(place, 4)),
            ], behind: camera + [0, 0, 0, 1, 0, 0, 0, 60])
        return [TestMetadata.camera("Model 1"), whole] + pictures(.raw) + pictures(.tiff)
    }

    static var texts: [[UInt8]] { [packet, records] }

    static var metadata: [[UInt8]] {
        let blocks = exif[1]
        return [
            TestMetadata.jpeg([
                (0xE1, Array("Exif\0\0".utf8) + blocks), (0xED, TestMetadata.photoshop(records)),
            ]),
            TestMetadata.jpeg(xmp: packet),
            TestMetadata.png([
                ("eXIf", blocks), ("tEXt", Array("Title\0words".utf8)),
                ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet),
            ]),
            TestMetadata.webP([("EXIF", blocks), ("XMP ", packet)]),
            TestMetadata.heif(exif: blocks, xmp: packet),
            TestMetadata.jxl(exif: blocks, xmp: packet),
            TestPicture.jpeg(TestPicture.card(8, 8).jpeg(), withProfile: TestProfile.swapped),
            blocks,
        ] + packedMetadata + severalPictures
    }

    /// Metadata in packed forms, and behind the pixels.
    private static var packedMetadata: [[UInt8]] {
        let (blocks, picture) = (exif[1], TestPicture.card(8, 8).png())
        let profile = TestMetadata.rawProfile("exif", blocks)
        return [
            TestMetadata.png(
                picture, TestMetadata.text("zTXt", "Raw profile type exif", profile), isLate: true),
            TestMetadata.png(
                picture, TestMetadata.text("ziTXt", "XML:com.adobe.xmp", packet), isLate: false),
            TestMetadata.jxl(exif: [], xmp: []).prefix(32)
                + TestMetadata.brob("Exif", TestMetadata.number(0, 4) + blocks)
                + TestMetadata.brob("xml ", packet),
            TestMetadata.jpeg(
                exif: TestMetadata.dated(original: "    :  :     :  :  ", digitized: "2003:05:06")),
        ]
    }

    /// Files with several pictures, and metadata that tell of them.
    private static var severalPictures: [[UInt8]] {
        let (picture, second) = (TestPicture.card(32, 24), TestPicture.card(16, 16))
        let motion = TestMetadata.xmp(
            attributes: "xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\" "
                + "GCamera:MicroVideo=\"1\"", "")
        let index = TestMetadata.multiPicture(second.jpeg().count, at: picture.jpeg().count)
        return [
            TestMetadata.jpeg(xmp: motion) + [0, 0, 0, 1],
            picture.jpeg().inserting(index, at: 2) + second.jpeg(),
            TestICO.encode([picture.png(), second.png()]),
        ]
    }

    // MARK: Messages

    private static let size = PixelSize(width: 64, height: 64)

    private static var header: PixelHeader {
        PixelHeader(
            size: size, orientation: .upright, format: .rgb24,
            levels: PixelLayout.levels(of: size, smallestSide: 32))
    }

    private static let part = PictureTile(
        mipLevel: 0, rect: PixelRect(x: 0, y: 0, width: 64, height: 64))

    private static var replies: [DecodeReply] {
        let entries = [PictureMetadata.Entry(.camera, "Camera", "Model 1")]
        let place = PictureMetadata.Position(latitude: 48.2, longitude: -16.4)
        var described = PictureMetadata(entries: entries, position: place)
        described.alternativeTexts = [.init("A boat", language: "en")]
        var info = PictureInfo(
            size: size, orientation: .upright, format: "JPEG",
            capture: Capture(
                time: CaptureTime(wallClock: 1_700_000_000, utcOffset: 20_700),
                camera: "Maker Model"))
        info.isTiled = true
        info.rating = 4
        return [
            .info(id: 1, info), .pixels(id: 1, isFinal: false), .pixels(id: 1, isFinal: true),
            GainRange(minimum: 0, maximum: 2, start: 0, full: 2).map { .gain(id: 1, $0) }
                ?? .progress(id: 1),
            .progress(id: 1), .frame(id: 1, FrameInfo(number: 0, duration: 40, loops: 3)),
            .tile(id: 1, part),
            .abilities(
                id: 1, DecoderAbilities(formats: ["JPEG", "PNG"], readsCoefficients: true)),
            .sandboxReport(id: 1, SandboxReport()),
            .metadata(id: 1, described),
            .failed(id: 1, .tooLarge(width: 70_000, height: 2, most: 9)),
            .failed(id: 1, .damaged(reason: "words")), .finished(id: 1, message: "words"),
            .finished(id: 1, message: nil),
        ] + edits
    }

    private static var edits: [DecodeReply] {
        let description = EditDescription(
            .reencoded(quality: 90), format: "JPEG", fileExtension: "jpg", size: size,
            kept: part.rect, losses: ["words"], omitsPictures: true)
        let fingerprint = PictureFingerprint(
            format: "JPEG", size: size,
            pixels: [UInt8](repeating: 1, count: PictureFingerprint.hashLength),
            colors: [UInt8](
                repeating: 2, count: PictureFingerprint.side * PictureFingerprint.side * 3),
            metadata: PictureFingerprint.metadataKinds.map { _ in [] })
        let replies: [EditReply] = [
            .planned(description), .written(description), .fingerprint(fingerprint),
            .refused(reason: "words"),
        ]
        return replies.map { .edited(id: 1, $0) }
    }

    private static var tasks: [EditTask] {
        var edit = PictureEdit(turn: .rotatedLeft)
        edit.crop = PictureEdit.Crop(angle: 3, rect: Rect(x: 1, y: 2, width: 30, height: 20))
        return [
            .plan(EditRequest(edit)), .write(EditRequest(edit)),
            .fingerprint(FingerprintRequest(edit)),
        ]
    }

    private static var requests: [DecodeRequest] {
        [
            .decode(id: 1, target: size, acceptsPlanes: true, forTargetOnly: true, wantsGain: true),
            .frame(id: 1),
            .tile(id: 1, part),
            .open(id: 1),
            .limit(id: 1, DecodeLimits()), .metadata(id: 1), .expect(id: 1, .tga),
            .thumbnail(id: 1, ThumbnailRequest(side: 32, wantsSRGBCopy: true)),
        ] + tasks.map { .edit(id: 1, $0) }
    }

    static var messages: [[UInt8]] {
        replies.map(\.bytes) + requests.map(\.bytes) + [header.bytes]
    }

    static var conversations: [[UInt8]] {
        let ask = requests.prefix(3).flatMap {
            record(ConversationHarness.Record.isRequest, $0.bytes)
        }
        let all = replies.flatMap(answer)
        let usual = [0, 1, 2, 12].flatMap { answer(replies[$0]) }
        let played = [0, 4, 4].flatMap { answer(replies[$0]) }
        let edited = edits.enumerated().map { index, reply in
            [UInt8(10 + min(index, 2) * 2)] + answer(reply)
        }
        return [[1] + usual, [1] + ask + all, [6] + ask + ask + played, [2] + usual, [8] + all]
            + edited
    }

    /// A reply in the encoding of `ConversationHarness`, with memory if the reply needs memory.
    private static func answer(_ reply: DecodeReply) -> [UInt8] {
        switch reply {
        case .pixels, .gain, .frame, .tile:
            record(ConversationHarness.Record.hasMemory, reply.bytes) + block(header.bytes) + [6]
        case .edited(_, .written):
            record(ConversationHarness.Record.hasMemory, reply.bytes) + block(header.bytes) + [1]
        case .info, .progress, .finished, .failed, .metadata, .sandboxReport, .abilities, .edited:
            record(0, reply.bytes)
        }
    }

    private static func record(_ flags: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [flags] + block(bytes)
    }

    private static func block(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count & 255), UInt8(bytes.count >> 8)] + bytes
    }

    // MARK: Thumbnail cache

    static var thumbnails: [[UInt8]] {
        let tiny = TestPicture.card(2, 2).png()
        let texts = [
            (name: "tEXt", data: Array("Thumb::URI\0file:///a".utf8)),
            (name: "tEXt", data: Array("Thumb::MTime\0001700000000".utf8)),
        ]
        return [tiny, TestPicture.png(tiny, with: texts)]
    }
}
