/// A file time: the time since 1970-01-01 00:00 UTC, without leap seconds.
package struct Timestamp: Comparable, Hashable, Sendable {
    package var seconds: Int
    /// 0…999,999,999.
    package var nanoseconds: Int

    package init(seconds: Int, nanoseconds: Int = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool {
        (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
    }

    /// Nanoseconds since 1970 as an unsigned number that sorts like the timestamp.
    ///
    /// Valid for 292 years before and after 1970; all times beyond have the same key.
    var sortKey: UInt64 {
        let (whole, isFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isPast) = whole.addingReportingOverflow(nanoseconds)
        let signed = isFar || isPast ? (seconds < 0 ? Int.min : Int.max) : sum
        return UInt64(bitPattern: Int64(signed)) ^ (1 << 63)
    }
}

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
    package var year: Int
    /// 1…12.
    package var month: Int
    /// 1…31.
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day of a timestamp on a clock that is `utcOffset` seconds ahead of UTC.
    ///
    /// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days: years
    /// that begin in March put the leap day last, and 400 of them make an era of 146,097 days.
    package init(_ timestamp: Timestamp, utcOffset: Int) {
        let local = timestamp.seconds.addingReportingOverflow(utcOffset)
        let seconds = local.overflow ? timestamp.seconds : local.partialValue
        let days = Self.floorDivide(seconds, 86_400) + 719_468
        let era = Self.floorDivide(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    private static func floorDivide(_ a: Int, _ b: Int) -> Int {
        let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
