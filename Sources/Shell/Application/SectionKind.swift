import Folders
import Geometry
import Grid

/// What the headers of the grid are about.
enum SectionKind: String, CaseIterable {
    case none, folder, month

    /// A listing as the grid hangs it; `size` is that of an entry, by its id, where it is known.
    func contents(of listing: Listing, size: (Int) -> PixelSize?) -> GridContents {
        let sections: [Section] =
            switch self {
            case .none: []
            case .folder: listing.sectionsByFolder()
            case .month: listing.sectionsByMonth(utcOffset: 0)
            }
        // One section that holds everything says nothing.
        let headed = sections.count > 1 ? sections : []
        return GridContents(
            count: listing.count,
            sections: headed.map { GridSection(title: $0.title, first: $0.firstIndex) },
            sizes: { size(listing.entries[$0].id) })
    }
}
