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
            case .modified: "Date changed"
            case .size: "File size"
            case .random: "Shuffled"
            }
        }
    }
}
