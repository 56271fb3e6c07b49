import Localization

/// Keeps the messages of a day within a megabyte, so that a viewer that runs for a year fills no disk.
///
/// A token bucket: a burst may have `burst` bytes, and the bucket refills within a day, so that no 24
/// hours have more than `burst` + `daily` bytes.
struct LogBudget: Hashable, Sendable {
    /// In bytes.
    static let burst = 200_000.0
    /// In bytes; leaves room for the lines that this type adds.
    static let daily = 780_000.0
    /// Messages are written again once there is room for this many bytes.
    private static let resumption = 20_000.0

    private var room = burst
    private var lastTime = 0.0
    /// How many messages were left out since the last one that was written.
    private var leftOut = 0

    /// The lines to write for a message at `seconds` of a clock that never goes back; none if the message
    /// is left out.
    mutating func lines(for message: String, at seconds: Double) -> [String] {
        room = min(
            room + max(seconds - lastTime, 0) * Self.daily / 86_400, Self.burst)
        lastTime = max(seconds, lastTime)
        let length = Self.length(message)
        if leftOut > 0 {
            guard room >= max(Self.resumption, length) else {
                leftOut += 1
                return []
            }
            let notice = localized(
                "\(leftOut) message was left out", many: "\(leftOut) messages were left out",
                count: leftOut)
            leftOut = 0
            room -= length + Self.length(notice)
            return [notice, message]
        }
        guard room >= length else {
            leftOut = 1
            return [
                localized("there are too many messages: further ones are left out for some time")
            ]
        }
        room -= length
        return [message]
    }

    /// The length of a line with its prefix and its line break, in bytes.
    private static func length(_ message: String) -> Double { Double(message.utf8.count) + 10 }
}
