extension Listing {
    /// The indices of the pictures in another order; takes as long as sorting the folders does.
    package func indices(
        in order: ListingOrder, by clock: WallClock = .environment
    ) -> [Int] {
        var sorting = Sorting(order, folders: folders, collation: .environment, clock: clock)
        return sorting.sorted(entries, folders).compactMap { index(of: $0.id) }
    }
}
