import Motion

/// When the wall clock is read, and the folder that it chooses.
struct KioskHours: Hashable, Sendable {
    /// When the wall clock is read again; nil without schedules.
    private(set) var check: Moment?
    /// The folder that is shown; nil for the given paths.
    private(set) var folder: String?

    /// The longest time between two readings of the wall clock, in seconds: the clock may leap.
    private static let longestPause = 60

    init(_ settings: KioskSettings, at moment: Moment) {
        check = settings.hasSchedules ? moment : nil
    }

    mutating func checkSoon(at moment: Moment) { check = moment }

    mutating func read(_ time: LocalTime, _ settings: KioskSettings, at moment: Moment) {
        let waits = [settings.dark, settings.folders].compactMap {
            $0.secondsUntilChange(after: time)
        }
        let pause = min(waits.min() ?? Self.longestPause, Self.longestPause)
        check = settings.hasSchedules ? moment.advanced(byMilliseconds: Double(pause) * 1000) : nil
        folder = settings.folders.value(at: time)
    }
}

extension KioskSettings {
    fileprivate var hasSchedules: Bool { !dark.isEmpty || !folders.isEmpty }
}
