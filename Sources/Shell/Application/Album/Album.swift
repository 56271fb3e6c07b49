import Edits
import FileAccess
import Folders
import ImageTypes
import Search
import SystemCalls

/// The newest listing of the pictures to show.
///
/// Other types identify pictures by their index in the listing. State that outlives a listing uses the
/// entry's id.
final class Album {
    private var monitor: FolderMonitor
    /// Lists folders; nil reads them on a thread of this process.
    private let files: FileClient?
    private(set) var listing = Listing.empty
    /// The listing before a search has left pictures out.
    private(set) var complete = Listing.empty
    /// The folders before the pictures.
    private(set) var subfolders: [Subfolder] = []
    /// What a person looks for; nil shows all pictures.
    private(set) var search: AlbumSearch?
    /// Why subfolders are listed, or are not.
    private var depth = Depth.setting

    private enum Depth {
        /// A person's setting decides.
        case setting
        /// A search lists them.
        case search
        /// The search has ended, and the listing has them still.
        case afterSearch
    }

    /// Whether the next listing is of other paths.
    private var isReplaced = false
    /// Whether the pictures stay that are listed until there are others.
    private var keepsPictures = false
    /// The number of the last request that an update is certain to answer; nil after the answer.
    private var awaited: Int?
    /// Whether the answer to the last request has another order.
    private var isReordered = false
    /// Whether all given paths have been read.
    private(set) var isComplete = false
    /// Whether a given path does not answer for now.
    private(set) var hasStalled = false
    /// Whether a given path is a folder.
    private(set) var hasFolder = false
    /// The reason why the first unreadable path could not be read.
    private(set) var problem: String?
    private(set) var options: ListingOptions
    /// The name of the only folder or file that was given; nil for several.
    private(set) var name: String?
    /// The given paths.
    private(set) var paths: [FilePath]
    /// The inputs of the command line.
    private let given: [FilePath: GivenInput]
    /// The inputs of the previous album, whose listing stays until the next one comes.
    private var formerInputs: [FilePath: GivenInput] = [:]
    /// The pictures that are shown or shown next, by where they are shown.
    private var followed: [FollowedPart: FollowedPictures] = [:]

    /// Where pictures are shown.
    enum FollowedPart: CaseIterable {
        case pages, cells
    }

    /// Whether nothing was given to read.
    var isEmpty: Bool { paths.isEmpty }

    /// Whether an update is certain to follow.
    var isWaiting: Bool { awaited != nil }

    /// Starts reading `paths`.
    init(_ paths: [FilePath], options: ListingOptions, files: FileClient? = nil) {
        self.files = files
        given = options.inputs
        monitor = FolderMonitor(
            paths, options: options, socket: files?.connectFolders() ?? -1)
        self.options = options
        name = Self.name(of: paths, given)
        self.paths = paths
    }

    private static func name(of paths: [FilePath], _ inputs: [FilePath: GivenInput]) -> String? {
        guard paths.count == 1, let path = paths.first else { return nil }
        return inputs[path]?.title ?? path.resolvedName
    }

    /// Starts reading other paths; the listing stays until the first update of the new one.
    ///
    /// No id of the new listing was ever one of another listing. `pollDescriptor` changes.
    ///
    /// With `keepsPictures` the listing stays until there are pictures in the new one.
    func replace(with paths: [FilePath], isRecursive: Bool, keepsPictures: Bool = false) {
        options.isRecursive = isRecursive
        replace(with: paths, given)
        self.keepsPictures = keepsPictures
    }

    /// Starts showing a picture in memory, as `replace(with:isRecursive:)` does.
    func replace(with picture: OwnedDescriptor) {
        let path = FilePath("-")
        replace(with: [path], [path: GivenInput(pasted: picture)])
    }

    private func replace(with paths: [FilePath], _ inputs: [FilePath: GivenInput]) {
        (formerInputs, options.inputs) = (options.inputs, inputs)
        // A thread of its own for each album: the one before may hang in an unreachable folder.
        monitor = FolderMonitor(
            paths, options: options, after: listing, socket: files?.connectFolders() ?? -1)
        (isReplaced, awaited, isComplete, problem) = (true, 0, false, nil)
        (search, depth, subfolders) = (nil, .setting, [])
        followed = [:]
        keepsPictures = false
        name = Self.name(of: paths, inputs)
        self.paths = paths
    }

    /// Readable when the listing has changed.
    var pollDescriptor: Int32 { monitor.pollDescriptor }

    /// Waits until everything has been read; reports problems on standard error.
    func readAll() {
        apply(monitor.waitUntilComplete())
    }

    /// Waits for the first pictures, or until everything has been read, but not longer than
    /// `milliseconds`; after that the first listing is a replacement.
    func readFirst(within milliseconds: Int32 = longestWait) {
        while true {
            guard waitUntilReady(pollDescriptor, milliseconds: milliseconds) else {
                (isReplaced, awaited) = (true, 0)
                return
            }
            guard let update = monitor.fetchUpdate() else { continue }
            apply(update)
            if listing.count > 0 || update.isComplete { return }
        }
    }

    /// The absolute paths of files that the person has removed.
    private var removed: Set<[UInt8]> = []
    /// The longest time without a window, in milliseconds.
    private static let longestWait: Int32 = 250

    /// Applies the newest update; returns nil if there is none.
    func fetchChange() -> ListingChange? {
        guard let update = monitor.fetchUpdate() else { return nil }
        let (earlier, earlierComplete) = (listing, complete)
        apply(update)
        if isReplaced, keepsPictures, complete.count == 0 {
            setListing(earlierComplete)
            return ListingChange(earlier: earlier, current: earlier)
        }
        let hasNewOrder = isReordered && awaited == nil
        if hasNewOrder { isReordered = false }
        defer { (isReplaced, formerInputs) = (false, [:]) }
        return ListingChange(
            earlier: earlier, current: listing, isReplacement: isReplaced, hasNewOrder: hasNewOrder)
    }

    private func apply(_ update: ListingUpdate) {
        // An update from before the last request is not the awaited one.
        if let awaited, update.answered >= awaited { self.awaited = nil }
        setListing(update.listing)
        subfolders = search == nil ? update.subfolders : []
        isComplete = isComplete || update.isComplete
        hasStalled = update.hasStalled
        hasFolder = update.hasFolder
        if update.hasReachedWatchLimit { Diagnostics.reportWatchLimit() }
        let problems = update.problems.filter { !removed.contains($0.path.absolute) }
        if problem == nil, let first = problems.first(where: { !$0.isEmptyFolder }) {
            problem = "\(first)"
        }
        for problem in problems { Diagnostics.error(problem.path, problem.reason) }
    }

    private func setListing(_ new: Listing) {
        complete = new
        if depth == .afterSearch, awaited == nil { depth = .setting }
        search?.setNames(of: new)
        listing = shown(of: new)
    }

    /// Shows the pictures that a search finds, or all; returns the change.
    ///
    /// From its first text to its end a search looks into subfolders, too, whose pictures follow.
    func setSearch(_ new: AlbumSearch?) -> ListingChange {
        search = new
        let looksDeeper = new.map { depth == .search || !$0.query.isEmpty } ?? false
        if looksDeeper != (depth == .search), looksDeeper ? !options.isRecursive : true {
            depth = looksDeeper ? .search : .afterSearch
            options.isRecursive = looksDeeper
            awaited = monitor.setOptions(options)
        }
        return searchAgain()
    }

    /// Looks again, since more is known about the pictures; returns the change.
    func searchAgain() -> ListingChange {
        let earlier = listing
        listing = shown(of: complete)
        return ListingChange(earlier: earlier, current: listing, isChoice: true)
    }

    /// The part of a listing that is shown.
    private func shown(of listing: Listing) -> Listing {
        if let search, !search.query.isEmpty { return search.results(in: listing) }
        return depth == .setting ? listing : listing.withoutSubfolders
    }

    /// Sets which pictures are shown or shown next in a part of the window; an update follows if the files
    /// have changed without a word of the system.
    func follow(_ pictures: FollowedPictures, in part: FollowedPart) {
        guard followed[part, default: FollowedPictures()] != pictures else { return }
        followed[part] = pictures
        var all = FollowedPictures()
        var known: Set<Int> = []
        for pictures in FollowedPart.allCases.compactMap({ followed[$0] }) {
            all.ids += pictures.ids.filter { known.insert($0).inserted }
            all.damaged.merge(pictures.damaged) { max($0, $1) }
        }
        monitor.follow(all)
    }

    /// Sets the absolute paths of files that the person has removed: that they are missing is no news.
    func setRemoved(_ paths: [[UInt8]]) { removed = Set(paths) }

    /// Sets when pictures were taken, by the ids of their entries; an update follows.
    func setTaken(_ dates: [Int: CaptureTime]) {
        awaited = monitor.setTaken(dates)
    }

    /// Follows no symbolic link below these folders.
    func distrust(_ folders: [[UInt8]]) { for folder in folders { files?.distrust(folder) } }

    /// Sets what pictures are marked with, by the ids of their entries; an update follows if the order or
    /// the choice of pictures depends on marks.
    func setMarks(_ marks: [Int: PictureMark]) {
        guard !marks.isEmpty else { return }
        let request = monitor.setMarks(marks)
        if options.needsMarks { awaited = request }
    }

    /// Lists the favourites only, or all pictures; an update follows.
    func showFavouritesOnly(_ isOn: Bool) {
        guard isOn != options.favouritesOnly else { return }
        options.favouritesOnly = isOn
        awaited = monitor.setOptions(options)
    }

    /// Lists the given paths again; an update follows.
    func rescan() {
        awaited = monitor.rescan()
    }

    /// Changes the order; an update follows.
    func sort(_ order: ListingOrder) {
        guard order != options.order else { return }
        options.order = order
        awaited = monitor.setOptions(options)
        isReordered = true
    }

    /// Reads the times of all files, too; an update follows.
    func readDetails() {
        guard !options.wantsDetails else { return }
        options.wantsDetails = true
        awaited = monitor.setOptions(options)
    }

    var count: Int { listing.count }

    func id(_ index: Int) -> Int { listing.entries[index].id }

    /// The id of the picture at a path; nil if the picture is not listed.
    func id(of path: FilePath) -> Int? {
        let (name, absolute) = (path.name, path.absolute)
        return listing.entries.indices.first {
            listing.entries[$0].name == name && listing.path(at: $0).absolute == absolute
        }.map { listing.entries[$0].id }
    }

    func entry(_ id: Int) -> Entry? { complete.index(of: id).map { complete.entries[$0] } }

    func path(_ id: Int) -> FilePath? { complete.index(of: id).map { complete.path(at: $0) } }

    func title(_ index: Int) -> String {
        index < listing.count ? listing.title(at: index) : ""
    }
}

extension FilePath {
    /// The name of a folder for display; that of the working folder for "." and the like.
    ///
    /// Names alone, without a look at the folder, which may not answer.
    fileprivate var resolvedName: String {
        let (here, above) = (Array(".".utf8), Array("..".utf8))
        guard name == here || name == above else { return displayName }
        let separator = UInt8(ascii: "/")
        var names: [ArraySlice<UInt8>] = []
        for name in absolute.split(separator: separator) where name != here[...] {
            if name != above[...] { names.append(name) } else { _ = names.popLast() }
        }
        return FilePath([separator] + names.joined(separator: [separator])).displayName
    }
}
