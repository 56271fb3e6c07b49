import Geometry
import ImageTypes
import Metadata
import TestKit
import Testing

@Suite struct ExifTests {
    private func exif(_ bytes: [UInt8]) -> Exif { bytes.withUnsafeBytes { Exif(jpeg: $0) } }

    @Test(arguments: [
        ("1970:01:01 00:00:00", 0), ("2000:02:29 12:00:00", 951_825_600),
        ("2026:11:21 09:30:00", 1_795_253_400), ("1969:12:31 23:59:59", -1),
    ])
    func aDateIsRead(text: String, seconds: Int) {
        #expect(exif(TestPicture.dated(text)).taken == CaptureTime(wallClock: seconds))
    }

    @Test(arguments: [
        "    :  :     :  :  ", "2026:13:01 00:00:00", "2026:11:21", "0000:00:00 00:00:00",
        "2026:11:21 09:30:99", "nonsense that is long",
    ])
    func invalidDatesAreIgnored(text: String) {
        #expect(exif(TestPicture.dated(text)).taken == nil)
    }

    /// What is no offset counts as missing; the date is read all the same.
    @Test(
        arguments: [
            ("+05:45", 20_700), ("-03:30", -12_600), ("+00:00", 0), ("-00:00", 0),
            ("+14:00", 50_400),
            ("-12:00", -43_200), ("   :  ", nil), ("+14:01", nil), ("+99:00", nil), ("+05:60", nil),
            ("05:45", nil), ("+5:45", nil), ("+05.45", nil), ("+0\u{F6}:45", nil),
            ("+05:45:00", nil),
            ("------", nil), ("+/:/:/", nil), ("Nepal", nil),
        ] as [(String, Int?)])
    func theOffsetOfTheDateIsRead(text: String, seconds: Int?) {
        let taken = exif(TestPicture.dated("2026:11:21 09:30:00", offset: text)).taken
        #expect(taken == CaptureTime(wallClock: 1_795_253_400, utcOffset: seconds))
    }

    /// What cameras and programs write for a date that they do not know, and no date of a calendar.
    private static let noDates = [
        nil, "0000:00:00 00:00:00", "    :  :     :  :  ", "0000:01:01 00:00:00",
        "2003:13:01 00:00:00", "2003:05:06 24:00:00",
    ]

    @Test(arguments: noDates) func aDateThatIsNoneCountsAsMissing(none: String?) {
        let (first, second) = ("2003:05:06 07:08:09", "2011:12:13 14:15:16")
        let (early, late) = (exif(TestPicture.dated(first)), exif(TestPicture.dated(second)))
        #expect(early.taken != nil && early.taken != late.taken)
        func taken(_ original: String?, _ digitized: String?, _ changed: String?) -> Exif {
            exif(
                TestMetadata.jpeg(
                    exif: TestMetadata.dated(
                        original: original, digitized: digitized, changed: changed)))
        }
        #expect(taken(first, second, second).taken == early.taken)
        #expect(taken(none, first, second).taken == early.taken)
        #expect(taken(none, none, first).taken == early.taken)
        #expect(taken(none, second, first).taken == late.taken)
        #expect(taken(first, none, none).taken == early.taken)
        #expect(taken(none, none, none).taken == nil)
    }

    /// A date that is used has its own offset, not that of a date that is missing.
    @Test func eachDateHasItsOffset() {
        let (date, none) = ("2003:05:06 07:08:09", "0000:00:00 00:00:00")
        let offsets = TestMetadata.Offsets(
            original: "+01:00", digitized: "+02:00", changed: "+03:00")
        for (exif, hours) in [
            (TestMetadata.dated(original: date, digitized: date, offsets: offsets), 1),
            (TestMetadata.dated(original: none, digitized: date, offsets: offsets), 2),
            (TestMetadata.dated(digitized: none, changed: date, offsets: offsets), 3),
        ] {
            let taken = self.exif(TestMetadata.jpeg(exif: exif)).taken
            #expect(taken?.utcOffset == hours * 3600)
            #expect(taken?.wallClock == self.exif(TestPicture.dated(date)).taken?.wallClock)
        }
    }

    // MARK: Packed data

    private static let png = TestPicture.card(32, 24).png()

    /// The EXIF data of PNGs in all their forms, before and behind the pixels.
    @Test(arguments: ["eXIf", "tEXt", "zTXt", "iTXt", "ziTXt"], [false, true])
    func theDataOfAPNGAreFound(form: String, isLate: Bool) {
        let date = "2003:05:06 07:08:09"
        let tiff = TestMetadata.dated(original: date)
        let named = Array("Exif\0\0".utf8) + tiff
        let kinds = form == "eXIf" ? [""] : ["exif", "APP1"]
        for kind in kinds {
            let keyword = "Raw profile type \(kind)"
            let chunk =
                form == "eXIf"
                ? TestAnimation.chunk(form, tiff)
                : TestMetadata.text(
                    form, keyword, TestMetadata.rawProfile(kind.lowercased(), named))
            let file = TestMetadata.png(Self.png, chunk, isLate: isLate)
            let found = file.withUnsafeBytes { Exif(png: $0) }
            #expect(found.taken == exif(TestPicture.dated(date)).taken, "\(kind)")
            #expect(found.taken != nil)
        }
    }

    @Test func aChunkComesBeforeARawProfile() {
        func tiff(_ orientation: UInt8) -> [UInt8] {
            TestMetadata.tiff([TestMetadata.entry(0x0112, type: 3, count: 1, [0, orientation])])
        }
        let profile = TestMetadata.text(
            "tEXt", "Raw profile type exif", TestMetadata.rawProfile("exif", tiff(3)))
        let chunk = TestAnimation.chunk("eXIf", tiff(6))
        for file in [chunk + profile, profile + chunk].map({
            TestMetadata.png(Self.png, $0, isLate: false)
        }) {
            #expect(file.withUnsafeBytes { Exif(png: $0).orientation.rawValue } == 6)
        }
    }

    @Test func theDataOfABrobBoxAreFound() {
        let date = "2003:05:06 07:08:09"
        let box = TestMetadata.brob(
            "Exif", TestMetadata.number(0, 4) + TestMetadata.dated(original: date))
        let start = TestMetadata.jxl(exif: [], xmp: []).prefix(32)
        for file in [start + box, start + TestMetadata.box("jxlc", [1, 2, 3]) + box] {
            let found = Array(file).withUnsafeBytes { Exif(jpegXL: $0) }
            #expect(found.taken == exif(TestPicture.dated(date)).taken)
        }
    }

    /// Cut or altered in every place: a date is read whole or not at all, and nothing traps.
    @Test func damagedPackedDataAreNone() {
        let tiff = TestMetadata.dated(original: "2003:05:06 07:08:09")
        let profile = TestMetadata.rawProfile("exif", tiff)
        let box = TestMetadata.brob("Exif", TestMetadata.number(0, 4) + tiff)
        let start = Array(TestMetadata.jxl(exif: [], xmp: []).prefix(32))
        for place in 8..<box.count {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var damaged = box
                damaged[place] = value
                _ = (start + damaged).withUnsafeBytes { Exif(jpegXL: $0) }
            }
            var short = Array(box.prefix(place))
            short.replaceSubrange(0..<4, with: TestMetadata.number(place, 4))
            let cut = (start + short).withUnsafeBytes { Exif(jpegXL: $0).taken }
            #expect(cut == nil || cut == exif(TestMetadata.jpeg(exif: tiff)).taken)
        }
        for length in 0..<profile.count - 1 {
            for form in ["tEXt", "zTXt"] {
                let chunk = TestMetadata.text(
                    form, "Raw profile type exif", Array(profile.prefix(length)))
                let file = TestMetadata.png(Self.png, chunk, isLate: false)
                #expect(file.withUnsafeBytes { Exif(png: $0).taken } == nil)
            }
        }
    }

    /// Truncated or altered data never causes a read past the end.
    @Test func damagedDataDoesNotCrash() {
        let whole = TestPicture.dated("2026:11:21 09:30:00", offset: "+01:00")
        // Date and offset are read whole or not at all.
        let date = exif(whole).taken
        #expect(date?.utcOffset == 3600)
        for length in 0..<140 {
            let read = exif(Array(whole.prefix(length))).taken
            #expect(read == nil || read == date || read == CaptureTime(wallClock: 1_795_253_400))
        }
        for place in 0..<110 {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var bytes = whole
                bytes[place] = value
                _ = exif(bytes)
            }
        }
    }
}
