import Folders

/// Tables by the ids of pictures, which would grow for as long as files come and go.
extension Listing {
    /// A table with no more unlisted pictures than that is left as it is.
    private static let mostUnlisted = 1000

    /// Removes pictures that are not listed any more, once they may be more than the others.
    func prune<Value>(_ table: inout [Int: Value]) {
        guard table.count > 2 * count + Self.mostUnlisted else { return }
        table = table.filter { index(of: $0.key) != nil }
    }

    func prune(_ ids: inout Set<Int>) {
        guard ids.count > 2 * count + Self.mostUnlisted else { return }
        ids = ids.filter { index(of: $0) != nil }
    }
}
