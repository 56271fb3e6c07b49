import ImageTypes
import TestKit
import Testing

@testable import Metadata

/// The metadata parsers, without a decoder process.
@Suite struct MetadataParserTests {
    private func xmp(_ bytes: [UInt8]) -> XMPReader { bytes.withUnsafeBytes { XMPReader($0) } }

    /// A file truncated at any length never causes a read past the end.
    @Test func everyTruncationIsReadSafely() {
        let exif = TestMetadata.camera("Example")
        let packet = TestMetadata.xmp(TestMetadata.title("A boat"))
        let iptc = TestMetadata.photoshop(TestMetadata.iptc(5, Array("A boat".utf8)))
        let files = [
            TestMetadata.jpeg([(0xE1, Array("Exif\0\0".utf8) + exif), (0xED, iptc)]),
            TestMetadata.png([("eXIf", exif), ("tEXt", Array("Title\0A boat".utf8))]),
            TestMetadata.heif(exif: exif, xmp: packet), TestMetadata.jxl(exif: exif, xmp: packet),
            TestMetadata.webP([("EXIF", exif), ("XMP ", packet)]), exif,
        ]
        for file in files {
            var most = 0
            for length in 0...min(file.count, 900) {
                // Debug builds check every index against the truncated length.
                let metadata = Array(file.prefix(length)).withUnsafeBytes(MetadataReader.read)
                most = max(most, metadata.entries.count)
            }
            #expect(most > 0)
        }
    }

    /// The date of the panel has the offset that belongs to this date.
    @Test func theOffsetStandsBehindItsDate() {
        let (date, none) = ("2021:06:01 00:30:00", "0000:00:00 00:00:00")
        let shown = "2021-06-01 00:30:00"
        let offsets = TestMetadata.Offsets(
            original: "+09:00", digitized: "-03:30", changed: "+00:00")
        let tokyo = TestMetadata.Offsets(original: "Tokyo!")
        let cases: [(exif: [UInt8], value: String)] = [
            (TestMetadata.dated(original: date, offsets: offsets), shown + " +09:00"),
            (TestMetadata.dated(original: date), shown),
            (TestMetadata.dated(original: date, offsets: tokyo), shown),
            (
                TestMetadata.dated(original: none, digitized: date, offsets: offsets),
                shown + " -03:30"
            ),
            (
                TestMetadata.dated(
                    original: "2021:13:01 00:30:00", digitized: date, offsets: offsets),
                shown + " -03:30"
            ),
            (
                TestMetadata.dated(digitized: none, changed: date, offsets: offsets),
                shown + " +00:00"
            ),
            // The date that is shown has no time, so the offset belongs to the other one.
            (
                TestMetadata.dated(original: "2021:06:01", digitized: date, offsets: offsets),
                "2021-06-01"
            ),
        ]
        for (exif, value) in cases {
            let metadata = TestMetadata.jpeg(exif: exif).withUnsafeBytes(MetadataReader.read)
            let taken = metadata.entries.first { $0.label == "Taken" }
            #expect(taken?.value == value)
        }
    }

    @Test func attributesAndElementsAreEquivalent() {
        let attribute = xmp(TestMetadata.xmp(attributes: "xmp:Rating=\"4\"", ""))
        let element = xmp(TestMetadata.xmp("<xmp:Rating>4</xmp:Rating>"))
        #expect(attribute.values == [.rating: ["4"]])
        #expect(element.values == attribute.values)
        #expect(attribute.problem == nil && element.problem == nil)
    }

    /// Elements are identified by their namespace, not by their prefix.
    @Test func namespacesIdentifyElements() {
        let other = xmp(
            TestMetadata.xmp(
                "<d:title xmlns:d=\"http://purl.org/dc/elements/1.1/\">A boat</d:title>"
                    + "<dc:title xmlns:dc=\"urn:else\">Not this</dc:title>"))
        #expect(other.values == [.title: ["A boat"]])
    }

    @Test func commentsAndCDATAAreParsed() {
        let packet = xmp(
            TestMetadata.xmp("<!-- <dc:title> --><dc:title>a<![CDATA[<b>&amp;]]>c</dc:title>"))
        #expect(packet.values == [.title: ["a<b>&amp;c"]])
        #expect(packet.problem == nil)
    }

    @Test(arguments: [
        (0.0, "Flash did not fire"), (0x01, "Flash fired"), (0x0F, "Flash fired"),
        (0x10, "Flash did not fire"), (0x18, "Flash did not fire, auto mode"),
        (0x1D, "Flash fired, auto mode"), (0x20, "No flash function"),
        (0x41, "Flash fired, red-eye reduction mode"), (-1, "No flash function"),
        (0x5F, "Flash fired, auto mode, red-eye reduction mode"),
    ])
    func flashesAreReadable(value: Double, text: String) {
        #expect(MetadataText.flash(value) == text)
    }

    @Test(arguments: [
        (1.0 / 250, "1/250 s"), (0.5, "0.5 s"), (2.5, "2.5 s"), (30, "30 s"),
        (1.0 / 8000, "1/8000 s"),
    ])
    func exposuresAreReadable(seconds: Double, text: String) {
        #expect(MetadataText.exposure(seconds) == text)
    }

    @Test func numbersAndDatesAreReadable() {
        #expect(MetadataText.number(2.8) == "2.8" && MetadataText.number(4) == "4")
        #expect(MetadataText.number(-0.333, places: 2) == "−0.33")
        #expect(MetadataText.number(0.04, places: 2) == "0.04")
        #expect(MetadataText.number(.infinity) == nil && MetadataText.number(.nan) == nil)
        #expect(MetadataText.exposure(0) == nil && MetadataText.exposure(-1) == nil)
        #expect(MetadataText.date("2026:11:21 09:30:00") == "2026-11-21 09:30:00")
        #expect(MetadataText.date("0000:00:00 00:00:00") == nil)
        #expect(MetadataText.tidy(" a\n\tb\0 ") == "a b" && MetadataText.tidy(" \n ") == nil)
    }
}
