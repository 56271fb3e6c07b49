import Glibc
import Motion
import WaylandProtocol

/// When frames were really shown, on the clock that events are on.
final class Presentation {
    private let raw: WpPresentation
    private var clock = CLOCK_MONOTONIC
    /// What is not answered yet, by commit; as some compositors never answer, old ones are dropped.
    private var waiting: [Int: WpPresentationFeedback] = [:]
    private static let mostWaiting = 16

    init(raw: WpPresentation) {
        self.raw = raw
        raw.onEvent = { [weak self] in
            if case .clockId(let clock) = $0 { self?.clock = clockid_t(bitPattern: clock) }
        }
    }

    /// Asks about the next commit of the surface, which bears that number; `shown` is not called
    /// for a frame that never was.
    func watch(
        _ surface: WlSurface, commit: Int,
        shown: @escaping (_ at: Moment, _ refresh: Double?) -> Void
    ) {
        let feedback = raw.feedback(surface: surface)
        waiting[commit] = feedback
        waiting[commit - Self.mostWaiting] = nil
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
            self?.waiting[commit] = nil
        }
    }

    /// The moment of a time on the compositor's clock, in milliseconds.
    private func moment(_ time: Double) -> Moment {
        guard clock != CLOCK_MONOTONIC else { return Moment(milliseconds: time) }
        let ahead = MonotonicClock.now().milliseconds - MonotonicClock.read(clock).milliseconds
        return Moment(milliseconds: time + ahead)
    }
}
