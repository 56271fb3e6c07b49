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
