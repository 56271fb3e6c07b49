import Collection
import Geometry
import Wall

/// What the headers of the wall are about.
enum SectionKind: String, CaseIterable {
    case none, folder, month

    /// A listing as the wall hangs it; `size` is that of an entry, by its id, where it is known.
    func contents(of listing: Listing, size: (Int) -> PixelSize?) -> WallContents {
        let sections: [Section] =
            switch self {
            case .none: []
            case .folder: listing.sectionsByFolder()
            case .month: listing.sectionsByMonth(utcOffset: 0)
            }
        // One section that holds everything says nothing.
        let headed = sections.count > 1 ? sections : []
        return WallContents(
            count: listing.count,
            sections: headed.map { WallSection(title: $0.title, first: $0.firstIndex) },
            sizes: { size(listing.entries[$0].id) })
    }
}
