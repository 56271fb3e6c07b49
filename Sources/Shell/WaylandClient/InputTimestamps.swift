import WaylandProtocol

/// When an event happened, as the compositor says.
package struct EventTime: Hashable {
    /// Milliseconds from wherever the compositor counts; they wrap.
    package let milliseconds: UInt32
    /// What comes on top, in milliseconds below 1; 0 where nothing finer is told.
    package let fraction: Double

    package init(_ milliseconds: UInt32, fraction: Double = 0) {
        (self.milliseconds, self.fraction) = (milliseconds, fraction)
    }
}

/// The finer times of a device's events, from compositors that tell them
/// (zwp_input_timestamps_v1).
///
/// A timestamp comes before the event that it belongs to.
final class InputTimestamps {
    private let raw: ZwpInputTimestampsV1
    /// In nanoseconds, for the next event that bears a time.
    private var pending: UInt64?

    init(_ raw: ZwpInputTimestampsV1) {
        self.raw = raw
        raw.onEvent = { [weak self] in
            guard case .timestamp(let high, let low, let nanoseconds) = $0 else { return }
            self?.note(UInt64(high) << 32 | UInt64(low), nanoseconds)
        }
    }

    deinit { raw.destroy() }

    private func note(_ seconds: UInt64, _ nanoseconds: UInt32) {
        guard nanoseconds < 1_000_000_000 else { return }
        pending = seconds &* 1_000_000_000 &+ UInt64(nanoseconds)
    }

    /// The time of the event that bears `time`: the finer one, if it is the same to the millisecond.
    func take(_ time: UInt32) -> EventTime {
        defer { pending = nil }
        guard let pending,
            UInt32(truncatingIfNeeded: pending / 1_000_000) == time
        else { return EventTime(time) }
        return EventTime(time, fraction: Double(pending % 1_000_000) / 1e6)
    }
}
