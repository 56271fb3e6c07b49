import Geometry
import ImageTypes
import TestKit
import Testing

/// What pictures' files tell of them, as another program wrote it.
@Suite struct MetadataTests {
    private let folder = TemporaryFolder()

    /// A picture's file that exiftool has written to.
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
    private static let words = [
        "-XMP-dc:Title=Grüße & <Küsse>", "-XMP-dc:Creator=Ann", "-XMP-dc:Creator=Bob",
        "-XMP-dc:Subject=lake", "-XMP-dc:Subject=boat", "-XMP-dc:Rights=© Ann",
        "-XMP-dc:Description=Two\nlines", "-XMP-xmp:Rating=4", "-XMP-photoshop:City=Zürich",
    ]

    /// The three formats that both can write; the same has to come out of each.
    @Test(arguments: ["picture.jpg", "picture.png", "picture.tif"])
    func whatAnotherProgramWroteIsTold(name: String) throws {
        let card = TestPicture.card(32, 24)
        var file = name.hasSuffix("png") ? card.png() : card.jpeg()
        if name.hasSuffix("tif") {
            let from = folder.file("card.png", card.png())
            _ = ChildProcess.run(["/usr/bin/convert", from, folder / "card.tif"])
            file = try #require(TestFile.read(folder / "card.tif"))
        }
        let told = try Telling(try written(name, file, Self.camera + Self.words))
        #expect(told.failure == nil)
        #expect(told["Camera"] == "Example One")
        #expect(told["Lens"] == "50mm F1.8")
        #expect(told["Exposure"] == "1/250 s")
        #expect(told["Aperture"] == "f/2.8")
        #expect(told["ISO"] == "400")
        #expect(told["Exposure bias"] == "−0.33 EV")
        #expect(told["Focal length"] == "50 mm (75 mm in 35 mm film)")
        #expect(told["Flash"] == "Flash fired")
        #expect(told["Taken"] == "2026-11-21 09:30:00")
        #expect(told["Altitude"] == "408 m")
        let position = try #require(told.metadata.position)
        #expect(abs(position.latitude - 47.376888) < 1e-5)
        #expect(abs(position.longitude + 8.541694) < 1e-5)
        #expect(told["Title"] == "Grüße & <Küsse>")
        #expect(told["Creator"] == "Ann, Bob")
        #expect(told["Keywords"] == "lake, boat")
        #expect(told["Copyright"] == "© Ann")
        #expect(told["Description"] == "Two lines")
        #expect(told["Rating"] == "★★★★☆")
        #expect(told["City"] == "Zürich")
    }

    @Test func iptcIsReadWhereThereIsNoXMP() throws {
        let file = try written(
            "iptc.jpg", TestPicture.card(32, 24).jpeg(),
            [
                "-IPTC:ObjectName=Ein Boot", "-IPTC:Caption-Abstract=Größe", "-IPTC:By-line=Ann",
                "-IPTC:Keywords=lake", "-IPTC:Keywords=boat", "-IPTC:CopyrightNotice=© Ann",
                "-IPTC:Country-PrimaryLocationName=Schweiz",
            ])
        let told = try Telling(file)
        #expect(told["Title"] == "Ein Boot")
        #expect(told["Description"] == "Größe")
        #expect(told["Creator"] == "Ann")
        #expect(told["Keywords"] == "lake, boat")
        #expect(told["Copyright"] == "© Ann")
        #expect(told["Country"] == "Schweiz")
    }

    @Test func theDecoderSaysWhatKindOfPictureItIs() throws {
        let told = try Telling(TestPicture.card(32, 24).jpeg(orientation: .turnedLeft))
        #expect(told.info?.format == "JPEG")
        #expect(told.info?.size == PixelSize(width: 24, height: 32))
        #expect(told.metadata == PictureMetadata())
    }

    @Test(arguments: ["heic", "avif", "webp", "jxl"])
    func otherContainersAreLookedInto(kind: String) throws {
        let exif = TestMetadata.camera("Example Two")
        let xmp = TestMetadata.xmp(TestMetadata.title("A boat"))
        let file =
            switch kind {
            case "webp":
                TestMetadata.webP([("VP8 ", [1, 2, 3]), ("EXIF", exif), ("XMP ", xmp)])
            case "jxl": TestMetadata.jxl(exif: exif, xmp: xmp)
            default: TestMetadata.heif(exif: exif, xmp: xmp, brand: kind)
            }
        let told = try Telling(file)
        #expect(told["Camera"] == "Example Two")
        #expect(told["Title"] == "A boat")
    }

    @Test func textsOfAPNGAreTold() throws {
        let told = try Telling(
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
        #expect(told["Title"] == "Café")
        #expect(told["Creator"] == "Jörg")
        #expect(told["Rating"] == "★★★☆☆")
        #expect(told["Camera"] == "Example Three")
    }

    @Test func aProfileIsNamed() throws {
        let named = try Telling(
            TestMetadata.png([("iCCP", Array("Display P3\0\0".utf8) + [1, 2, 3])]))
        #expect(named["Colour profile"] == "Display P3")
        let words = Array("My profile".utf8)
        let text =
            Array("desc\0\0\0\0".utf8) + TestMetadata.number(words.count + 1, 4) + words + [0]
        let profile =
            [UInt8](repeating: 0, count: 128) + TestMetadata.number(1, 4) + Array("desc".utf8)
            + TestMetadata.number(144, 4) + TestMetadata.number(text.count, 4) + text
        let told = try Telling(
            TestMetadata.jpeg([(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)]))
        #expect(told["Colour profile"] == "My profile")
    }
}
