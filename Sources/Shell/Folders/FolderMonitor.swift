import CLinux
import Glibc
import Threads

/// The pictures in files and folders, kept up to date while they come, go, change and are renamed.
///
/// It belongs to a poll loop: poll `pollDescriptor`, then call `takeUpdate`. Folders are read,
/// watched and sorted on a thread of its own; what is fetched is ready to be shown.
package final class FolderMonitor {
    private let mailbox = Mailbox()

    /// Begins to read `paths`: files as given, folders with the pictures in them, `-` for standard
    /// input.
    package init(_ paths: [FilePath], options: ListingOptions = ListingOptions()) {
        let mailbox = mailbox
        let hasThread = Thread.start { FolderScanner(paths, options, mailbox).run() }
        // Without a thread the folders are read here and now, and not watched.
        if !hasThread { FolderScanner(paths, options, mailbox).readOnce() }
    }

    deinit { mailbox.stop() }

    /// Readable when there is an update.
    package var pollDescriptor: Int32 { mailbox.updated.descriptor }

    /// The newest state, if there is one that was not fetched yet.
    ///
    /// `Listing.index(of:in:)` tells where the pictures of the one before are now.
    package func takeUpdate() -> ListingUpdate? { mailbox.takeUpdate() }

    /// Waits until everything that was given has been read, and fetches that; updates that come
    /// before are not seen.
    package func waitUntilComplete() -> ListingUpdate {
        var problems: [ListingProblem] = []
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
    package func setOptions(_ options: ListingOptions) {
        mailbox.ask { $0.options = options }
    }

    /// Tells when pictures were taken, by the ids of their entries; an update follows.
    package func setTaken(_ dates: [Int: Timestamp]) {
        mailbox.ask { $0.taken.merge(dates) { _, new in new } }
    }
}
