import Motion

/// Whether the screen of a kiosk is on: programs switch it, dark hours switch it off, and a touch wakes it.
struct ScreenPower: Hashable, Sendable {
    private(set) var isOn = true
    private var isInDarkHours = false
    /// Whether a program has switched the screen off.
    private var isSwitchedOff = false
    /// When the screen of a dark hour goes off again.
    private var wakeEnd: Moment?

    /// When the screen goes off; nil unless a touch or a program has woken it in dark hours.
    var deadline: Moment? { isInDarkHours && isOn ? wakeEnd : nil }

    /// A person wakes the screen, in dark hours for `wakeTime` in milliseconds.
    mutating func wake(at moment: Moment, for wakeTime: Double) {
        guard isInDarkHours || isSwitchedOff else { return }
        isSwitchedOff = false
        wakeEnd = moment.advanced(byMilliseconds: wakeTime)
        isOn = true
    }

    /// A program switches the screen on, in dark hours for `wakeTime` in milliseconds; or off.
    mutating func set(isOn: Bool, at moment: Moment, for wakeTime: Double) {
        isSwitchedOff = !isOn
        wakeEnd = isOn && isInDarkHours ? moment.advanced(byMilliseconds: wakeTime) : nil
        self.isOn = isOn
    }

    /// Follows the schedule: whoever uses the kiosk when dark hours begin has `wakeTime` after the last
    /// use, in milliseconds.
    mutating func follow(isInDarkHours isDark: Bool, lastUse: Moment?, for wakeTime: Double) {
        defer { isInDarkHours = isDark }
        if isDark {
            if !isInDarkHours { wakeEnd = lastUse?.advanced(byMilliseconds: wakeTime) }
            return
        }
        wakeEnd = nil
        if isInDarkHours { isSwitchedOff = false }
        if !isSwitchedOff { isOn = true }
    }

    mutating func advance(to moment: Moment) {
        if isInDarkHours, wakeEnd.map({ $0 <= moment }) ?? true { isOn = false }
    }
}
