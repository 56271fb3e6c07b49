import Interface
import Localization
import Motion

/// The time in which touches are ignored, so that the screen can be cleaned.
struct Cleaning: Hashable, Sendable {
    let end: Moment
    /// When the countdown changes.
    private(set) var nextCount: Moment

    /// In milliseconds.
    private static let duration = 30_000.0

    init(at moment: Moment) {
        end = moment.advanced(byMilliseconds: Self.duration)
        nextCount = moment.advanced(byMilliseconds: 1000)
    }

    mutating func advance(to moment: Moment) {
        while nextCount <= moment { nextCount = nextCount.advanced(byMilliseconds: 1000) }
    }

    func widget(on layout: BarLayout, at moment: Moment) -> Widget {
        let rest = Int((end.milliseconds - moment.milliseconds) / 1000) + 1
        let seconds = min(max(rest, 1), Int(Self.duration / 1000))
        return StatusPage.widget(
            localized("The screen can be cleaned"),
            localized(
                "Touches count again in \(seconds) second.",
                many: "Touches count again in \(seconds) seconds.", count: seconds),
            icon: .information, layout)
    }
}
