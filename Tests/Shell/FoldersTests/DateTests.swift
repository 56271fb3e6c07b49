import Glibc
import Testing

@testable import Folders

@Suite struct DateTests {
    /// Against the C library's calendar, over 12,000 years.
    @Test func datesAreThoseOfTheCLibrary() {
        var seconds = -190_000_000_000
        while seconds < 190_000_000_000 {
            var time = time_t(seconds)
            var parts = tm()
            gmtime_r(&time, &parts)
            let date = CivilDate(Timestamp(seconds: seconds), utcOffset: 0)
            #expect(
                date
                    == CivilDate(
                        year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1,
                        day: Int(parts.tm_mday)))
            seconds += 86_399 * 997
        }
    }

    @Test func theClocksOffsetCounts() {
        let newYear = Timestamp(seconds: 1_767_225_599)
        #expect(CivilDate(newYear, utcOffset: 0) == CivilDate(year: 2025, month: 12, day: 31))
        #expect(CivilDate(newYear, utcOffset: 3600) == CivilDate(year: 2026, month: 1, day: 1))
    }

    @Test(arguments: [Int.min, Int.max, Int.min / 1_000_000_000])
    func absurdTimesTrapNowhere(_ seconds: Int) {
        let time = Timestamp(seconds: seconds, nanoseconds: 999_999_999)
        _ = CivilDate(time, utcOffset: 50_400)
        #expect(time.sortKey >= 0)
    }

    @Test func sortKeysSortAsTimesDo() {
        let times = [-5, -1, 0, 1, 1_700_000_000].flatMap { seconds in
            [Timestamp(seconds: seconds), Timestamp(seconds: seconds, nanoseconds: 7)]
        }
        #expect(times.map(\.sortKey) == times.map(\.sortKey).sorted())
    }
}
