extension Listing {
    /// The indices of the pictures in another order; takes as long as sorting the folders does.
    package func indices(in order: ListingOrder) -> [Int] {
        var sorting = Sorting(order, folders: folders, collation: .environment)
        return sorting.sorted(entries, folders).compactMap { index(of: $0.id) }
    }
}
