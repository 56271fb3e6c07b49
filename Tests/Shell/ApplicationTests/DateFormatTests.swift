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
            ("sv_SE", "2026-06-21, 20:41"),
        ])
    func eachLocaleHasItsOrder(_ name: String, _ text: String) throws {
        try #require(TestLocale.isInstalled)
        let format = try #require(DateFormat(locale: name + ".UTF-8"))
        #expect(format.text(wallClock: Self.evening) == text)
        #expect(text.hasSuffix(", " + (format.time(wallClock: Self.evening) ?? "-")))
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
