import Edits
import Geometry
import ImageTypes
import ImageWire
import TestKit
import Testing

@testable import PictureWriter

/// What a crop of a TIFF file says of its EXIF data.
@Suite struct TIFFLossTests {
    private typealias Field = TestTIFF.Field

    private static let text: [UInt8] = Array("2026:11:21 09:30:00\0".utf8)

    private static func file(_ fields: [TestTIFF.Field]) -> [UInt8] {
        // The pixels, at the offset 8, are also an empty directory.
        let pixels = [UInt8](repeating: 0, count: 32 * 24 * 3)
        var page = TestTIFF.Page(
            width: 32, height: 24, bits: 8, samples: 3, photometric: 2, pixels: pixels)
        page.fields = fields
        return TestTIFF.encode([page])
    }

    private func isTold(_ file: [UInt8]) -> Bool {
        let losses: [String] = file.withUnsafeBytes { bytes in
            PictureMetadataCopy(bytes, .tiff).losses(for: .png)
        }
        return losses.contains("the EXIF data are left out")
    }

    @Test func tagsOfTheStructureAreNotTold() {
        let cases: [(name: String, fields: [TestTIFF.Field])] = [
            ("none", []),
            ("kind", [Field(254, longs: [0])]),
            ("order of the bits", [Field(266, shorts: [1])]),
            ("orientation", [Field(274, shorts: [6])]),
            (
                "resolution",
                [
                    Field(282, fractions: [72]), Field(283, fractions: [72]),
                    Field(296, shorts: [2]),
                ]
            ),
            ("planes", [Field(284, shorts: [1])]),
            ("number of the page", [Field(297, shorts: [0, 1])]),
            ("predictor", [Field(317, shorts: [1])]),
            (
                "colours",
                [
                    Field(318, fractions: [0.3127, 0.329]),
                    Field(319, fractions: [0.64, 0.33, 0.3, 0.6, 0.15, 0.06]),
                ]
            ),
            ("format of samples", [Field(339, shorts: [1, 1, 1])]),
            ("profile", [Field(34675, bytes: Self.text, type: 7)]),
            ("XMP", [Field(700, bytes: TestMetadata.xmp(TestMetadata.title("A boat")))]),
            (
                "IPTC",
                [Field(33723, bytes: TestMetadata.iptc(90, Array("Bern".utf8)), type: 7)]
            ),
        ]
        for (name, fields) in cases { #expect(!isTold(Self.file(fields)), "\(name)") }
    }

    @Test func dataAboutThePictureAreTold() {
        let texts: [Int] = [269, 270, 271, 272, 305, 306, 315, 316, 33432]
        for tag in texts {
            #expect(isTold(Self.file([Field(tag, bytes: Self.text, type: 2)])), "\(tag)")
        }
        // Directories of a camera and of a position, Photoshop's resources, and a private tag.
        for tag in [34665, 34853] { #expect(isTold(Self.file([Field(tag, longs: [8])])), "\(tag)") }
        for tag in [34377, 65000] {
            #expect(isTold(Self.file([Field(tag, bytes: Self.text, type: 7)])), "\(tag)")
        }
        // Blocks that cannot be read are not copied.
        for tag in [700, 33723] { #expect(isTold(Self.file([Field(tag, bytes: [])])), "\(tag)") }
    }

    /// Raw files are TIFF structures, too: those of a camera always have EXIF data.
    @Test func rawFilesTell() {
        let losses: [String] = Self.file([]).withUnsafeBytes { bytes in
            PictureMetadataCopy(bytes, .raw).losses(for: .png)
        }
        #expect(losses.contains("the EXIF data are left out"))
    }

    @Test func cutFilesAreRead() {
        let whole = Self.file([Field(306, bytes: Self.text, type: 2), Field(34665, longs: [8])])
        for length in stride(from: 0, through: whole.count, by: 7) {
            _ = isTold(Array(whole.prefix(length)))
        }
        #expect(isTold(whole))
    }

    /// Files of other programs, by a whole crop.
    @Test(arguments: [
        ("bare.tif", "convert photo.png -strip bare.tif", false),
        ("two.tif", "convert photo.png photo.png -strip two.tif", false),
        (
            "model.tif",
            "convert photo.png -strip model.tif && "
                + "exiftool -q -overwrite_original -Model=Test model.tif", true
        ),
    ])
    func cropsTell(name: String, command: String, isNamed: Bool) throws {
        var request = EditRequest(
            PictureEdit(crop: .init(rect: Rect(x: 2, y: 3, width: 20, height: 16))))
        request.mayReencode = true
        let source = try EditBench().source(name, by: command, tags: false)
        let losses = try Edited(source, request).description.losses
        #expect(losses.contains("the EXIF data are left out") == isNamed, "\(losses)")
    }
}
