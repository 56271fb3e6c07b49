/// How much of a screen's light above white pictures may use.
package enum LightUse: String, CaseIterable, Sendable {
    /// All of it.
    case full
    /// At most twice the light of white.
    case limited
    /// None.
    case off

    /// How many times as bright as white pictures may be.
    package var headroom: Double {
        switch self {
        case .full: .infinity
        case .limited: 2
        case .off: 1
        }
    }
}
