import SeededRandom
import ImageTypes
import TestKit
import Testing

@testable import Metadata

/// The stars inside of a picture file.
@Suite struct FileRatingTests {
    private func stars(_ file: [UInt8]) -> Int? { file.withUnsafeBytes(FileRating.stars) }

    /// The stars that the information panel shows.
    private func shown(_ file: [UInt8]) -> String? {
        file.withUnsafeBytes(MetadataReader.read).entries.first { $0.label == "Rating" }?.value
    }

    private static let packets: [(xmp: [UInt8], stars: Int?)] = [
        (TestMetadata.xmp(attributes: "xmp:Rating=\"4\"", ""), 4),
        (TestMetadata.xmp("<xmp:Rating>3</xmp:Rating>"), 3),
        (TestMetadata.xmp("<xmp:Rating>\n 3.0 </xmp:Rating>"), 3),
        (TestMetadata.xmp(attributes: "xmp:Rating=\"-1\"", ""), 0),
        (TestMetadata.xmp(attributes: "xmp:Rating=\"99\"", ""), 5),
        (TestMetadata.xmp(attributes: "xmp:Rating=\"\"", ""), nil),
        (TestMetadata.xmp(attributes: "xmp:Rating=\"many\"", ""), nil),
        // The first one counts.
        (TestMetadata.xmp(attributes: "xmp:Rating=\"2\"", "<xmp:Rating>5</xmp:Rating>"), 2),
        // Another name space, and a comment.
        (TestMetadata.xmp("<d:Rating xmlns:d=\"urn:else\">5</d:Rating>"), nil),
        (TestMetadata.xmp("<!-- <xmp:Rating>5</xmp:Rating> -->"), nil),
        (TestMetadata.xmp(TestMetadata.title("A boat")), nil),
    ]

    @Test func starsAreThoseOfThePanel() {
        for (xmp, stars) in Self.packets {
            let files = [
                TestMetadata.jpeg(xmp: xmp), TestMetadata.webP([("XMP ", xmp)]),
                TestMetadata.png([
                    ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp)
                ]),
            ]
            for file in files {
                #expect(self.stars(file) == stars, "\(String(decoding: xmp, as: UTF8.self))")
                #expect(shown(file) == stars.flatMap(StarRating.text))
            }
        }
        #expect(stars(TestPicture.card(8, 8).jpeg()) == nil && stars([]) == nil)
    }

    /// A file that is cut, or has other bytes, says the same stars, others of 0…5, or nothing.
    @Test func damagedFilesSayAtMostFiveStars() {
        var random = SeededGenerator(seed: 10)
        let xmp = TestMetadata.xmp(attributes: "xmp:Rating=\"4\"", "")
        let file = TestMetadata.jpeg(xmp: xmp)
        for length in 0..<min(file.count, 900) {
            let stars = stars(Array(file.prefix(length)))
            #expect(stars == nil || stars == 4)
        }
        for _ in 0..<2000 {
            var damaged = file
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<min(file.count, 700), using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            }
            #expect(stars(damaged).map { (0...5).contains($0) } ?? true)
        }
    }
}
