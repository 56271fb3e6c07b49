/// A new state of a collection.
package struct ListingUpdate: Sendable {
    package var listing: Listing
    /// What could not be listed since the last update.
    package var problems: [ListingProblem]
    /// Whether everything that was given has been read; until then more follows by itself.
    package var isComplete: Bool
}

/// Why something that was given, or found on the way, is not listed.
package struct ListingProblem: Hashable, Sendable, CustomStringConvertible {
    package var path: FilePath
    /// For a person, to stand behind the path and a colon.
    package var reason: String

    package var description: String { "\(path): \(reason)" }
}

/// What a collection lists, and how.
package struct ListingOptions: Hashable, Sendable {
    package var order: ListingOrder
    /// Whether folders in folders are read, too.
    package var isRecursive: Bool
    /// Whether dates and sizes are wanted whatever the order, as sections by month need them.
    package var wantsDetails: Bool

    package init(
        order: ListingOrder = ListingOrder(.name), isRecursive: Bool = false,
        wantsDetails: Bool = false
    ) {
        self.order = order
        self.isRecursive = isRecursive
        self.wantsDetails = wantsDetails
    }

    var needsDetails: Bool { wantsDetails || order.needsDetails }
}
