/// A new listing, and the problems since the last update.
package struct ListingUpdate: Sendable {
    package var listing: Listing
    /// The paths that could not be listed, since the last update.
    package var problems: [ListingProblem]
    /// Whether all given paths have been read; until then further updates follow.
    package var isComplete: Bool
    /// The subfolders of the given folders, in order; empty unless the options want them.
    package var subfolders: [Subfolder] = []
    /// Whether a given path does not answer for now; an update follows when it does.
    package var hasStalled: Bool
    /// Whether a given path is a folder.
    package var hasFolder: Bool
    /// The number of the last request that the listing takes into account; 0 before the first one.
    package var answered: Int
    /// Whether the system watches no more folders, so that some are looked at from time to time.
    package var hasReachedWatchLimit: Bool
}

/// Why a given path, or a path found in a folder, is not listed.
package struct ListingProblem: Hashable, Sendable, CustomStringConvertible {
    package var path: FilePath
    /// A message for the user, to be shown after the path and a colon.
    package var reason: String
    /// Whether the path could be read, but has no picture.
    package var isEmptyFolder: Bool { reason == PathMessage.noPicture }

    package var description: String { "\(path): \(reason)" }
}

/// Options of a listing.
package struct ListingOptions: Hashable, Sendable {
    package var order: ListingOrder
    /// Whether subfolders are read too.
    package var isRecursive: Bool
    /// Whether dates and sizes are read for every order; sections by month need them.
    package var wantsDetails: Bool
    /// Whether the pictures of a folder that is gone stay listed, as a screen on a wall needs them.
    ///
    /// Those of a folder that exists but cannot be read stay listed in any case.
    package var keepsVanished: Bool
    /// Whether the subfolders of a given folder are listed where they are not read.
    package var listsSubfolders = true
    /// Whether only favourites are listed.
    package var favouritesOnly = false
    /// The time between two looks at a folder of whose changes the system does not tell, in seconds.
    package var remoteInterval = 30

    /// Pictures that are listed in place of files, by the given paths that stand for them.
    package var inputs: [FilePath: GivenInput] = [:]

    package init(
        order: ListingOrder = ListingOrder(.name), isRecursive: Bool = false,
        wantsDetails: Bool = false, keepsVanished: Bool = false
    ) {
        self.order = order
        self.isRecursive = isRecursive
        self.wantsDetails = wantsDetails
        self.keepsVanished = keepsVanished
    }

    /// Whether marks decide what is listed, or where.
    package var needsMarks: Bool { favouritesOnly || order.key == .rating }

    var wantsSubfolders: Bool { isRecursive || listsSubfolders }

    var needsDetails: Bool { wantsDetails || order.needsDetails }
}
