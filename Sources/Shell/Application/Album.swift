import Folders
import Glibc

/// The newest listing of the pictures to show.
///
/// Other types identify pictures by their index in the listing. State that outlives a listing uses the
/// entry's id.
final class Album {
    private let monitor: FolderMonitor
    private(set) var listing = Listing.empty
    /// Whether an update is certain to follow.
    private(set) var isWaiting = false

    /// Starts reading `paths`.
    init(_ paths: [FilePath], options: ListingOptions) {
        monitor = FolderMonitor(paths, options: options)
    }

    /// Readable when the listing has changed.
    var pollDescriptor: Int32 { monitor.pollDescriptor }

    /// Waits until everything has been read; reports problems on standard error.
    func readAll() {
        apply(monitor.waitUntilComplete())
    }

    /// Waits for the first pictures, or until everything has been read.
    func readFirst() {
        while true {
            var ready = pollfd(fd: pollDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&ready, 1, -1)
            guard let update = monitor.fetchUpdate() else { continue }
            apply(update)
            if listing.count > 0 || update.isComplete { return }
        }
    }

    /// Applies the newest update; returns the previous listing, or nil if there is no update.
    func fetchUpdate() -> Listing? {
        guard let update = monitor.fetchUpdate() else { return nil }
        let earlier = listing
        apply(update)
        return earlier
    }

    private func apply(_ update: ListingUpdate) {
        isWaiting = false
        listing = update.listing
        for problem in update.problems { Diagnostics.error(problem.path, problem.reason) }
    }

    /// Sets when pictures were taken, by the ids of their entries; an update follows.
    func setTaken(_ dates: [Int: Timestamp]) {
        monitor.setTaken(dates)
        isWaiting = true
    }

    var count: Int { listing.count }

    func id(_ index: Int) -> Int { listing.entries[index].id }

    func entry(_ id: Int) -> Entry? { listing.index(of: id).map { listing.entries[$0] } }

    func path(_ id: Int) -> FilePath? { listing.index(of: id).map { listing.path(at: $0) } }

    func title(_ index: Int) -> String {
        index < listing.count ? listing.title(at: index) : ""
    }
}
