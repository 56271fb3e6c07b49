import CLinux
import Browser
import Folders
import Geometry
import Glibc
import Motion
import Viewer

/// The time over a slideshow, by the wall clock and as the locale writes it.
///
/// The clock is read with every frame and on every minute, so that a clock that was set or moved to
/// another zone counts within a minute.
struct SlideClock {
    /// Whether the clock of the run counts instead of the wall clock, from noon on.
    private let isReproducible: Bool
    /// When the next minute begins; nil while the time is not shown.
    private(set) var deadline: Moment?

    private static let noon = 12 * 3600

    init(isReproducible: Bool) { self.isReproducible = isReproducible }

    mutating func update(_ browser: inout BrowserModel, at moment: Moment) {
        guard browser.viewer.showsTime, browser.mode == .viewer else {
            deadline = nil
            return
        }
        let (seconds, milliseconds) = now(at: moment)
        let text =
            isReproducible
            ? DateFormat.environment?.time(wallClock: seconds)
            : DateFormat.environment?.time(local: Timestamp(seconds: seconds))
        browser.viewer.setTime(text ?? "")
        let past = Double((seconds % 60 + 60) % 60) * 1000 + milliseconds
        // A millisecond later, so that the wake-up is never in the minute before.
        deadline = moment.advanced(byMilliseconds: 60_001 - past)
    }

    /// Seconds since 1970, and milliseconds since the second.
    private func now(at moment: Moment) -> (Int, Double) {
        guard !isReproducible else {
            let whole = Int(clamping: (moment.milliseconds / 1000).rounded(.down))
            return (Self.noon + whole, moment.milliseconds - Double(whole) * 1000)
        }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (time.tv_sec, Double(time.tv_nsec) / 1e6)
    }
}
