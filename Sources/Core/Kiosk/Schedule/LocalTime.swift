/// A time of the week by the wall clock, without a date or a time zone.
package struct LocalTime: Hashable, Sendable {
    /// Days since Monday, 0…6.
    package var day: Int
    /// Seconds since midnight, 0…86,399; a leap second counts as the second before.
    package var second: Int

    package init(day: Int, second: Int) {
        self.day = min(max(day, 0), 6)
        self.second = min(max(second, 0), Self.secondsOfDay - 1)
    }

    static let secondsOfDay = 86_400
    static let secondsOfWeek = 7 * secondsOfDay

    /// Seconds since Monday, 0:00.
    var secondOfWeek: Int { day * Self.secondsOfDay + second }
}
