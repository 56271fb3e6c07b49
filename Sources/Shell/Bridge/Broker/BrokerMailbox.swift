import Motion
import Synchronization
import Threads

/// Passes publications to the thread of the broker, and events to the main thread.
///
/// Bounded: a topic has one publication at most, the newest, and commands beyond a few are dropped.
final class BrokerMailbox: Sendable {
    enum Event: Sendable {
        case connected
        /// Why there is no connection, as a message for people.
        case disconnected(String)
        case command(part: String, payload: [UInt8])
    }

    private struct State {
        /// The topics in the order of their publication.
        var topics: [String] = []
        var payloads: [String: String] = [:]
        var events: [Event] = []
        var commandCount = 0
        var droppedCount = 0
        var isStopping = false
    }

    /// How many commands wait at most.
    private static let mostCommands = 32

    /// Raised when there is an event.
    let arrived = Wakeup()
    /// Raised when there is a publication, or the connection is to end.
    let waiting = Wakeup()
    /// Raised when the thread of the broker has ended.
    let ended = Signal()
    private let state = Mutex(State())

    // MARK: Main thread

    func publish(_ publications: [Publication]) {
        guard !publications.isEmpty else { return }
        state.withLock { state in
            for publication in publications
            where state.payloads.updateValue(publication.payload, forKey: publication.topic) == nil
            {
                state.topics.append(publication.topic)
            }
        }
        waiting.raise()
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        waiting.raise()
    }

    /// The events since the last call, and how many commands were dropped.
    func fetchEvents() -> (events: [Event], dropped: Int) {
        arrived.lower()
        return state.withLock { state in
            defer { (state.events, state.commandCount, state.droppedCount) = ([], 0, 0) }
            return (state.events, state.droppedCount)
        }
    }

    // MARK: Thread of the broker

    var isStopping: Bool { state.withLock(\.isStopping) }

    /// Publications of the last connection are out of date.
    func forgetPublications() {
        state.withLock { ($0.topics, $0.payloads) = ([], [:]) }
    }

    func nextPublication() -> Publication? {
        state.withLock { state in
            guard let topic = state.topics.first else { return nil }
            state.topics.removeFirst()
            return Publication(topic, state.payloads.removeValue(forKey: topic) ?? "")
        }
    }

    var hasPublications: Bool { state.withLock { !$0.topics.isEmpty } }

    func post(_ event: Event) {
        state.withLock { state in
            if case .command = event {
                guard state.commandCount < Self.mostCommands else { return state.droppedCount += 1 }
                state.commandCount += 1
            }
            state.events.append(event)
        }
        arrived.raise()
    }
}
