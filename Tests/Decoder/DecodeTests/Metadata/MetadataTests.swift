import Geometry
import ImageTypes
import TestKit
import Testing

/// Metadata in picture files, written by exiftool or by the test kit.
@Suite struct MetadataTests {
    private let folder = TemporaryFolder()

    /// The file after exiftool added metadata.
    private func written(_ name: String, _ bytes: [UInt8], _ options: [String]) throws -> [UInt8] {
        let path = folder.file(name, bytes)
        let result = ChildProcess.run(
            ["/usr/bin/exiftool", "-q", "-overwrite_original", "-codedcharacterset=utf8"] + options
                + [path])
        #expect(result.status == 0, "\(result.errors)")
        return try #require(TestFile.read(path))
    }

    private static let camera = [
        "-Make=Example", "-Model=Example One", "-LensModel=50mm F1.8", "-ExposureTime=1/250",
        "-FNumber=2.8", "-ISO=400", "-FocalLength=50", "-FocalLengthIn35mmFormat=75",
        "-EXIF:Flash#=1", "-DateTimeOriginal=2026:11:21 09:30:00", "-ExposureCompensation=-0.33",
        "-GPSLatitude=47.376888", "-GPSLatitudeRef=N", "-GPSLongitude=8.541694",
        "-GPSLongitudeRef=W", "-GPSAltitude=408", "-GPSAltitudeRef#=0",
    ]
    private static let descriptions = [
        "-XMP-dc:Title=Grüße & <Küsse>", "-XMP-dc:Creator=Ann", "-XMP-dc:Creator=Bob",
        "-XMP-dc:Subject=lake", "-XMP-dc:Subject=boat", "-XMP-dc:Rights=© Ann",
        "-XMP-dc:Description=Two\nlines", "-XMP-xmp:Rating=4", "-XMP-photoshop:City=Zürich",
    ]

    /// The three formats that exiftool and the tests can write; all must give the same metadata.
    @Test(arguments: ["picture.jpg", "picture.png", "picture.tif"])
    func metadataFromExiftoolIsReported(name: String) throws {
        let card = TestPicture.card(32, 24)
        var file = name.hasSuffix("png") ? card.png() : card.jpeg()
        if name.hasSuffix("tif") {
            let from = folder.file("card.png", card.png())
            _ = ChildProcess.run(["/usr/bin/convert", from, folder / "card.tif"])
            file = try #require(TestFile.read(folder / "card.tif"))
        }
        let reported = try MetadataReading(try written(name, file, Self.camera + Self.descriptions))
        #expect(reported.failure == nil)
        #expect(reported["Model"] == "Example One")
        #expect(reported["Lens"] == "50mm F1.8")
        #expect(reported["Exposure"] == "1/250 s")
        #expect(reported["Aperture"] == "f/2.8")
        #expect(reported["ISO"] == "400")
        #expect(reported["Exposure bias"] == "−0.33 EV")
        #expect(reported["Focal length"] == "50 mm")
        #expect(reported["35 mm equivalent"] == "75 mm")
        #expect(reported["Flash"] == "Flash fired")
        #expect(reported["Taken"] == "2026-11-21 09:30:00")
        #expect(reported["Altitude"] == "408 m")
        let position = try #require(reported.metadata.position)
        #expect(abs(position.latitude - 47.376888) < 1e-5)
        #expect(abs(position.longitude + 8.541694) < 1e-5)
        #expect(reported["Title"] == "Grüße & <Küsse>")
        #expect(reported["Creator"] == "Ann, Bob")
        #expect(reported["Keywords"] == "lake, boat")
        #expect(reported["Copyright"] == "© Ann")
        #expect(reported["Description"] == "Two lines")
        #expect(reported["Rating"] == "★★★★☆")
        #expect(reported["City"] == "Zürich")
    }

    @Test func iptcIsReadWithoutXMP() throws {
        let file = try written(
            "iptc.jpg", TestPicture.card(32, 24).jpeg(),
            [
                "-IPTC:ObjectName=Ein Boot", "-IPTC:Caption-Abstract=Größe", "-IPTC:By-line=Ann",
                "-IPTC:Keywords=lake", "-IPTC:Keywords=boat", "-IPTC:CopyrightNotice=© Ann",
                "-IPTC:Country-PrimaryLocationName=Schweiz",
            ])
        let reported = try MetadataReading(file)
        #expect(reported["Title"] == "Ein Boot")
        #expect(reported["Description"] == "Größe")
        #expect(reported["Creator"] == "Ann")
        #expect(reported["Keywords"] == "lake, boat")
        #expect(reported["Copyright"] == "© Ann")
        #expect(reported["Country"] == "Schweiz")
    }

    @Test func theFormatAndSizeAreReported() throws {
        let reported = try MetadataReading(TestPicture.card(32, 24).jpeg(orientation: .rotatedLeft))
        #expect(reported.info?.format == "JPEG")
        #expect(reported.info?.size == PixelSize(width: 24, height: 32))
        #expect(reported.metadata == PictureMetadata())
    }

    @Test(arguments: ["heic", "avif", "webp", "jxl"])
    func metadataInOtherContainersIsReported(kind: String) throws {
        let exif = TestMetadata.camera("Example Two")
        let xmp = TestMetadata.xmp(TestMetadata.title("A boat"))
        let file =
            switch kind {
            case "webp":
                TestMetadata.webP([("VP8 ", [1, 2, 3]), ("EXIF", exif), ("XMP ", xmp)])
            case "jxl": TestMetadata.jxl(exif: exif, xmp: xmp)
            default: TestMetadata.heif(exif: exif, xmp: xmp, brand: kind)
            }
        let reported = try MetadataReading(file)
        #expect(reported["Model"] == "Example Two")
        #expect(reported["Title"] == "A boat")
    }

    /// What of EXIF, XMP and IPTC is packed, or behind the pixels.
    @Test(arguments: ["tEXt", "zTXt", "iTXt", "ziTXt"], [false, true])
    func rawProfilesOfAPNGAreReported(form: String, isLate: Bool) throws {
        let exif = Array("Exif\0\0".utf8) + TestMetadata.camera("Example Five")
        let xmp = TestMetadata.xmp(TestMetadata.title("A boat"))
        let iptc = TestMetadata.photoshop(TestMetadata.iptc(90, Array("Bern".utf8)))
            .dropFirst("Photoshop 3.0\0".utf8.count)
        for kinds in [("exif", "xmp", "iptc"), ("APP1", "APP1", "8bim")] {
            let named = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp
            let profiles = [
                (kinds.0, exif), (kinds.1, kinds.1 == "xmp" ? xmp : named), (kinds.2, Array(iptc)),
            ]
            let chunks = profiles.flatMap {
                TestMetadata.text(
                    form, "Raw profile type \($0.0)", TestMetadata.rawProfile($0.0, $0.1))
            }
            let file = TestMetadata.png(
                TestPicture.card(32, 24).png(), chunks, isLate: isLate)
            let reported = try MetadataReading(file)
            #expect(reported["Model"] == "Example Five")
            #expect(reported["Title"] == "A boat")
            #expect(reported["City"] == "Bern")
        }
    }

    @Test func packedTextsAndBoxesAreReported() throws {
        let xmp = TestMetadata.xmp(TestMetadata.title("A boat"))
        let chunks =
            TestMetadata.text("ziTXt", "XML:com.adobe.xmp", xmp)
            + TestMetadata.text("zTXt", "Author", Array("Ann".utf8))
        let texts = try MetadataReading(
            TestMetadata.png(TestPicture.card(32, 24).png(), chunks, isLate: true))
        #expect(texts["Title"] == "A boat")
        #expect(texts["Creator"] == "Ann")
        let exif = TestMetadata.number(0, 4) + TestMetadata.camera("Example Six")
        let boxes = try MetadataReading(
            TestMetadata.jxl(exif: [], xmp: []).prefix(32) + TestMetadata.brob("xml ", xmp)
                + TestMetadata.brob("Exif", exif))
        #expect(boxes["Title"] == "A boat")
        #expect(boxes["Model"] == "Example Six")
    }

    @Test(arguments: ["0000:00:00 00:00:00", "    :  :     :  :  ", "2003:05:  :  :  :  "])
    func theFirstKnownDateIsReported(none: String) throws {
        let date = "2011:12:13 14:15:16"
        for exif in [
            TestMetadata.dated(original: none, digitized: date),
            TestMetadata.dated(original: none, changed: date),
            TestMetadata.dated(digitized: date), TestMetadata.dated(changed: date),
        ] {
            let reported = try MetadataReading(TestMetadata.jpeg(exif: exif))
            #expect(reported["Taken"] == "2011-12-13 14:15:16")
        }
    }

    @Test func pngTextsAreReported() throws {
        let reported = try MetadataReading(
            TestMetadata.png([
                ("tEXt", Array("Title\0Caf".utf8) + [0xE9]),
                ("iTXt", Array("Author\0\0\0de\0Autor\0Jörg".utf8)),
                (
                    "iTXt",
                    Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)
                        + TestMetadata.xmp(attributes: "xmp:Rating='3'", "")
                ),
                ("eXIf", TestMetadata.camera("Example Three")),
            ]))
        #expect(reported["Title"] == "Café")
        #expect(reported["Creator"] == "Jörg")
        #expect(reported["Rating"] == "★★★☆☆")
        #expect(reported["Model"] == "Example Three")
    }

    @Test func aProfileIsNamed() throws {
        let named = try MetadataReading(
            TestMetadata.png([("iCCP", Array("Display P3\0\0".utf8) + [1, 2, 3])]))
        #expect(named["Colour profile"] == "Display P3")
        let name = Array("My profile".utf8)
        let text =
            Array("desc\0\0\0\0".utf8) + TestMetadata.number(name.count + 1, 4) + name + [0]
        let header = [UInt8](repeating: 0, count: 128) + TestMetadata.number(1, 4)
        let entry = Array("desc".utf8) + TestMetadata.number(144, 4)
        let profile = header + entry + TestMetadata.number(text.count, 4) + text
        let reported = try MetadataReading(
            TestMetadata.jpeg([(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)]))
        #expect(reported["Colour profile"] == "My profile")
    }
}
