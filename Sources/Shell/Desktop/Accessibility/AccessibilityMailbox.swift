import Synchronization
import Threads

/// Passes the windows to the thread of the accessibility bus, and requests to the main thread.
final class AccessibilityMailbox: Sendable {
    private struct State {
        /// The latest windows that were not fetched.
        var windows: [AccessibilityWindow]?
        var requests: [WindowAccessibilityRequest] = []
        var mustStop = false
        var hasEnded = false
        /// The loop of the thread, once the thread waits in it.
        var loop: MainLoop?
    }

    /// Requests beyond so many that wait are dropped.
    private static let mostRequests = 64

    /// Raised when there is a request, and at the end of the thread.
    private let arrived: Wakeup
    private let state = Mutex(State())

    init(_ arrived: Wakeup) { self.arrived = arrived }

    // MARK: Main thread

    /// Leaves the windows as they are, instead of earlier ones that were not fetched.
    func show(_ windows: [AccessibilityWindow]) {
        state.withLock { state in
            state.windows = windows
            state.loop?.wake()
        }
    }

    func stop() {
        state.withLock { state in
            state.mustStop = true
            state.loop?.quit()
        }
    }

    func fetchRequests() -> (requests: [WindowAccessibilityRequest], hasEnded: Bool) {
        state.withLock { state in
            defer { state.requests = [] }
            return (state.requests, state.hasEnded)
        }
    }

    // MARK: Thread of the bus

    /// Makes later calls of the main thread wake the loop; ends the loop if it is to stop already.
    func setLoop(_ loop: MainLoop) {
        state.withLock { state in
            state.loop = loop
            if state.mustStop { loop.quit() }
        }
    }

    func fetchWindows() -> [AccessibilityWindow]? {
        state.withLock { state in
            defer { state.windows = nil }
            return state.windows
        }
    }

    func post(_ request: WindowAccessibilityRequest) {
        state.withLock { state in
            if state.requests.count < Self.mostRequests { state.requests.append(request) }
        }
        arrived.raise()
    }

    func finish() {
        state.withLock { state in
            state.loop = nil
            state.hasEnded = true
        }
        arrived.raise()
    }
}
