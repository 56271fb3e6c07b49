import Motion

/// The slideshow of a kiosk without visitors: one that the kiosk begins, or one that was left for the grid
/// and continues.
struct AttractMode: Hashable, Sendable {
    /// Whether a slideshow plays that has begun without visitors.
    private(set) var isOn = false
    /// Whether a slideshow plays, for whatever reason.
    private var plays = false
    /// The slideshow that was left for the grid; nil if there is none to go back to.
    private var left: LeftSlideshow?

    private struct LeftSlideshow: Hashable, Sendable {
        var since: Moment
        /// Milliseconds without input until the slideshow continues.
        var pause: Double
    }

    /// When a slideshow begins after `seconds` without input; nil if one plays, or for 0 seconds.
    func start(after seconds: Int, without input: Moment) -> Moment? {
        guard seconds > 0, !isOn, !plays else { return nil }
        return input.advanced(byMilliseconds: Double(seconds) * 1000)
    }

    /// When the slideshow that was left for the grid continues.
    func resumption(without input: Moment) -> Moment? {
        left.map { max(input, $0.since).advanced(byMilliseconds: $0.pause) }
    }

    mutating func start() { isOn = true }

    mutating func resume() { left = nil }

    /// A visitor has come; returns whether a slideshow ends.
    mutating func end() -> Bool {
        defer { isOn = false }
        return isOn
    }

    /// Returns whether somebody has ended a slideshow that had begun without visitors.
    mutating func setPlays(_ plays: Bool) -> Bool {
        guard plays != self.plays else { return false }
        self.plays = plays
        return !plays && end()
    }

    mutating func setReturn(after seconds: Int?, at moment: Moment) {
        left = seconds.map {
            LeftSlideshow(since: left?.since ?? moment, pause: Double($0) * 1000)
        }
    }
}
