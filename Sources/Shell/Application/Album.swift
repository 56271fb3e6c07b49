import Folders
import Glibc

/// The pictures on show: the newest listing of the collection, and where things are in it.
///
/// Everything else names pictures by their place in the listing; what outlives a listing goes by
/// the entry's id.
final class Album {
    private let collection: FolderMonitor
    private(set) var listing = Listing.empty
    /// Whether an update is sure to come.
    private(set) var isWaiting = false

    /// Begins to read `paths`.
    init(_ paths: [FilePath], options: ListingOptions) {
        collection = FolderMonitor(paths, options: options)
    }

    /// Readable when the collection has changed.
    var pollDescriptor: Int32 { collection.pollDescriptor }

    /// Waits until everything has been read; tells on standard error what cannot be shown.
    func readAll() {
        take(collection.waitUntilComplete())
    }

    /// Waits for the first pictures, or until there are none.
    func readFirst() {
        while true {
            var ready = pollfd(fd: pollDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&ready, 1, -1)
            guard let update = collection.takeUpdate() else { continue }
            take(update)
            if listing.count > 0 || update.isComplete { return }
        }
    }

    /// Takes the newest state; the listing before it, if there is one.
    func takeUpdate() -> Listing? {
        guard let update = collection.takeUpdate() else { return nil }
        let earlier = listing
        take(update)
        return earlier
    }

    private func take(_ update: ListingUpdate) {
        isWaiting = false
        listing = update.listing
        for problem in update.problems { Diagnostics.error(problem.path, problem.reason) }
    }

    /// Tells when pictures were taken, by the ids of their entries; an update follows.
    func setTaken(_ dates: [Int: Timestamp]) {
        collection.setTaken(dates)
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
