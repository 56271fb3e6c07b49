import Localization

/// What the header of the grid shows.
package struct GridFacts: Hashable, Sendable {
    /// What is known about the listing.
    package enum State: Hashable, Sendable {
        /// Folders are still being read.
        case reading
        case complete
        /// Nothing could be read, for this reason; `isFolder` is false for a given file or a missing
        /// path.
        case failed(String, isFolder: Bool)
        /// No path was given.
        case nothing
    }

    /// The name of the folder.
    package var name = ""
    package var count = 0
    /// The number of folders before the pictures.
    package var folders = 0
    /// The names of the folders above, the nearest last.
    package var above: [String] = []
    /// Whether another folder was shown before.
    package var canGoBack = false
    /// The number of pictures before a filter has left some of them out.
    package var total = 0
    package var state = State.reading
    package var sortKey = SortChoice.Key.name
    package var isReversed = false
    /// The number of selected pictures.
    package var selected = 0
    /// Whether pictures can be smaller, and larger.
    package var canShrink = true
    package var canGrow = true
    /// Whether taps select.
    package var isSelecting = false
    /// Whether all selected pictures are favourites.
    package var areFavourites = false
    /// The search; nil without one.
    package var search: SearchBar?
    /// What is known about work on files.
    package var files = FileFacts()

    package init() {}

    var isInSelection: Bool { isSelecting || selected > 0 }

    /// The number of pictures, with their order if it is not by name, such as "120 pictures · date
    /// taken, newest first"; then shorter texts for less room.
    var places: [String] {
        if files.showsFavouritesOnly, state != .reading {
            return [number, localizedNumber(count, of: max(total, count))]
        }
        guard count > 1, sortKey != .name else { return [number] }
        let key = inSentence(sortKey.title)
        guard let direction = sortKey.title(isReversed: isReversed).map(inSentence) else {
            return [number + " · " + key, number]
        }
        return ["\(number) · \(key), \(direction)", "\(number) · \(direction)", number]
    }

    /// A title within a sentence: in small letters in English, unchanged in other languages.
    private func inSentence(_ title: String) -> String {
        Translation.isEnglish ? title.lowercased() : title
    }

    private var number: String {
        switch (state, count) {
        case (.reading, 0): localized("Reading…")
        case (.reading, _): localized("Reading… \(Self.text(count))")
        case _ where files.showsFavouritesOnly:
            localized("Favourites · \(count) of \(max(total, count))")
        case (_, 0) where folders > 0:
            localized("\(folders) folder", many: "\(folders) folders", count: folders)
        default: Self.text(count)
        }
    }

    /// How many pictures a search has found.
    var found: String { localized("\(count) of \(max(total, count)) found") }

    /// The number of selected pictures, for little room.
    var shortSelection: String { "\(selected)" }

    var selection: String {
        selected == 0
            ? localized("Nothing selected")
            : localized("\(selected) selected", many: "\(selected) selected", count: selected)
    }

    private static func text(_ count: Int) -> String {
        localized("\(count) picture", many: "\(count) pictures", count: count)
    }
}
