import Folders
import Interface

extension ListingOrder {
    /// The order after a choice; another key than before comes with its natural direction.
    func applying(_ choice: SortChoice) -> ListingOrder {
        var order = self
        switch choice {
        case .key(let key):
            order.key = Key(key)
            if key != self.key.choice { order.isReversed = key.isNaturallyReversed }
        case .direction(let isReversed): order.isReversed = isReversed
        }
        return order
    }
}

extension ListingOrder.Key {
    /// The key of a choice; a shuffled order gets a new seed.
    init(_ choice: SortChoice.Key) {
        self =
            switch choice {
            case .name: .name
            case .taken: .taken
            case .modified: .modified
            case .size: .size
            case .rating: .rating
            case .random: .random(seed: UInt64.random(in: 0...UInt64.max))
            }
    }

    var choice: SortChoice.Key {
        switch self {
        case .name: .name
        case .taken: .taken
        case .modified: .modified
        case .size: .size
        case .rating: .rating
        case .random: .random
        }
    }
}
