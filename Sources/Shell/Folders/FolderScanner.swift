import CLinux
import Glibc
import Threads

/// The thread of a collection: reads what was given, watches it, and posts a listing after every
/// change.
final class FolderScanner {
    let paths: [FilePath]
    let mailbox: Mailbox
    var options: ListingOptions
    var builder = ListingBuilder()
    let watch = FolderWatch()
    /// Which folders a watch tells of: one can be reached by several paths.
    var watched: [Int32: [Int]] = [:]
    /// Halves of renames whose other half has not come.
    var moves: [UInt32: [ListingBuilder.Place]] = [:]
    /// Whether everything has to be read once more.
    var needsCensus = false
    private var problems: [ListingProblem] = []
    /// Told already; said again only after they had gone.
    private var knownProblems: Set<ListingProblem> = []
    private var currentProblems: Set<ListingProblem> = []
    private var posted = 0
    private var isComplete = false
    private var lastPost = Clock.now()
    /// How long the last listing took to make, in milliseconds.
    private var cost = 0.0

    /// Changes that come closer together than this, in milliseconds, are one.
    private static let quiet = 40
    /// A listing is never older than this, in milliseconds, while changes go on.
    private static let longest = 250.0
    /// Making listings takes no more than one part in this of the time.
    private static let share = 4.0
    /// The first listing of a folder that is still being read has so many pictures.
    private static let firstCount = 256

    init(_ paths: [FilePath], _ options: ListingOptions, _ mailbox: Mailbox) {
        self.paths = paths
        self.options = options
        self.mailbox = mailbox
    }

    func readOnce() {
        read()
        isComplete = true
        post()
    }

    /// Serves until the collection goes.
    func run() {
        readOnce()
        var firstChange: Double?
        while !mailbox.isStopped {
            let hasNews = wait(firstChange == nil ? -1 : Self.quiet)
            if mailbox.isStopped { return }
            let now = Clock.now()
            if takeRequests() || takeEvents() { firstChange = firstChange ?? now }
            guard let first = firstChange, now - lastPost >= Self.share * cost else { continue }
            guard !hasNews || now - first >= Self.longest else { continue }
            firstChange = nil
            settle()
            post()
        }
    }

    /// Waits at most so long, in milliseconds (-1: forever); whether something has come.
    private func wait(_ milliseconds: Int) -> Bool {
        var polls = [watch.descriptor, mailbox.requested.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        return poll(&polls, nfds_t(polls.count), Int32(milliseconds)) > 0
    }

    private func takeRequests() -> Bool {
        let requests = mailbox.takeRequests()
        if !requests.taken.isEmpty { builder.setTaken(requests.taken) }
        guard let options = requests.options else { return !requests.taken.isEmpty }
        if options.isRecursive != self.options.isRecursive { needsCensus = true }
        self.options = options
        if options.needsDetails { completeDetails() }
        return true
    }

    /// What has happened is over: halves of renames went elsewhere, lost events are made up for.
    func settle() {
        for place in moves.values.joined() { builder.remove(place) }
        moves = [:]
        guard needsCensus else { return }
        needsCensus = false
        // Folders that moved are watched under their old names.
        let before = watched.keys
        watched = [:]
        builder.beginCensus()
        read()
        builder.endCensus()
        for number in before where watched[number] == nil { watch.remove(number) }
    }

    private func read() {
        currentProblems = []
        for (root, path) in paths.enumerated() where !mailbox.isStopped { read(path, root) }
        knownProblems = currentProblems
    }

    private func completeDetails() {
        for place in builder.placesWithoutDetails {
            var info = stat()
            let path = path(of: place)
            if path.withCString({ stat($0, &info) }) == 0 {
                builder.complete(place, with: Entry.Details(info))
            }
        }
    }

    func path(of place: ListingBuilder.Place) -> FilePath {
        FilePath(builder.folders[place.folder].prefix + place.name)
    }

    func report(_ path: FilePath, _ reason: String) {
        let problem = ListingProblem(path: path, reason: reason)
        if currentProblems.insert(problem).inserted, !knownProblems.contains(problem) {
            problems.append(problem)
        }
    }

    /// While the first reading goes on, now and then shows what there is: each time there are four
    /// times as many, or when a slow disk has let someone wait for long.
    func postProgress() {
        guard !isComplete, builder.count > posted else { return }
        let isMuch = builder.count >= max(Self.firstCount, 4 * posted)
        if isMuch || Clock.now() - lastPost >= max(Self.longest, Self.share * cost) { post() }
    }

    func post() {
        let start = Clock.now()
        let listing = builder.listing(in: options.order)
        posted = listing.count
        mailbox.post(
            ListingUpdate(listing: listing, problems: problems, isComplete: isComplete))
        problems = []
        lastPost = Clock.now()
        cost = lastPost - start
    }
}

/// The system's clock.
private enum Clock {
    /// Milliseconds since some moment in the past; never goes back.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }
}
