import SeededRandom
import Testing

@testable import Kiosk

@Suite struct WeeklyScheduleTests {
    private func time(_ day: Int, _ hours: Int, _ minutes: Int = 0, _ seconds: Int = 0) -> LocalTime
    {
        LocalTime(day: day, second: hours * 3600 + minutes * 60 + seconds)
    }

    @Test func hoursOverMidnightBelongToTheirFirstDay() throws {
        let dark = try WeeklySchedule("mon-fri 22:00-07:00")
        #expect(dark.value(at: time(0, 21, 59, 59)) == nil)
        #expect(dark.value(at: time(0, 22)) == "")
        #expect(dark.value(at: time(1, 6, 59)) == "")
        #expect(dark.value(at: time(1, 7)) == nil)
        // Monday before dawn belongs to Sunday, Saturday before dawn to Friday.
        #expect(dark.value(at: time(0, 3)) == nil)
        #expect(dark.value(at: time(5, 3)) == "")
        #expect(dark.value(at: time(6, 23)) == nil)
    }

    @Test func sundayNightGoesIntoTheNextWeek() throws {
        let dark = try WeeklySchedule("sun 20:00-10:00")
        #expect(dark.value(at: time(0, 9, 59)) == "")
        #expect(dark.value(at: time(0, 10)) == nil)
        #expect(dark.secondsUntilChange(after: time(6, 20)) == 14 * 3600)
    }

    @Test func theFirstEntryCounts() throws {
        let folders = try WeeklySchedule(
            "sat,sun 10:00-16:00 /srv/week end; 08:00-18:00 /srv/day; 00:00-24:00 /srv/night",
            hasValues: true)
        #expect(folders.value(at: time(5, 12)) == "/srv/week end")
        #expect(folders.value(at: time(4, 12)) == "/srv/day")
        #expect(folders.value(at: time(5, 9)) == "/srv/day")
        #expect(folders.value(at: time(2, 3)) == "/srv/night")
        #expect(folders.secondsUntilChange(after: time(5, 9)) == 3600)
        #expect(folders.secondsUntilChange(after: time(5, 12)) == 4 * 3600)
    }

    @Test func daysOverTheEndOfTheWeek() throws {
        let dark = try WeeklySchedule("fri-mon 01:00-02:00")
        #expect((0...6).filter { dark.value(at: time($0, 1)) != nil } == [0, 4, 5, 6])
    }

    @Test func theSameValueIsNoChange() throws {
        let whole = try WeeklySchedule("00:00-12:00; 12:00-24:00")
        #expect(whole.secondsUntilChange(after: time(3, 4)) == nil)
        #expect(WeeklySchedule().secondsUntilChange(after: time(0, 0)) == nil)
        #expect(try WeeklySchedule(" ; ").isEmpty)
    }

    @Test(arguments: [
        "22:00", "22-07", "25:00-07:00", "22:60-23:00", "10:00-10:00", "24:00-01:00",
        "noday 1:00-2:00",
        "mon-tue-wed 1:00-2:00", "mon tue", "-1:00-2:00", "1:00-2:00-3:00", "1:00-2:00 /srv",
        "+1:00-2:00",
    ])
    func wrongSchedulesAreRefused(_ text: String) {
        #expect(throws: ScheduleError.self) { try WeeklySchedule(text) }
    }

    @Test func daysAloneAreWholeDays() throws {
        let schedule = try WeeklySchedule("mon-fri 19:00-07:00; sun")
        #expect(schedule.value(at: time(6, 0)) != nil && schedule.value(at: time(6, 23)) != nil)
        #expect(schedule.value(at: time(5, 12)) == nil)
    }

    @Test func aValueMayBeRequired() {
        #expect(throws: ScheduleError.self) { try WeeklySchedule("1:00-2:00", hasValues: true) }
    }

    /// Until the announced change the value stays, and then it is another one.
    @Test func changesAreWhereTheyAreAnnounced() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let entries = (0..<Int.random(in: 1...4, using: &random)).map { number in
                let hours = (0..<2).map { _ in Int.random(in: 0..<24, using: &random) }
                let day = ["", "mon ", "fri-sun "].randomElement(using: &random) ?? ""
                return "\(day)\(hours[0]):00-\(hours[1]):30 v\(number % 2)"
            }
            let schedule = try WeeklySchedule(entries.joined(separator: ";"), hasValues: true)
            let start = Int.random(in: 0..<604_800, using: &random)
            func at(_ second: Int) -> String? {
                let second = second % 604_800
                return schedule.value(at: LocalTime(day: second / 86_400, second: second % 86_400))
            }
            let time = LocalTime(day: start / 86_400, second: start % 86_400)
            let wait = schedule.secondsUntilChange(after: time)
            for step in stride(from: 0, to: wait ?? 604_800, by: 600) {
                #expect(at(start + step) == at(start))
            }
            if let wait {
                #expect(at(start + wait - 1) == at(start) && at(start + wait) != at(start))
            }
        }
    }
}
