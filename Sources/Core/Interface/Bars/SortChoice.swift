/// A choice of the order of the pictures.
package enum SortChoice: Hashable, Sendable {
    case key(Key)
    /// Reverses the order.
    case reverse

    /// The keys, by their names in the setting `collection.sort`.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        case name, taken, modified, size, random

        package var title: String {
            switch self {
            case .name: "Name"
            case .taken: "Date taken"
            case .modified: "Date modified"
            case .size: "File size"
            case .random: "Shuffled"
            }
        }

        /// The title of the choice that reverses the order of this key.
        var reversedTitle: String {
            switch self {
            case .name: "Z to A"
            case .taken, .modified: "Newest first"
            case .size: "Largest first"
            case .random: "Reversed"
            }
        }
    }
}
