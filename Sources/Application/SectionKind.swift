import Collection
import Geometry
import Wall

/// What the headers of the wall are about.
enum SectionKind: String, CaseIterable {
    case none, folder, month

    /// A listing as the wall hangs it.
    func contents(of listing: Listing) -> WallContents {
        let sections: [Section] =
            switch self {
            case .none: []
            case .folder: listing.sectionsByFolder()
            case .month: listing.sectionsByMonth(utcOffset: 0)
            }
        // One section that holds everything says nothing.
        guard sections.count > 1 else { return WallContents(count: listing.count) }
        return WallContents(
            count: listing.count,
            sections: sections.map { WallSection(title: $0.title, first: $0.firstIndex) })
    }
}
