import EventLoop
import Glibc
import Motion
import WaylandProtocol

/// The times at which frames were shown, on the clock of the events.
final class Presentation {
    private let raw: WpPresentation
    private var clock = CLOCK_MONOTONIC
    /// The pending feedback objects, by commit; old ones are dropped, since some compositors never
    /// answer.
    private var pending: [Int: WpPresentationFeedback] = [:]
    private static let pendingLimit = 16

    init(raw: WpPresentation) {
        self.raw = raw
        raw.onEvent = { [weak self] in
            if case .clockId(let clock) = $0 { self?.clock = clockid_t(bitPattern: clock) }
        }
    }

    /// Requests feedback for the next commit of the surface, which has the number `commit`.
    ///
    /// `shown` receives the time of presentation and the refresh period in milliseconds, nil if
    /// there is no fixed one. It is not called for a frame that was never shown.
    func watch(
        _ surface: WlSurface, commit: Int,
        shown: @escaping (_ at: Moment, _ refresh: Double?) -> Void
    ) {
        let feedback = raw.feedback(surface: surface)
        pending[commit] = feedback
        pending[commit - Self.pendingLimit] = nil
        feedback.onEvent = { [weak self] event in
            switch event {
            case .syncOutput: return
            case .discarded: break
            case .presented(let high, let low, let nanoseconds, let refresh, _, _, _):
                guard let self else { return }
                let seconds = Double(UInt64(high) << 32 | UInt64(low))
                let time = seconds * 1000 + Double(nanoseconds) / 1_000_000
                shown(self.moment(time), refresh == 0 ? nil : Double(refresh) / 1_000_000)
            }
            self?.pending[commit] = nil
        }
    }

    /// The moment of a time on the compositor's clock, in milliseconds.
    private func moment(_ time: Double) -> Moment {
        guard clock != CLOCK_MONOTONIC else { return Moment(milliseconds: time) }
        let ahead = MonotonicClock.now().milliseconds - MonotonicClock.read(clock).milliseconds
        return Moment(milliseconds: time + ahead)
    }
}
