/// When a picture was taken, by the clock of the camera.
package struct CaptureTime: Hashable, Sendable {
    /// Seconds since 1970-01-01 00:00 of the camera's clock.
    package var wallClock: Int
    /// How far that clock is ahead of UTC, in seconds; nil if the file does not say.
    package var utcOffset: Int?

    package init(wallClock: Int, utcOffset: Int? = nil) {
        self.wallClock = wallClock
        self.utcOffset = utcOffset
    }

    /// The offset of a text such as "+05:45"; nil if the text is no offset from UTC.
    package static func utcOffset(_ text: [UInt8]) -> Int? {
        let signs: [UInt8: Int] = [UInt8(ascii: "+"): 1, UInt8(ascii: "-"): -1]
        let digits = text.map { Int($0) - Int(UInt8(ascii: "0")) }
        guard text.count == 6, let sign = signs[text[0]], text[3] == UInt8(ascii: ":"),
            [1, 2, 4, 5].allSatisfy({ (0...9).contains(digits[$0]) })
        else { return nil }
        let (hours, minutes) = (digits[1] * 10 + digits[2], digits[4] * 10 + digits[5])
        let seconds = (hours * 60 + minutes) * 60
        guard minutes < 60, seconds <= mostOffset else { return nil }
        return sign * seconds
    }

    /// No clock is further from UTC, in seconds.
    package static let mostOffset = 14 * 3600
}
