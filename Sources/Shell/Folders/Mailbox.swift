import Synchronization
import Threads

/// What the two threads of a collection say to each other.
final class Mailbox: Sendable {
    /// What the scanner is asked for; emptied when it is read.
    struct Requests {
        var options: ListingOptions?
        /// When pictures were taken, by their ids.
        var taken: [Int: Timestamp] = [:]
    }

    /// Raised when there is an update.
    let updated = Wakeup()
    /// Raised when there is a request, or the end.
    let requested = Wakeup()
    private let update = Mutex<ListingUpdate?>(nil)
    private let requests = Mutex(Requests())
    private let stopped = Atomic(false)

    var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func stop() {
        stopped.store(true, ordering: .relaxed)
        requested.raise()
    }

    /// Puts an update in the place of one that was not fetched; its problems are kept.
    func post(_ new: ListingUpdate) {
        update.withLock { update in
            var new = new
            new.problems = (update?.problems ?? []) + new.problems
            update = new
        }
        updated.raise()
    }

    func takeUpdate() -> ListingUpdate? {
        updated.lower()
        return update.withLock { update in
            defer { update = nil }
            return update
        }
    }

    func ask(_ change: (inout sending Requests) -> Void) {
        requests.withLock { change(&$0) }
        requested.raise()
    }

    func takeRequests() -> Requests {
        requested.lower()
        return requests.withLock { requests in
            defer { requests = Requests() }
            return requests
        }
    }
}
