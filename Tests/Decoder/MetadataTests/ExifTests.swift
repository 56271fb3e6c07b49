import Geometry
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
        #expect(exif(TestPicture.dated(text)).taken == seconds)
    }

    @Test(arguments: [
        "    :  :     :  :  ", "2026:13:01 00:00:00", "2026:11:21", "0000:00:00 00:00:00",
        "2026:11:21 09:30:99", "nonsense that is long",
    ])
    func invalidDatesAreIgnored(text: String) {
        #expect(exif(TestPicture.dated(text)).taken == nil)
    }

    /// Truncated or altered data never causes a read past the end.
    @Test func damagedDataDoesNotCrash() {
        let whole = TestPicture.dated("2026:11:21 09:30:00")
        // A date is read whole or not at all.
        let date = exif(whole).taken
        #expect(date != nil)
        for length in 0..<120 {
            let read = exif(Array(whole.prefix(length))).taken
            #expect(read == nil || read == date)
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
