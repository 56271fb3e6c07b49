import Localization

/// Values by the time of the week: hours of darkness, or the folders of a kiosk.
///
/// Written as entries with semicolons between them: days, hours and a value, such as
/// `mon-fri 08:00-18:00 /srv/day; sat,sun 10:00-16:00 /srv/weekend`. Without days an entry holds every
/// day. Hours whose end is not after their beginning end on the next day; 24:00 is midnight. Where
/// entries overlap, the first one counts.
package struct WeeklySchedule: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        /// In seconds since Monday, 0:00; the end may be in the next week.
        var spans: [Range<Int>]
        var value: String
    }

    private var entries: [Entry]

    /// Without entries.
    package init() { entries = [] }

    package var isEmpty: Bool { entries.isEmpty }

    // MARK: Reading

    /// Reads a schedule, whose values are empty unless `hasValues`.
    ///
    /// Throws the reason if the text has an error.
    package init(_ text: String, hasValues: Bool = false) throws(ScheduleError) {
        entries = []
        for part in text.split(separator: ";") {
            var words = part.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
            guard !words.isEmpty else { continue }
            var days = Array(0...6)
            if words[0].first?.isLetter == true {
                days = try Self.days(words.removeFirst())
            } else if words.count == 3 {
                // A value with a space.
                words = part.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            }
            // Days alone are whole days.
            var hours = 0..<LocalTime.secondsOfDay
            if let first = words.first { hours = try Self.hours(first) }
            let value = words.count > 1 ? words[1].trimmed : ""
            guard value.isEmpty != hasValues else {
                throw ScheduleError(
                    reason: hasValues
                        ? localized("“\(part.trimmed)” says nothing after its hours")
                        : localized("“\(value)” does not belong behind the hours"))
            }
            entries.append(
                Entry(
                    spans: days.map { day in
                        let start = day * LocalTime.secondsOfDay
                        return start + hours.lowerBound..<start + hours.upperBound
                    }, value: value))
        }
    }

    private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    private static func days(_ word: Substring) throws(ScheduleError) -> [Int] {
        var days: [Int] = []
        for part in word.lowercased().split(separator: ",") {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count <= 2, let first = names.firstIndex(of: String(ends[0])),
                let last = names.firstIndex(of: String(ends[ends.count - 1]))
            else {
                throw ScheduleError(
                    reason: localized(
                        "“\(part)” is no day; days are mon, tue, wed, thu, fri, sat and sun"))
            }
            // "fri-mon" goes over the end of the week.
            days += (first...(last < first ? last + 7 : last)).map { $0 % 7 }
        }
        return days
    }

    /// Seconds since midnight; the end may be on the next day.
    private static func hours(_ word: Substring) throws(ScheduleError) -> Range<Int> {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = seconds(ends[0]), let end = seconds(ends[1]),
            start < LocalTime.secondsOfDay
        else {
            throw ScheduleError(reason: localized("“\(word)” are no hours such as 22:00-07:00"))
        }
        guard start != end else {
            throw ScheduleError(
                reason: localized("“\(word)” ends when it begins; the whole day is 00:00-24:00"))
        }
        return start..<(end > start ? end : end + LocalTime.secondsOfDay)
    }

    private static func seconds(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(\.isWholeNumber) }),
            let hours = UInt(parts[0]), let minutes = UInt(parts[1]), minutes < 60,
            hours < 24 || hours == 24 && minutes == 0
        else { return nil }
        return Int(hours * 3600 + minutes * 60)
    }

    // MARK: Asking

    /// The value that holds at a time; nil if none does.
    package func value(at time: LocalTime) -> String? { value(atSecond: time.secondOfWeek) }

    private func value(atSecond second: Int) -> String? {
        let week = LocalTime.secondsOfWeek
        let now = second % week
        return entries.first { entry in
            entry.spans.contains { $0.contains(now) || $0.contains(now + week) }
        }?.value
    }

    /// The seconds until another value holds, by the wall clock; nil if the value never changes.
    package func secondsUntilChange(after time: LocalTime) -> Int? {
        let now = time.secondOfWeek
        let week = LocalTime.secondsOfWeek
        let waits = Set(
            entries.flatMap(\.spans).flatMap { [$0.lowerBound, $0.upperBound] }
                .map { (($0 - now) % week + week) % week })
        let current = value(at: time)
        return waits.sorted().first { $0 > 0 && value(atSecond: now + $0) != current }
    }
}

/// Why a schedule was refused, as a message for people.
package struct ScheduleError: Error, Hashable {
    package let reason: String
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
