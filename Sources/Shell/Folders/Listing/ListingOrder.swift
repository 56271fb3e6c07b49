/// The order of a listing.
package struct ListingOrder: Hashable, Sendable {
    package enum Key: Hashable, Sendable {
        /// By given path, then by folder, then by name: in the order of the locale, numbers by
        /// value.
        ///
        /// A folder comes before its subfolders.
        case name
        /// By the time when the file was last written, earliest first.
        case modified
        /// By the time when the picture was taken or, if unknown, the file was last written.
        case taken
        /// By file size, smallest first.
        case size
        /// By the number of stars, fewest first.
        case rating
        /// Shuffled; a seed always gives the same order, even if files come and go.
        case random(seed: UInt64)

        /// The value of the setting `collection.sort`.
        package var name: String {
            switch self {
            case .name: "name"
            case .modified: "modified"
            case .taken: "taken"
            case .size: "size"
            case .rating: "rating"
            case .random: "random"
            }
        }
    }

    package var key: Key
    package var isReversed: Bool

    package init(_ key: Key, isReversed: Bool = false) {
        self.key = key
        self.isReversed = isReversed
    }

    /// Whether the order needs the date and size of every file.
    var needsDetails: Bool {
        switch key {
        case .name, .rating, .random: false
        case .modified, .taken, .size: true
        }
    }
}
