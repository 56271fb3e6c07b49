import Glibc
import ImageTypes
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
            let date = CivilDate(WallTime(seconds: seconds))
            #expect(
                date
                    == CivilDate(
                        year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1,
                        day: Int(parts.tm_mday)))
            seconds += 86_399 * 997
        }
    }

    @Test(arguments: [Int.min, Int.max, Int.min / 1_000_000_000])
    func absurdTimesTrapNowhere(_ seconds: Int) {
        let time = Timestamp(seconds: seconds, nanoseconds: 999_999_999)
        for offset in [-43_200, 0, 50_400] {
            var clock = WallClock { _ in offset }
            _ = CivilDate(clock.time(time))
            _ = CivilDate(clock.time(CaptureTime(wallClock: seconds, utcOffset: -offset)))
            #expect(clock.time(CaptureTime(wallClock: seconds)).seconds == seconds)
        }
        var clock = WallClock.environment
        #expect(clock.time(time).sortKey >= 0)
    }

    @Test func sortKeysSortAsTimesDo() {
        let times = [-5, -1, 0, 1, 1_700_000_000].flatMap { seconds in
            [Timestamp(seconds: seconds), Timestamp(seconds: seconds, nanoseconds: 7)]
        }
        #expect(times.map(\.sortKey) == times.map(\.sortKey).sorted())
    }
}
