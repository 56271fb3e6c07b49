import Edits
import ImageTypes
import Synchronization
import Threads

/// Passes requests and updates between `FolderMonitor` and the thread of `FolderScanner`.
final class Mailbox: Sendable {
    /// Pending requests to the scanner; cleared when read.
    struct Requests {
        /// The number of the last request.
        var number = 0
        var options: ListingOptions?
        var wantsRescan = false
        /// When pictures were taken, by their ids.
        var taken: [Int: CaptureTime] = [:]
        /// What pictures are marked with, by their ids.
        var marks: [Int: PictureMark] = [:]
        var followed: FollowedPictures?
    }

    /// Raised when there is an update.
    let updated = Wakeup()
    /// Raised when there is a request or a stop.
    let requested = Wakeup()
    /// Raised by a stop.
    let stopping = Wakeup()
    private let update = Mutex<ListingUpdate?>(nil)
    private let requests = Mutex(Requests())
    private let stopped = Atomic(false)

    var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func stop() {
        stopped.store(true, ordering: .relaxed)
        stopping.raise()
        requested.raise()
    }

    /// Replaces an update that was not fetched, but keeps its problems.
    func post(_ new: ListingUpdate) {
        update.withLock { update in
            var new = new
            new.problems = (update?.problems ?? []) + new.problems
            update = new
        }
        updated.raise()
    }

    func fetchUpdate() -> ListingUpdate? {
        updated.lower()
        return update.withLock { update in
            defer { update = nil }
            return update
        }
    }

    /// Notes a request; returns its number.
    @discardableResult
    func ask(_ change: (inout sending Requests) -> Void) -> Int {
        let number: Int = requests.withLock { requests in
            requests.number += 1
            let number: Int = requests.number
            change(&requests)
            return number
        }
        requested.raise()
        return number
    }

    func fetchRequests() -> Requests {
        requested.lower()
        return requests.withLock { requests in
            defer { requests = Requests(number: requests.number) }
            return requests
        }
    }
}
