import SystemCalls

@testable import Folders

extension FolderMonitor {
    /// The first update that satisfies `condition`, or the last one within five seconds.
    func update(where condition: (ListingUpdate) -> Bool) -> ListingUpdate? {
        var last: ListingUpdate?
        for _ in 0..<500 {
            waitUntilReady(pollDescriptor, milliseconds: 10)
            guard let update = fetchUpdate() else { continue }
            last = update
            if condition(update) { return update }
        }
        return last
    }
}
