import Glibc
import Synchronization
import Threads

/// Whether the first fonts have been found, and how long texts wait for them.
final class FontOpening: Sendable {
    private struct State {
        /// How many threads look for fonts.
        var running = 0
        var isOpen = false
        /// Whether texts wait only for a short time.
        var isLimited = false
        /// When the thread that is still looking has begun, in milliseconds.
        var begun = 0
        /// Whether a text was in plain letters since the last preparation.
        var hasSubstituted = false
        var edition = 0

        mutating func begin(at now: Int) {
            if running == 0 { begun = now }
            running += 1
        }
    }

    private let state = Mutex(State())
    private let ended = Signal()

    /// The longest wait of a text, in milliseconds.
    private let patience: Int

    private static let step = 5

    /// Fonts take 20 to 40 ms on a usual machine.
    init(patience: Int = 100) { self.patience = patience }

    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    var edition: Int { state.withLock(\.edition) }

    func limitWaits() { state.withLock { $0.isLimited = true } }

    /// Looks for fonts on this thread.
    func run(_ work: () -> Void) {
        state.withLock { $0.begin(at: Self.now) }
        work()
        end()
    }

    private func end() {
        state.withLock {
            $0.running -= 1
            $0.isOpen = true
        }
        ended.raise()
    }

    /// Whether texts were in plain letters since the last call.
    func takeSubstitution() -> Bool {
        state.withLock { state in
            defer { state.hasSubstituted = false }
            if state.hasSubstituted { state.edition += 1 }
            return state.hasSubstituted
        }
    }

    /// Waits until the first fonts have been found, but not long where waits are limited; returns whether a
    /// text can be laid out now.
    ///
    /// `opening` looks for fonts; where waits are limited, another thread calls the function.
    func wait(opening: @escaping @Sendable () -> Void) -> Bool {
        let (isFree, starts) = state.withLock { state in
            let isFree = !state.isLimited || state.isOpen && state.running == 0
            let starts = !isFree && state.running == 0
            // Here, and not in the thread, which may begin later.
            if starts { state.begin(at: Self.now) }
            return (isFree, starts)
        }
        if isFree { return true }
        let work: @Sendable () -> Void = { [self] in
            opening()
            end()
        }
        if starts, !Thread.start(work) { work() }
        while true {
            let rest = state.withLock { state in
                state.isOpen && state.running == 0 ? nil : state.begun + patience - Self.now
            }
            guard let rest else { return true }
            guard rest > 0 else {
                state.withLock { $0.hasSubstituted = true }
                return false
            }
            // The signal wakes one of several threads.
            _ = ended.wait(atMost: min(rest, Self.step))
        }
    }
}
