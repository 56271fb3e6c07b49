import ImageTypes
import TestKit
import Testing

@testable import ImageWire

/// Damaged and malicious metadata.
@Suite struct MetadataBadInputTests {
    private func read(_ file: [UInt8]) throws -> MetadataReading {
        let reported = try MetadataReading(file)
        #expect(reported.failure == nil)
        #expect(reported.metadata.entries.count <= PictureMetadata.mostEntries)
        for entry in reported.metadata.entries {
            #expect(!entry.value.isEmpty)
            #expect(entry.value.utf8.count <= PictureMetadata.longestValue)
        }
        return reported
    }

    /// The EXIF, GPS and next directories all point to the first directory.
    @Test func selfReferencingDirectoriesEnd() throws {
        let text = Array("Ouroboros".utf8) + [0]
        let entries = [
            TestMetadata.entry(
                0x0110, type: 2, count: text.count,
                TestMetadata.number(TestMetadata.behind(3), 4)),
            TestMetadata.entry(0x8769, type: 4, count: 1, TestMetadata.number(8, 4)),
            TestMetadata.entry(0x8825, type: 4, count: 1, TestMetadata.number(8, 4)),
        ]
        var tiff = TestMetadata.tiff(entries, behind: text)
        let next = TestMetadata.behind(3) - 4
        tiff.replaceSubrange(next..<(next + 4), with: TestMetadata.number(8, 4))
        #expect(try read(TestMetadata.jpeg(exif: tiff))["Model"] == "Ouroboros")
    }

    /// Counts beyond the block and the file, counts that overflow, and invalid types.
    @Test(arguments: [
        (2, 0xFFFF_FFFF), (5, 0xFFFF_FFFF), (12, 0x2000_0001), (2, 0x7FFF_FFFF), (2, 0), (0, 4),
        (13, 4), (0xFFFF, 1),
    ])
    func absurdCountsAreIgnored(type: Int, count: Int) throws {
        let tiff = TestMetadata.tiff([
            TestMetadata.entry(0x0110, type: type, count: count, TestMetadata.number(8, 4)),
            TestMetadata.entry(0x829A, type: type, count: count, TestMetadata.number(8, 4)),
        ])
        #expect(try read(TestMetadata.jpeg(exif: tiff)).metadata.entries.isEmpty)
    }

    /// A directory that claims 65535 entries in a short file.
    @Test func anExcessiveEntryCountIsLimited() throws {
        var tiff = TestMetadata.camera("Example")
        tiff.replaceSubrange(8..<10, with: [0xFF, 0xFF])
        #expect(try read(TestMetadata.jpeg(exif: tiff))["Model"] == "Example")
    }

    /// Rationals with a denominator of zero.
    @Test func invalidRationalsAreLeftOut() throws {
        let place = TestMetadata.behind(1)
        let exif = TestMetadata.directory([
            TestMetadata.entry(0x829A, type: 5, count: 1, TestMetadata.number(place + 30, 4)),
            TestMetadata.entry(0x829D, type: 5, count: 1, TestMetadata.number(place + 30, 4)),
        ])
        let tiff = TestMetadata.tiff(
            [TestMetadata.entry(0x8769, type: 4, count: 1, TestMetadata.number(place, 4))],
            behind: exif + [0, 0, 0, 1, 0, 0, 0, 0])
        #expect(try read(TestMetadata.jpeg(exif: tiff)).metadata.entries.isEmpty)
    }

    /// A billion laughs: ten references to ten references, nine times over.
    @Test func aDocumentTypeIsRefused() throws {
        var laughs = "<!DOCTYPE lolz [<!ENTITY lol0 \"lol\">"
        for level in 1...9 {
            let references = String(repeating: "&lol\(level - 1);", count: 10)
            laughs += "<!ENTITY lol\(level) \"\(references)\">"
        }
        let file = TestMetadata.jpeg(
            xmp: TestMetadata.xmp(TestMetadata.title("&lol9;"), before: laughs + "]>"))
        let answer = try read(file)
        #expect(answer["Title"] == nil)
        #expect(answer["XMP"] == "cannot be read in full: it declares a document type")
    }

    @Test func unknownReferencesAreNotFollowed() throws {
        let answer = try read(
            TestMetadata.jpeg(xmp: TestMetadata.xmp(TestMetadata.title("a&file;b&#x41;&#xD800;&"))))
        #expect(answer["Title"] == "a\u{FFFD}bA\u{FFFD}\u{FFFD}")
    }

    @Test func nestingDepthIsLimited() throws {
        let deep = String(repeating: "<dc:title>", count: 5000)
        let answer = try read(TestMetadata.jpeg(xmp: TestMetadata.xmp(deep)))
        #expect(answer["XMP"] == "cannot be read in full: it is nested too deeply")
    }

    @Test(arguments: [
        "<dc:title", "<dc:title><rdf:li>open", "</dc:title>", "<dc:title a=b>", "<dc:title a='b>",
        "<![CDATA[ for ever", "< >", "<dc:title></dc:creator>",
    ])
    func damagedPacketsAreReported(text: String) throws {
        let answer = try read(TestMetadata.jpeg(xmp: TestMetadata.xmp(text)))
        #expect(answer["XMP"]?.hasPrefix("cannot be read in full") == true)
    }

    @Test func longTextsAreTruncated() throws {
        let long = String(repeating: "boat ", count: 1_000_000)
        let answer = try read(
            TestMetadata.png([
                ("tEXt", Array("Title\0".utf8) + Array(long.utf8)),
                (
                    "iTXt",
                    Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)
                        + TestMetadata.xmp(TestMetadata.title(long))
                ),
            ]))
        #expect(answer["XMP"] == "cannot be read in full: it is longer than 1 MiB")
        #expect(answer["Title"]?.hasPrefix("boat boat") == true)
        #expect(answer["Title"]?.hasSuffix("…") == true)
    }

    /// Five properties of the maximum length, more than fits in one message.
    @Test func longMetadataIsSentInParts() throws {
        let long = String(repeating: "é", count: 3000)
        let list = String(repeating: "<rdf:li>\(long)</rdf:li>", count: 20)
        let elements = ["title", "description", "creator", "rights", "subject"].map {
            "<dc:\($0)><rdf:Bag>\(list)</rdf:Bag></dc:\($0)>"
        }.joined()
        let xmp = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + TestMetadata.xmp(elements)
        let answer = try read(TestMetadata.png([("iTXt", xmp)]))
        for label in ["Title", "Description", "Creator", "Copyright", "Keywords"] {
            #expect(answer[label]?.hasSuffix("…") == true)
            #expect((answer[label]?.utf8.count ?? 0) > 2000)
        }
    }

    @Test func invalidUTF8IsReplaced() throws {
        var xmp = TestMetadata.xmp(TestMetadata.title("XXXX"))
        let place = try #require(xmp.firstRange(of: Array("XXXX".utf8)))
        xmp.replaceSubrange(place, with: [0xFF, 0xC0, 0x80, 0x41])
        #expect(try read(TestMetadata.jpeg(xmp: xmp))["Title"]?.hasSuffix("A") == true)
        let latin = TestMetadata.iptc(5, Array("Caf".utf8) + [0xE9])
        let file = TestMetadata.jpeg([(0xED, TestMetadata.photoshop(latin))])
        #expect(try read(file)["Title"] == "Café")
        let wide = TestMetadata.jpeg(xmp: [0xFE, 0xFF] + xmp.flatMap { [0, $0] })
        #expect(try read(wide)["XMP"] == "cannot be read in full: it is not UTF-8")
    }

    /// Escape characters and bidirectional overrides never reach the viewer.
    @Test func controlCharactersAreReplaced() throws {
        let answer = try read(
            TestMetadata.jpeg(
                exif: TestMetadata.camera("\u{1B}[31mred\u{202E}txt\u{7}")))
        #expect(answer["Model"] == "\u{FFFD}[31mred\u{FFFD}txt\u{FFFD}")
    }

    /// Persian words and families of emoji keep their joiners.
    @Test func joinersStay() throws {
        let text = "می\u{200C}خواهم 👩\u{200D}👧"
        let answer = try read(TestMetadata.jpeg(xmp: TestMetadata.xmp(TestMetadata.title(text))))
        #expect(answer["Title"] == text)
    }

    @Test(arguments: 0..<60)
    func damagedFilesDoNotCrashTheDecoder(seed: Int) throws {
        let exif = TestMetadata.camera("Example")
        let xmp = TestMetadata.xmp(TestMetadata.title("A boat"))
        let iptc = TestMetadata.photoshop(TestMetadata.iptc(5, Array("A boat".utf8)))
        let files = [
            TestMetadata.jpeg([
                (0xE1, Array("Exif\0\0".utf8) + exif), (0xED, iptc),
                (0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp),
            ]),
            TestMetadata.png([("eXIf", exif)]), TestMetadata.heif(exif: exif, xmp: xmp),
            TestMetadata.webP([("EXIF", exif), ("XMP ", xmp)]),
            TestMetadata.jxl(exif: exif, xmp: xmp), exif,
        ]
        var file = files[seed % files.count]
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        // Damage only the part before the pixels.
        let length = min(file.count, 900)
        for _ in 0..<12 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            file[4 + Int(state >> 33) % (length - 4)] = UInt8(truncatingIfNeeded: state >> 20)
        }
        if seed % 3 == 0 { file.removeLast(Int(state >> 40) % file.count) }
        let failure = try MetadataReading(file).failure
        #expect(failure != .crashed && failure != .hung && failure != .invalidReply)
    }

    /// A zlib stream of 64 MiB of zeros is cut to the limits, and a raw profile has as many digits
    /// as its length says.
    @Test func packedDataAreLimited() throws {
        let zeros = try #require(Self.zeros)
        let compressed = Array("Title\0\0".utf8) + zeros
        let title = TestAnimation.chunk("zTXt", compressed)
        let bomb = TestAnimation.chunk("zTXt", Array("Raw profile type exif\0\0".utf8) + zeros)
        #expect(
            try read(
                TestMetadata.png(TestPicture.card(32, 24).png(), title + bomb, isLate: false)
            ).metadata.entries.isEmpty)
        let keyword = "Raw profile type exif"
        let largest = Int.max
        for text in [
            "\nexif\n999999999\n00", "\nexif\n\(largest)\n00", "\nexif\n1\n000",
            "\nexif\n-1\n", "\nexif\nx\n00", "", "\n\n\n",
        ] {
            let chunk = TestMetadata.text("tEXt", keyword, Array(text.utf8))
            let file = TestMetadata.png(TestPicture.card(32, 24).png(), chunk, isLate: false)
            #expect(try read(file).metadata.entries.isEmpty)
        }
    }

    /// The zlib stream of 64 MiB of zeros.
    private static var zeros: [UInt8]? {
        let folder = TemporaryFolder()
        let program = "import zlib; open('zeros', 'wb').write(zlib.compress(bytes(64 << 20)))"
        let made = ChildProcess.run([
            "bash", "-c", "cd \(folder.path) && python3 -c \"\(program)\"",
        ])
        return made.status == 0 ? TestFile.read(folder / "zeros") : nil
    }

    @Test func excessiveMetadataIsRejected() throws {
        let folder = TemporaryFolder()
        let path = Binaries.hostileDecoder("tells-too-much", in: folder)
        #expect(
            try MetadataReading(TestPicture.card(8, 8).jpeg(), decoder: path).failure
                == .invalidReply)
        let silent = Binaries.hostileDecoder("crashes", in: folder)
        #expect(
            try MetadataReading(TestPicture.card(8, 8).jpeg(), decoder: silent).failure == .crashed)
    }

    // MARK: The wire

    @Test func metadataSurvivesARoundTrip() throws {
        let entries = (0..<PictureMetadata.mostEntries).map { number in
            PictureMetadata.Entry(
                .description, "Label \(number)", String(repeating: "x", count: number * 32 + 1))
        }
        let position = PictureMetadata.Position(latitude: -47.5, longitude: 179.25)
        var whole = PictureMetadata(entries: entries, position: position)
        whole.alternativeTexts = (0..<PictureMetadata.mostAlternativeTexts).map {
            .init(
                String(repeating: "y", count: PictureMetadata.longestValue - $0),
                language: $0 == 0 ? "" : "de-\($0)")
        }
        var joined = PictureMetadata()
        for part in whole.parts {
            let bytes = DecodeReply.metadata(id: 4, part).bytes
            #expect(bytes.count <= longestMessage)
            #expect(try DecodeReply(bytes) == .metadata(id: 4, part))
            joined.entries += part.entries
            joined.alternativeTexts += part.alternativeTexts
            joined.position = part.position
        }
        #expect(joined == whole)
        #expect(try DecodeRequest(DecodeRequest.metadata(id: 9).bytes) == .metadata(id: 9))
        #expect(PictureMetadata.Position(latitude: 91, longitude: 0) == nil)
        #expect(PictureMetadata.Position(latitude: .nan, longitude: 0) == nil)
    }
}
