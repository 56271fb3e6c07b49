import Folders
import Glibc
import TestKit
import Testing

@testable import Application

@Suite struct DateFormatTests {
    /// 2026-06-21 20:41:07.
    private static let evening = 1_782_074_467

    @Test(arguments: ["C", "POSIX", "C.UTF-8"])
    func withoutALocaleTheFormatIsEnglish(_ name: String) throws {
        let format = try #require(DateFormat(locale: name))
        #expect(format.text(wallClock: Self.evening) == "21 June 2026, 20:41")
        #expect(format.text(wallClock: 0) == "1 January 1970, 00:00")
        #expect(format.time(wallClock: Self.evening) == "20:41")
    }

    @Test(
        .enabled(if: TestLocale.isAvailable),
        arguments: [
            ("en_US", "June 21, 2026, 8:41 PM"), ("de_DE", "21. Juni 2026, 20:41"),
            ("sv_SE", "2026-06-21, 20:41"), ("fr_FR", "21 juin 2026, 20:41"),
            ("es_ES", "21 de junio de 2026, 20:41"), ("pt_BR", "21 de junho de 2026, 20:41"),
            ("pl_PL", "21 czerwca 2026, 20:41"), ("ru_RU", "21 июня 2026, 20:41"),
            ("uk_UA", "21 червня 2026, 20:41"), ("ar_EG", "21 يونيو 2026, 8:41 م"),
            ("he_IL", "21 ביוני 2026, 20:41"), ("hi_IN", "21 जून 2026, 8:41 अपराह्न"),
            ("ko_KR", "2026년 6월 21일, 20:41"), ("ja_JP", "2026年6月21日, 20:41"),
            ("zh_CN", "2026年6月21日, 20:41"), ("zh_TW", "2026年6月21日, 20:41"),
            ("ca_ES", "21 de juny de 2026, 20:41"),
        ])
    func eachLocaleHasItsOrder(_ name: String, _ text: String) throws {
        try #require(TestLocale.isInstalled && TestLocale.folder(with: name) != nil)
        let format = try #require(DateFormat(locale: name + ".UTF-8"))
        #expect(format.text(wallClock: Self.evening) == text)
        #expect(text.hasSuffix(", " + (format.time(wallClock: Self.evening) ?? "-")))
    }

    /// The date of metadata keeps its seconds; other texts have none.
    @Test func datesOfMetadataAreThoseOfTheLocale() throws {
        let format = try #require(DateFormat(locale: "C"))
        #expect(format.text(metadata: "2026-06-21 20:41:07") == "21 June 2026, 20:41:07")
        for text in [
            "", "2026-06-21", "2026-06-31 20:41:07", "2026-13-21 20:41:07", "2026-06-21 20:41:99",
            "2026-06-21T20:41:07", "2026-06-21 20:41:07 ", "on a Sunday in June",
            "------:::::-  -:-:-", "-26-06-21 20:41:070", "999999999 1 1 1 1 1",
            "2026-06-21T20:41:07+02:00",
        ] { #expect(format.text(metadata: text) == nil, "\(text)") }
        // The offset from UTC stands behind the time.
        for offset in ["+09:00", "-03:30", "+00:00"] {
            let text = format.text(metadata: "2026-06-21 20:41:07 " + offset)
            #expect(text == "21 June 2026, 20:41:07 " + offset)
        }
        for offset in ["+09:00", " +9:00", " 09:00", " +09:00 ", " +0900", " Z", " +09:00x"] {
            #expect(format.text(metadata: "2026-06-21 20:41:07" + offset) == nil, "\(offset)")
        }
        guard TestLocale.isInstalled else { return }
        let english = try #require(DateFormat(locale: "en_US.UTF-8"))
        #expect(english.text(metadata: "2026-06-21 20:41:07") == "June 21, 2026, 8:41:07 PM")
    }

    @Test(arguments: ["xx_NOWHERE", "../../etc", "a/b"])
    func unknownLocalesHaveNone(_ name: String) {
        #expect(DateFormat(locale: name) == nil)
    }

    /// The header of a picture and the time of a file can be anything.
    @Test(arguments: [
        Int.min, Int.max, Int.min + 1, -1, -62_135_596_801, -99_999_999_999_999, 253_402_300_800,
        67_768_036_191_676_799, 67_768_036_191_676_800, -67_768_040_609_740_800,
    ])
    func strangeDatesDoNoHarm(_ seconds: Int) throws {
        let format = try #require(DateFormat(locale: "C"))
        for text in [
            format.text(wallClock: seconds), format.text(local: .init(seconds: seconds)),
        ] {
            #expect(text.map { !$0.isEmpty && $0.count < 64 } ?? true)
        }
        // The year has 32 bits.
        let isBeyond = seconds > 67_768_036_191_676_799 || seconds < -67_768_040_609_740_800
        #expect((format.text(wallClock: seconds) == nil) == isBeyond)
    }

    @Test func localTimesFollowTheTimeZone() throws {
        let format = try #require(DateFormat(locale: "C"))
        var (time, parts) = (time_t(Self.evening), tm())
        localtime_r(&time, &parts)
        let expected = format.text(wallClock: Self.evening + parts.tm_gmtoff)
        #expect(format.text(local: .init(seconds: Self.evening)) == expected)
    }
}
