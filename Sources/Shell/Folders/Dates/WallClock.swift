import Glibc
package import ImageTypes

/// What a wall clock shows, which is another time than that of UTC.
package struct WallTime: Comparable, Hashable, Sendable {
    /// As those of a timestamp, since 1970-01-01 00:00 of the clock.
    private let reading: Timestamp

    package init(seconds: Int, nanoseconds: Int = 0) {
        reading = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// Since 1970-01-01 00:00 of the clock.
    package var seconds: Int { reading.seconds }

    /// An unsigned number that sorts like the time.
    var sortKey: UInt64 { reading.sortKey }

    package static func < (a: WallTime, b: WallTime) -> Bool { a.reading < b.reading }
}

/// The clock on the wall of one place: pictures are in the order of their times by one clock.
///
/// Times of files, and times of cameras with an offset from UTC, are converted to the clock of the
/// place. A camera that does not tell its offset is believed to show the time of the place.
package struct WallClock: Sendable {
    /// How far the clock is ahead of UTC at a time in seconds since 1970-01-01 00:00 UTC.
    private let utcOffset: @Sendable (Int) -> Int
    /// A day in which the offset stays the same, and that offset: most pictures are of the same day
    /// as the one before, and the C library takes up to 3 µs for an offset.
    private var day = 0..<0
    private var offsetOfDay = 0

    package init(utcOffset: @escaping @Sendable (Int) -> Int) { self.utcOffset = utcOffset }

    /// The clock of this machine, by its time zone.
    package static let environment = WallClock { seconds in
        var (time, parts) = (time_t(seconds), tm())
        // No calendar has a year of more than 32 bits.
        return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
    }

    package mutating func time(_ timestamp: Timestamp) -> WallTime {
        let seconds = timestamp.seconds
        let sum = seconds.addingReportingOverflow(offset(at: seconds))
        return WallTime(
            seconds: sum.overflow ? seconds : sum.partialValue, nanoseconds: timestamp.nanoseconds)
    }

    package mutating func time(_ capture: CaptureTime) -> WallTime {
        guard let offset = capture.utcOffset else { return WallTime(seconds: capture.wallClock) }
        let instant = capture.wallClock.subtractingReportingOverflow(offset)
        return instant.overflow
            ? WallTime(seconds: capture.wallClock) : time(Timestamp(seconds: instant.partialValue))
    }

    private mutating func offset(at seconds: Int) -> Int {
        if day.contains(seconds) { return offsetOfDay }
        guard seconds.magnitude < 1 << 60 else { return 0 }
        let length = 86_400
        let remainder = seconds % length
        let start = seconds - remainder - (remainder < 0 ? length : 0)
        let offset = utcOffset(start)
        guard offset == utcOffset(start + length) else { return utcOffset(seconds) }
        (day, offsetOfDay) = (start..<(start + length), offset)
        return offset
    }
}
