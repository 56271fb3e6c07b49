import Folders
import Geometry
import Grid

/// How the grid groups pictures under headings.
enum SectionKind: String, CaseIterable {
    case none, folder, month

    /// The grid's contents for a listing.
    ///
    /// `size` returns the picture size in pixels for the id of an entry; nil if it is unknown.
    func contents(of listing: Listing, size: (Int) -> PixelSize?) -> GridContents {
        let sections: [Section] =
            switch self {
            case .none: []
            case .folder: listing.sectionsByFolder()
            case .month: listing.sectionsByMonth()
            }
        let overviews = listing.overviews()
        return GridContents(
            count: listing.count, sections: Self.useful(sections),
            overviews: (Self.useful(overviews.months), Self.useful(overviews.years)),
            sizes: { size(listing.entries[$0].id) })
    }

    /// A heading over all pictures is useless.
    private static func useful(_ sections: [Section]) -> [GridSection] {
        guard sections.count > 1 else { return [] }
        return sections.map { GridSection(title: $0.title, first: $0.firstIndex) }
    }
}
