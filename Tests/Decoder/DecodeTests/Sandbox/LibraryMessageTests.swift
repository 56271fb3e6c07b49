import ImageTypes
import TestKit
import Testing

@testable import Codecs

/// Messages of the libraries, as a person reads them.
@Suite struct LibraryMessageTests {
    @Test(arguments: [
        (
            "XML parse error: Error domain 1 code 5 on line 1 column 47 of data: "
                + "Extra content at the end of the document\n",
            "line 1, column 47: extra content at the end of the document"
        ),
        (
            "XML parse error: Error domain 1 code 73 on line 3 column 6 of data: "
                + "Couldn't find end of Start Tag svg line 1\n",
            "line 3, column 6: couldn't find end of Start Tag svg line 1"
        ),
        (
            "XML parse error: error code=99 (3) in (null):1:40: xmlns: 'http:%' is not a valid URI\n",
            "line 1, column 40: xmlns: 'http:%' is not a valid URI"
        ),
        (
            "XML parse error: Error domain 1 code 9 on line 1 column 83 of data: Input is not proper"
                + " UTF-8, indicate encoding !\nBytes: 0x9E 0x39 0x74 0x3D\n",
            "line 1, column 83: the text is not UTF-8"
        ),
        ("Bogus Huffman table definition", "bogus Huffman table definition"),
        ("Unsupported marker type 0x06", "unsupported marker type"),
        ("Invalid JPEG file structure: missing SOS marker", "missing SOS marker"),
        ("JPEG datastream contains no image", "JPEG datastream contains no image"),
        ("IDAT stream error", "the compressed pixels are corrupt"),
        ("non-recoverable state", "a part before the pixels is corrupt"),
        ("Can not read TIFF directory count", "can not read TIFF directory count"),
        ("Invalid input: No 'meta' box", "no 'meta' box"),
        (
            "Decoder plugin generated an error: Unspecified", "the compressed pixels are corrupt"
        ),
        ("JP2H box missing. Required.\n", "JP2H box missing. Required"),
        ("A marker ID was expected (0xff--) instead of 0000cd90\n", "a marker is missing"),
        (
            "Error with SIZ marker: IHDR w(226) h(48) vs. SIZ w(64) h(48)\n",
            "the size in the header contradicts the size of the data"
        ),
        ("", "the data are invalid"), ("\n\n", "the data are invalid"),
        ("0x1234 (null)", "the data are invalid"), ("Error: ", "the data are invalid"),
        ("Error domain 1", "error domain 1"),
    ])
    func messagesAreReadable(_ text: String, _ expected: String) {
        #expect(LibraryMessage.readable(text) == expected)
    }

    /// Broken files of the real libraries.
    @Test func brokenFilesHaveReadableMessages() throws {
        let svg = Array(
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g></svg>".utf8)
        let png = TestPicture.card(30, 20).png()
        var badPNG = png
        badPNG.replaceSubrange(41..<45, with: [0, 0, 0, 0])
        var jpeg = TestPicture.card(30, 20).jpeg()
        let table = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC4 })
        jpeg.replaceSubrange((table + 5)..<(table + 21), with: [UInt8](repeating: 255, count: 16))
        for file in [svg, badPNG, jpeg] {
            guard case .damaged(let reason)? = try Decoding(file).failure else {
                Issue.record("the file is shown")
                continue
            }
            #expect(!reason.contains("domain") && !reason.contains("code") && reason != "")
            #expect(!reason.contains { $0.isNewline || $0 == "\u{FFFD}" })
        }
        guard case .damaged(let reason)? = try Decoding(svg).failure else { return }
        #expect(reason.hasPrefix("line 1, column "))
        // The first error is that of libxml2 since 2.14.
        let errors = [
            "opening and ending tag mismatch: g line 1 and svg",
            "premature end of data in tag svg line 1",
        ]
        #expect(errors.contains { reason.hasSuffix(": " + $0) })
    }
}
