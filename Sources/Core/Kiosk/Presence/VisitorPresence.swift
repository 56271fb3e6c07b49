import Input
import Motion

/// When a person last used the kiosk.
struct VisitorPresence: Hashable, Sendable {
    private var filter = PresenceFilter()
    private(set) var lastInput: Moment
    /// Whether the start screen is shown as it was at the start.
    private(set) var isAtStart = true

    init(at moment: Moment) { lastInput = moment }

    /// When a person last used a kiosk that does not show its start screen; nil if it does.
    var lastUse: Moment? { isAtStart ? nil : lastInput }

    mutating func isUserInput(_ event: InputEvent) -> Bool { filter.isUserInput(event) }

    mutating func noteInput(at moment: Moment) { (lastInput, isAtStart) = (moment, false) }

    /// Begins the time without input anew, without a person.
    mutating func postpone(to moment: Moment) { lastInput = max(lastInput, moment) }

    mutating func returnToStart() { isAtStart = true }
}
