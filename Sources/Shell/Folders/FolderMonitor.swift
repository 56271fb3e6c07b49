package import Edits
package import ImageTypes
import SystemCalls
import Threads

/// Lists the pictures in files and folders, and keeps the listing up to date.
///
/// For use in a poll loop: poll `pollDescriptor`, then call `fetchUpdate`. Folders are read, watched
/// and sorted on a separate thread, so that an update is ready to be shown.
package final class FolderMonitor {
    private let mailbox = Mailbox()

    /// Starts to read `paths`: files, folders with the pictures in them, and the names of inputs.
    ///
    /// No id will be one of `earlier`, the last listing of a monitor that this one replaces. Takes over
    /// the socket that `FileClient.connectFolders` returned; -1 reads folders on a thread of this
    /// process.
    package init(
        _ paths: [FilePath], options: ListingOptions = ListingOptions(),
        after earlier: Listing = .empty, socket: Int32 = -1
    ) {
        let mailbox = mailbox
        let makeScanner = {
            @Sendable in
            FolderScanner(paths, options, mailbox, after: earlier, socket: socket)
        }
        let hasThread = Thread.start { makeScanner().run() }
        // If no thread can be started, the folders are read synchronously and not watched.
        if !hasThread { makeScanner().readOnce() }
    }

    deinit { mailbox.stop() }

    /// Readable when there is an update.
    package var pollDescriptor: Int32 { mailbox.updated.descriptor }

    /// The newest state, or nil if it was fetched before.
    ///
    /// `Listing.index(of:in:)` maps indices of an earlier listing to the new one.
    package func fetchUpdate() -> ListingUpdate? { mailbox.fetchUpdate() }

    /// Blocks until all given paths have been read, and returns that update.
    ///
    /// Earlier updates are dropped; the returned update contains their problems.
    package func waitUntilComplete() -> ListingUpdate {
        var problems: [ListingProblem] = []
        while true {
            waitUntilReady(pollDescriptor)
            guard var update = fetchUpdate() else { continue }
            problems += update.problems
            guard update.isComplete else { continue }
            update.problems = problems
            return update
        }
    }

    // Requests return their numbers, see `ListingUpdate.answered`.

    /// Changes the order, or whether subfolders are listed; an update follows.
    @discardableResult
    package func setOptions(_ options: ListingOptions) -> Int {
        mailbox.ask { $0.options = options }
    }

    /// Lists the given paths again; an update follows.
    @discardableResult
    package func rescan() -> Int { mailbox.ask { $0.wantsRescan = true } }

    /// Sets what pictures are marked with, by the ids of their entries; an update follows if the order
    /// or the choice of pictures depends on marks.
    @discardableResult
    package func setMarks(_ marks: [Int: PictureMark]) -> Int {
        mailbox.ask { $0.marks.merge(marks) { _, new in new } }
    }

    /// Sets which pictures a person sees or sees next; an update follows if their files have changed.
    package func follow(_ pictures: FollowedPictures) {
        mailbox.ask { $0.followed = pictures }
    }

    /// Sets when pictures were taken, by the ids of their entries; an update follows.
    @discardableResult
    package func setTaken(_ dates: [Int: CaptureTime]) -> Int {
        mailbox.ask { $0.taken.merge(dates) { _, new in new } }
    }
}
