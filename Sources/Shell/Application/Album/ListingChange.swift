import Browser
import Folders
import Grid
import Interface
import Motion

/// An update of the listing: pictures were added, removed, changed or moved.
struct ListingChange {
    let earlier: Listing
    let current: Listing
    /// Whether the current listing is that of other paths: an album that was opened anew.
    var isReplacement = false
    /// Whether a person has chosen another order.
    var hasNewOrder = false

    /// Whether a person has chosen other pictures of the same files.
    var isChoice = false

    /// The ids of pictures whose files have changed or are gone.
    var changed: Set<Int> {
        if isChoice { return [] }
        let gone = earlier.entries.filter { old in
            current.index(of: old.id).map { current.entries[$0].revision != old.revision } ?? true
        }
        return Set(gone.map(\.id))
    }

    /// The paths of pictures that are not listed any more.
    var gone: [FilePath] {
        earlier.entries.indices.filter {
            let entry = earlier.entries[$0]
            return entry.descriptor == nil && current.index(of: entry.id) == nil
        }
        .map { earlier.path(at: $0) }
    }

    /// Whether only data about pictures have changed, such as dates.
    var keepsPictures: Bool { changed.isEmpty && earlier.count == current.count }

    /// Whether the same pictures are listed in the same order.
    var keepsOrder: Bool {
        earlier.count == current.count
            && earlier.entries.elementsEqual(current.entries) { $0.id == $1.id }
    }

    /// Shows the new listing in the browser; returns the effects.
    func apply(
        to browser: inout BrowserModel, contents: GridContents, at now: Moment
    ) -> [ViewerEffect] {
        var effects: [ViewerEffect] = []
        browser.update(
            to: contents, mapping: { current.index(of: $0, in: earlier) },
            nearest: { current.nearestIndex(to: $0, in: earlier) }, at: now, effects: &effects)
        if hasNewOrder { browser.showTop() }
        return effects
    }
}
