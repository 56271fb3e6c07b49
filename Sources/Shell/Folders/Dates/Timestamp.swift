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
