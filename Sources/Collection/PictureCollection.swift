import CLinux
import Glibc
import Threads

/// The pictures in files and folders, kept up to date while they come, go, change and are renamed.
///
/// It belongs to a poll loop: poll `pollDescriptor`, then call `takeUpdate`. Folders are read,
/// watched and sorted on a thread of its own; what is fetched is ready to be shown.
package final class PictureCollection {
    private let exchange = Exchange()

    /// Begins to read `paths`: files as given, folders with the pictures in them, `-` for standard
    /// input.
    package init(_ paths: [FilePath], options: CollectionOptions = CollectionOptions()) {
        let exchange = exchange
        let hasThread = Thread.start { Librarian(paths, options, exchange).run() }
        // Without a thread the folders are read here and now, and not watched.
        if !hasThread { Librarian(paths, options, exchange).readOnce() }
    }

    deinit { exchange.stop() }

    /// Readable when there is an update.
    package var pollDescriptor: Int32 { exchange.updated.descriptor }

    /// The newest state, if there is one that was not fetched yet.
    ///
    /// `Listing.index(of:in:)` tells where the pictures of the one before are now.
    package func takeUpdate() -> CollectionUpdate? { exchange.takeUpdate() }

    /// Waits until everything that was given has been read, and fetches that; updates that come
    /// before are not seen.
    package func waitUntilComplete() -> CollectionUpdate {
        var problems: [CollectionProblem] = []
        while true {
            var ready = pollfd(fd: pollDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&ready, 1, -1)
            guard var update = takeUpdate() else { continue }
            problems += update.problems
            guard update.isComplete else { continue }
            update.problems = problems
            return update
        }
    }

    /// Lists in another order, or more or fewer folders; an update follows.
    package func setOptions(_ options: CollectionOptions) {
        exchange.ask { $0.options = options }
    }

    /// Tells when pictures were taken, by the ids of their entries; an update follows.
    package func setTaken(_ dates: [Int: Timestamp]) {
        exchange.ask { $0.taken.merge(dates) { _, new in new } }
    }
}
