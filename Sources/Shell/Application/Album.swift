import Folders
import Glibc

/// The newest listing of the pictures to show.
///
/// Other types identify pictures by their index in the listing. State that outlives a listing uses the
/// entry's id.
final class Album {
    private var monitor: FolderMonitor
    private(set) var listing = Listing.empty
    /// Whether the next listing is that of other paths.
    private var isReplaced = false
    /// Whether an update is certain to follow.
    private(set) var isWaiting = false
    /// Whether all given paths have been read.
    private(set) var isComplete = false
    /// Why the first given path that could not be read could not.
    private(set) var problem: String?
    private(set) var options: ListingOptions
    /// The name of the only folder or file that was given; nil for several.
    private(set) var name: String?
    /// Whether nothing was given to read.
    private(set) var isEmpty: Bool

    /// Starts reading `paths`.
    init(_ paths: [FilePath], options: ListingOptions) {
        monitor = FolderMonitor(paths, options: options)
        self.options = options
        name = paths.count == 1 ? paths.first?.resolvedName : nil
        isEmpty = paths.isEmpty
    }

    /// Starts reading other paths; the listing stays until the first update of the new one.
    ///
    /// No id of the new listing was ever one of another listing. `pollDescriptor` changes.
    func replace(with paths: [FilePath]) {
        // A thread of its own for each album: the one before may hang in an unreachable folder.
        monitor = FolderMonitor(paths, options: options, after: listing)
        (isReplaced, isWaiting, isComplete, problem) = (true, true, false, nil)
        name = paths.count == 1 ? paths.first?.resolvedName : nil
        isEmpty = paths.isEmpty
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

    /// Applies the newest update; returns nil if there is none.
    func fetchChange() -> ListingChange? {
        guard let update = monitor.fetchUpdate() else { return nil }
        let earlier = listing
        apply(update)
        defer { isReplaced = false }
        return ListingChange(earlier: earlier, current: listing, isReplacement: isReplaced)
    }

    private func apply(_ update: ListingUpdate) {
        isWaiting = false
        listing = update.listing
        isComplete = isComplete || update.isComplete
        if problem == nil, let first = update.problems.first(where: { !$0.isEmptyFolder }) {
            problem = "\(first)"
        }
        for problem in update.problems { Diagnostics.error(problem.path, problem.reason) }
    }

    /// Sets when pictures were taken, by the ids of their entries; an update follows.
    func setTaken(_ dates: [Int: Timestamp]) {
        monitor.setTaken(dates)
        isWaiting = true
    }

    /// Changes the order; an update follows.
    func sort(_ order: ListingOrder) {
        guard order != options.order else { return }
        options.order = order
        monitor.setOptions(options)
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

extension FilePath {
    /// The name of a folder for display; that of the working folder for "." and the like.
    fileprivate var resolvedName: String {
        guard name == Array(".".utf8) || name == Array("..".utf8),
            let resolved = withCString({ realpath($0, nil) })
        else { return displayName }
        defer { free(resolved) }
        return FilePath(Array(String(cString: resolved).utf8)).displayName
    }
}
