import CLinux
import FileAccess
import Glibc
import ImageWire
import SystemCalls
import Threads

/// Reads and watches the given paths on its own thread, and posts a listing after every change.
final class FolderScanner {
    let paths: [FilePath]
    /// Where given files are that were renamed, by the numbers of their paths.
    var newPaths: [Int: FilePath] = [:]
    let mailbox: Mailbox
    var options: ListingOptions
    var builder: ListingBuilder
    /// Everything that may wait for a folder happens in the server of this client.
    private(set) var files: FolderClient
    var watch: FolderWatch
    /// Which file systems hold the given paths.
    var mounts: MountWatch
    var moves = PendingMoves()
    /// The pictures whose files may have changed in this series of changes.
    var suspects: Set<ListingBuilder.Place> = []
    /// Whether all paths have to be read again.
    var needsRescan = false
    /// The paths that could not be read.
    var unread: [UnreadPath] = []
    /// Inputs that are not read yet.
    var awaited: Set<GivenInput> = []
    /// Of what the system does not tell.
    var polled = PolledPaths()
    var compared = ComparedPictures()
    /// When to look at what the system does not tell of.
    var schedule: LookSchedule
    var status = ScanStatus()
    private var pace = ListingPace(now: Clock.now())

    /// Whether a path does not answer for now.
    private var hasStalled: Bool { unread.contains(where: \.isStalled) }

    /// How many servers are tried in turn, each after the end of the one before.
    private static let mostServers = 3

    /// Creates a scanner whose ids are not those of `earlier`.
    ///
    /// Takes over the socket that `FileClient.connectFolders` returned; folders are read on a thread of
    /// this process if it is -1. Waits for the server.
    init(
        _ paths: [FilePath], _ options: ListingOptions, _ mailbox: Mailbox,
        after earlier: Listing = .empty, socket: Int32 = -1,
        schedule: LookSchedule = LookSchedule()
    ) {
        self.schedule = schedule
        self.schedule.folderPause = Double(options.remoteInterval) * 1000
        files = FolderClient(socket, stop: mailbox.stopping.descriptor)
        watch = FolderWatch(files.watches)
        mounts = MountWatch(paths)
        builder = ListingBuilder(after: earlier)
        self.paths = paths
        self.options = options
        self.mailbox = mailbox
    }

    func readOnce() {
        read()
        status.hasRead = true
        post()
    }

    /// Runs until the mailbox is stopped.
    func run() {
        readOnce()
        while !mailbox.isStopped {
            let hasInput = wait(pace.longestWait)
            if mailbox.isStopped { return }
            let now = Clock.now()
            let hasChanges = handleRequests() || handleEvents()
            // A look that was late does not matter: the next look is planned.
            if files.fetchLateAnswers(), hasStalled { needsRescan = true }
            let hasLooked = look(at: now)
            if mounts.isOutdated, mounts.update() { needsRescan = true }
            if !files.isConnected, connectAnew() { needsRescan = true }
            // Nothing else follows an input, so its picture is shown at once.
            if takeInputs(), !pace.hasChanges { post() }
            if hasChanges || hasLooked || needsRescan || !suspects.isEmpty {
                pace.noteChange(at: now)
            }
            guard pace.takeDue(at: now, hasInput: hasInput) else { continue }
            settle()
            post()
        }
    }

    /// Waits for input until the next look, but not longer than this time (nil: no limit); returns
    /// whether there is input.
    private func wait(_ milliseconds: Int?) -> Bool {
        var polls = [watch.descriptor, mailbox.requested.descriptor, files.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        polls += awaited.map {
            pollfd(fd: $0.arrived.descriptor, events: Int16(POLLIN), revents: 0)
        }
        polls.append(pollfd(fd: mounts.descriptor, events: Int16(POLLPRI), revents: 0))
        let rest = schedule.time.map { Int(max($0 - Clock.now(), 0).rounded(.up)) }
        let times = [milliseconds, rest].compactMap(\.self)
        let count = poll(&polls, nfds_t(polls.count), Int32(clamping: times.min() ?? -1))
        if polls[polls.count - 1].revents != 0 { mounts.isOutdated = true }
        return count > 0
    }

    private func handleRequests() -> Bool {
        let requests = mailbox.fetchRequests()
        status.lastRequest = requests.number
        if !requests.taken.isEmpty { builder.setTaken(requests.taken) }
        if requests.wantsRescan { needsRescan = true }
        if !requests.marks.isEmpty { builder.setMarks(requests.marks) }
        let hasFound = requests.followed.map { follow($0) } ?? false
        guard let options = requests.options else {
            return hasFound || !requests.taken.isEmpty
                || !requests.marks.isEmpty && self.options.needsMarks
        }
        if options.isRecursive != self.options.isRecursive
            || options.listsSubfolders != self.options.listsSubfolders
        {
            needsRescan = true
        }
        self.options = options
        if options.needsDetails { completeDetails() }
        return true
    }

    /// Completes a series of changes.
    ///
    /// A first half of a rename without a second half is a removal. Lost events cause a rescan.
    func settle() {
        status.answerRequests()
        for place in moves.unfinished where !exists(place) {
            builder.remove(place)
            moves.left.remove(place)
        }
        forgetNewPaths()
        // An exchange of two names moves a file away from a name that exists afterwards.
        for place in moves.left where !builder.contains(place) {
            addOrUpdate(place, isWritten: true)
        }
        moves = PendingMoves()
        compareSuspects()
        guard needsRescan else { return }
        // Moved folders are still watched under their old names.
        let oldWatches = watch.table.beginReading()
        builder.beginRescan()
        read()
        builder.endRescan { [unread] folder in unread.contains { $0.keeps(folder) } }
        watch.removeUnneeded(oldWatches)
    }

    private func read() {
        needsRescan = false
        // A file system that goes is missing in the table before those who watch its folders are told.
        _ = mounts.update()
        for _ in 0..<Self.mostServers where files.isConnected || connectAnew() {
            status.beginReading()
            unread = []
            polled.beginReading()
            for root in paths.indices where !mailbox.isStopped { readGiven(root) }
            if files.isConnected { break }
        }
        if !files.isConnected {
            let error = SystemError(code: ECONNRESET)
            for path in paths { status.report(path, error.pathMessage) }
        }
        polled.endReading()
        status.endReading()
        planLooks()
    }

    /// Continues with a server on a thread of this process if the server has ended; returns whether
    /// everything has to be read again.
    private func connectAnew() -> Bool {
        guard !files.isConnected, !mailbox.isStopped,
            let new = try? FolderClient.startThread(stop: mailbox.stopping.descriptor)
        else { return false }
        files = new
        watch = FolderWatch(files.watches)
        // The pictures that are followed are watched anew.
        suspects.formUnion(compared.followed.ids.compactMap { builder.place(of: $0) })
        return true
    }

    private func completeDetails() {
        let places = builder.placesWithoutDetails
        // A server that has ended leads to a rescan.
        guard let states = try? files.states(of: places.map { path(of: $0).bytes }) else {
            return
        }
        for (place, state) in zip(places, states) {
            if let state { builder.note(Entry.Details(state.stamp.details), of: place) }
        }
    }

    func path(of place: ListingBuilder.Place) -> FilePath {
        FilePath(builder.folders[place.folder].prefix + place.name)
    }

    /// Posts an intermediate listing during the first scan, from time to time.
    func postProgress() {
        if !status.hasRead, pace.isProgressDue(builder.count, at: Clock.now()) { post() }
    }

    func post() {
        let start = Clock.now()
        let listing = builder.listing(in: options.order, favouritesOnly: options.favouritesOnly)
        mailbox.post(
            status.update(
                listing, collation: builder.collation, isWaiting: !awaited.isEmpty,
                hasStalled: hasStalled))
        pace.notePost(listing.count, from: start, to: Clock.now())
    }
}

/// The system's monotonic clock.
enum Clock {
    /// Milliseconds since an arbitrary moment; never goes back.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }

    /// Seconds since 1970-01-01 00:00 UTC, as files have them.
    static func date() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec
    }
}
