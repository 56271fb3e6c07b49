import WaylandProtocol

/// The time of an event, as the compositor reports it.
package struct EventTime: Hashable {
    /// Milliseconds since an epoch of the compositor's choice; they wrap.
    package let milliseconds: UInt32
    /// The fraction of a millisecond to add, in milliseconds, from 0 to below 1; 0 if unknown.
    package let fraction: Double

    package init(_ milliseconds: UInt32, fraction: Double = 0) {
        (self.milliseconds, self.fraction) = (milliseconds, fraction)
    }
}

/// High-resolution times of a device's events (zwp_input_timestamps_v1).
///
/// A timestamp arrives before the event that it belongs to.
final class InputTimestamps {
    private let raw: ZwpInputTimestampsV1
    /// The timestamp of the next event that has a time, in nanoseconds.
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

    /// Consumes the timestamp of an event with the time `time`; a timestamp of another millisecond
    /// is ignored.
    func consume(_ time: UInt32) -> EventTime {
        defer { pending = nil }
        guard let pending,
            UInt32(truncatingIfNeeded: pending / 1_000_000) == time
        else { return EventTime(time) }
        return EventTime(time, fraction: Double(pending % 1_000_000) / 1e6)
    }
}
