import Localization

/// A choice of the order of the pictures.
package enum SortChoice: Hashable, Sendable {
    /// Sorts by a key; another key than before comes with its natural direction.
    case key(Key)
    /// Sets whether the order is reversed.
    case direction(isReversed: Bool)

    /// The keys, by their names in the setting `collection.sort`.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        case name, taken, modified, size, rating, random

        package var title: String {
            switch self {
            case .name: localized("Name")
            case .taken: localized("Date taken")
            case .modified: localized("Date modified")
            case .size: localized("File size")
            case .rating: localized("Rating")
            case .random: localized("Shuffled")
            }
        }

        /// Whether a person expects the reversed order first: new and large files matter most.
        package var isNaturallyReversed: Bool {
            switch self {
            case .taken, .modified, .size, .rating: true
            case .name, .random: false
            }
        }

        /// The titles of both directions; nil for an order without a direction.
        private var directions: (forward: String, reversed: String)? {
            switch self {
            case .name: (localized("A to Z"), localized("Z to A"))
            case .taken, .modified: (localized("Oldest first"), localized("Newest first"))
            case .size: (localized("Smallest first"), localized("Largest first"))
            case .rating: (localized("Fewest stars first"), localized("Most stars first"))
            case .random: nil
            }
        }

        /// The title of a direction; nil for an order without a direction.
        func title(isReversed: Bool) -> String? {
            isReversed ? directions?.reversed : directions?.forward
        }
    }
}
