import Folders
import Interface
import Testing

@testable import Application

/// What a choice in the menu of the order does to the order of the listing.
@Suite struct SortChoiceTests {
    /// Another key comes with its natural direction, after both directions.
    @Test(arguments: SortChoice.Key.allCases, [false, true])
    func anotherKeyHasItsNaturalDirection(key: SortChoice.Key, wasReversed: Bool) {
        let other: ListingOrder.Key = key == .name ? .size : .name
        let order = ListingOrder(other, isReversed: wasReversed).applying(.key(key))
        #expect(order.key.choice == key)
        #expect(order.isReversed == [.taken, .modified, .size, .rating].contains(key))
    }

    /// The current key changes nothing, but shuffles anew.
    @Test func theCurrentKeyKeepsTheDirection() {
        let order = ListingOrder(.taken, isReversed: false)
        #expect(order.applying(.key(.taken)) == order)
        let shuffled = ListingOrder(.random(seed: 1), isReversed: true)
        #expect(shuffled.applying(.key(.random)).key != shuffled.key)
        #expect(shuffled.applying(.key(.random)).isReversed)
    }

    @Test func theDirectionKeepsTheKey() {
        for isReversed in [false, true] {
            let order = ListingOrder(.size, isReversed: true)
                .applying(.direction(isReversed: isReversed))
            #expect(order == ListingOrder(.size, isReversed: isReversed))
        }
    }
}
