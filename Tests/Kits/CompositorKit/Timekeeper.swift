import Geometry
import Glibc
package import Motion

/// The clock of a test compositor, and how it waits.
package struct Timekeeper {
    /// The current time.
    package let now: () -> Moment
    /// Waits until `end`, or until there is input at the descriptor.
    package let wait: (_ descriptor: Int32, _ end: Moment) -> Void

    package init(
        now: @escaping () -> Moment, wait: @escaping (_ descriptor: Int32, _ end: Moment) -> Void
    ) {
        self.now = now
        self.wait = wait
    }

    /// The real clock, for clients that are processes of their own.
    package static var real: Timekeeper {
        Timekeeper(now: monotonic) { descriptor, end in
            let left = end.seconds(since: monotonic()) * 1000
            guard left > 0 else { return }
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = Glibc.poll(&poll, 1, Int32(left.rounded(.up)))
        }
    }

    private static func monotonic() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(
            milliseconds: Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000)
    }
}

/// A manual clock that advances only during waits.
///
/// Each wait first runs the client on the test's thread, so every event happens at its exact time.
package final class ManualTime {
    package var now = Moment(milliseconds: 1_000_000)
    /// Runs the client once: read, handle, send.
    ///
    /// Returns when the client has work again even without events, or nil.
    package var turn: () -> Moment? = { nil }
    /// The shortest advance; without one, work that is always due would stop the clock.
    private static let shortest = 0.25

    package init() {}

    /// Advances the clock by `seconds` from one work of the client to the next, as a loop that waits.
    ///
    /// Returns how often the client had work.
    package func sleep(seconds: Double) -> Int {
        let end = now.advanced(byMilliseconds: seconds * 1000)
        var count = 0
        while now < end {
            guard let next = turn(), next < end else {
                now = end
                break
            }
            count += 1
            now = max(next, now.advanced(byMilliseconds: Self.shortest))
        }
        return count
    }

    package var timekeeper: Timekeeper {
        Timekeeper(now: { self.now }) { _, end in
            let soonest = self.now.advanced(byMilliseconds: Self.shortest)
            let next = self.turn().map { min(max($0, soonest), end) }
            self.now = max(self.now, next ?? end)
        }
    }
}
