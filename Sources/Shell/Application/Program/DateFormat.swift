import Folders
import Glibc
import SceneModel
import SystemCalls

/// Dates and times as people of a locale write them, such as "21 June 2026, 20:41".
///
/// The C library has no format with the name of the month and without the seconds: the order of day,
/// month and year, and whether hours count to 12, are those of its short formats.
///
/// `@unchecked Sendable`: all properties are constants. The locale object is never changed between `init` and
/// `deinit`; functions of the C library that take a locale object only read it, or take the library's own lock.
final class DateFormat: @unchecked Sendable {
    private let locale: locale_t
    /// The format for strftime(3).
    private let format: String
    /// The format of the time alone.
    private let timeFormat: String
    /// The format with the seconds.
    private let exactFormat: String

    /// The format of the environment, read once, with the time zone.
    static let environment: DateFormat? = {
        tzset()
        return Locale.ofTimes.flatMap { DateFormat(locale: $0) } ?? DateFormat(locale: "C")
    }()

    /// The format of a locale, such as "sv_SE.UTF-8"; nil where it is not installed.
    init?(locale name: String) {
        // Without the characters of the locale, strftime(3) has no names in UTF-8.
        let mask = LC_TIME_MASK | LC_CTYPE_MASK
        guard let locale = try? reporting({ newlocale(mask, name, nil) }) else { return nil }
        self.locale = locale
        let language = Locale.language(of: name)
        timeFormat = language == nil ? "%H:%M" : Self.timeFormat(locale)
        let date = language.map { Self.dateFormat($0, locale) } ?? "%-d %B %Y"
        format = date + ", " + timeFormat
        exactFormat = date + ", " + timeFormat.replacing("%M", with: "%M:%S")
    }

    deinit { freelocale(locale) }

    /// Languages that write a full stop after the number of the day.
    private static let ordinalDays: Set<String> = [
        "bs", "cs", "da", "de", "et", "fi", "fo", "hr", "is", "lb", "nb", "nn", "no", "sk", "sl",
    ]

    /// Languages whose short format does not tell the words and the order of the long date.
    ///
    /// In Catalan the C library's names of months have their preposition.
    private static let ownDates = [
        "ar": "%-d %B %Y", "ca": "%-d %B de %Y", "es": "%-d de %B de %Y", "gl": "%-d de %B de %Y",
        "he": "%-d ב%B %Y", "ja": "%Y年%-m月%-d日", "ko": "%Y년 %-m월 %-d일", "pt": "%-d de %B de %Y",
        "zh": "%Y年%-m月%-d日",
    ]

    /// 2033-11-22 15:04:05: no part looks like another one.
    private static var probe: tm {
        var probe = tm()
        (probe.tm_year, probe.tm_mon, probe.tm_mday) = (133, 10, 22)
        (probe.tm_hour, probe.tm_min, probe.tm_sec) = (15, 4, 5)
        return probe
    }

    private static func dateFormat(_ language: String, _ locale: locale_t) -> String {
        let primary = String(language.prefix { $0 != "-" })
        if let format = ownDates[primary] { return format }
        let numbers = text(probe, "%x", locale) ?? ""
        let day = numbers.firstRange(of: "22")?.lowerBound
        let month = numbers.firstRange(of: "11")?.lowerBound
        let year = numbers.firstRange(of: "33")?.lowerBound
        // Dates that begin with the year, and dates in other digits.
        guard let day, let month, let year, year > month else { return "%x" }
        if month < day { return "%B %-d, %Y" }
        return ordinalDays.contains(primary) ? "%-d. %B %Y" : "%-d %B %Y"
    }

    private static func timeFormat(_ locale: locale_t) -> String {
        let time = text(probe, "%X", locale) ?? ""
        let countsTo12 = !time.contains("15") && time.contains("3")
        let halves = text(probe, "%p", locale) ?? ""
        return countsTo12 && !halves.isEmpty ? "%-I:%M %p" : "%H:%M"
    }

    /// The text of a time on the clock of this machine; nil for a time that no calendar has.
    func text(local timestamp: Timestamp) -> String? {
        text(timestamp.seconds, format) { localtime_r($0, $1) }
    }

    /// The time of the day on the clock of this machine, by its time zone as it is now.
    func time(local timestamp: Timestamp) -> String? {
        tzset()
        return text(timestamp.seconds, timeFormat) { localtime_r($0, $1) }
    }

    /// The time of the day of seconds that count as on the clock that a person saw.
    func time(wallClock seconds: Int) -> String? {
        text(seconds, timeFormat) { gmtime_r($0, $1) }
    }

    /// The text of a time whose seconds count as on the clock that a person saw, such as that of a
    /// camera; nil for a time that no calendar has.
    func text(wallClock seconds: Int) -> String? {
        text(seconds, format) { gmtime_r($0, $1) }
    }

    /// The text of a date of metadata, such as "2026-06-21 20:41:07", with its seconds, and with the offset
    /// from UTC that may follow, such as " +02:00"; nil for another form.
    func text(metadata date: String) -> String? {
        let offset = String(date.dropFirst(Self.exactForm.count))
        guard let text = exactText(String(date.prefix(Self.exactForm.count))) else { return nil }
        if offset.isEmpty { return text }
        guard [" +00:00", " -00:00"].contains(Self.form(offset)) else { return nil }
        return text + " " + String(offset.dropFirst()).isolated
    }

    /// The form of a date of metadata without an offset.
    private static let exactForm = "0000-00-00 00:00:00"

    /// The text with zeros in place of all digits.
    private static func form(_ text: String) -> String {
        String(
            text.map { (sign: Character) -> Character in
                sign.isASCII && sign.isNumber ? "0" : sign
            })
    }

    private func exactText(_ date: String) -> String? {
        guard Self.form(date) == Self.exactForm else { return nil }
        let numbers = date.split { "-: ".contains($0) }.compactMap { Int32($0) }
        var parts = tm()
        (parts.tm_year, parts.tm_mon) = (numbers[0] - 1900, numbers[1] - 1)
        parts.tm_mday = numbers[2]
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        // timegm(3) brings what no calendar has into another month or day.
        var normal = parts
        let seconds = timegm(&normal)
        guard normal.tm_mon == parts.tm_mon, normal.tm_mday == parts.tm_mday,
            normal.tm_hour == parts.tm_hour, normal.tm_min == parts.tm_min,
            normal.tm_sec == parts.tm_sec
        else { return nil }
        return text(seconds, exactFormat) { gmtime_r($0, $1) }
    }

    private func text(
        _ seconds: Int, _ format: String,
        _ parts: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
    ) -> String? {
        var (time, parsed) = (time_t(seconds), tm())
        guard parts(&time, &parsed) != nil else { return nil }
        return Self.text(parsed, format, locale)
    }

    /// Nil where the text is empty, too long, or not UTF-8.
    private static func text(_ time: tm, _ format: String, _ locale: locale_t) -> String? {
        var (time, buffer) = (time, [CChar](repeating: 0, count: 256))
        let count = strftime_l(&buffer, buffer.count, format, &time, locale)
        guard count > 0 else { return nil }
        return String(validating: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
