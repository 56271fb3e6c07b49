/// What an update says besides its listing.
struct ScanStatus {
    /// Whether all given paths were read once.
    var hasRead = false
    /// Whether a given path is a folder.
    var hasFolder = false
    /// The subfolders that were found, in any order.
    var subfolders: [Subfolder] = []
    /// Whether a folder is not watched because of a limit of the system.
    var hasReachedWatchLimit = false
    /// The number of the last request that was fetched.
    var lastRequest = 0
    /// The number of the last request that was fetched before the last series of changes was completed.
    private var answered = 0
    /// Problems that no update contains yet.
    private var problems: [ListingProblem] = []
    /// Problems reported before; reported again only if they were gone in between.
    private var knownProblems: Set<ListingProblem> = []
    private var currentProblems: Set<ListingProblem> = []

    mutating func answerRequests() { answered = lastRequest }

    mutating func beginReading() { (currentProblems, subfolders) = ([], []) }

    mutating func endReading() { knownProblems = currentProblems }

    mutating func report(_ path: FilePath, _ reason: String) {
        let problem = ListingProblem(path: path, reason: reason)
        if currentProblems.insert(problem).inserted, !knownProblems.contains(problem) {
            problems.append(problem)
        }
    }

    /// The update with a listing; the next update has other problems.
    ///
    /// `isWaiting` says whether an input has not arrived, `hasStalled` whether a path does not answer.
    mutating func update(
        _ listing: Listing, collation: Collation?, isWaiting: Bool, hasStalled: Bool
    ) -> ListingUpdate {
        defer { problems = [] }
        return ListingUpdate(
            listing: listing, problems: problems,
            isComplete: hasRead && !isWaiting && !hasStalled,
            subfolders: subfolders.sorted(by: collation), hasStalled: hasStalled,
            hasFolder: hasFolder, answered: answered, hasReachedWatchLimit: hasReachedWatchLimit)
    }
}
