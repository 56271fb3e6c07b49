import Edits
import Folders
import Geometry
import Search

/// A search in the pictures of an album.
struct AlbumSearch {
    let query: SearchQuery
    private var names = SearchNames([])
    private var folders: [FoldedText] = []
    /// What is known of pictures, by their ids.
    private let known: Known

    /// Reads what is known of a picture, by its id.
    struct Known {
        /// The upright size in pixels.
        var size: (_ id: Int) -> PixelSize?
        var camera: (_ id: Int) -> String?
        var mark: (_ id: Int) -> PictureMark?
    }

    init(_ query: SearchQuery, in listing: Listing, _ known: Known, after former: AlbumSearch?) {
        self.query = query
        self.known = known
        if let former {
            (names, folders) = (former.names, former.folders)
        } else {
            setNames(of: listing)
        }
    }

    /// Prepares the names of a listing; a search that follows in the same listing has them already.
    mutating func setNames(of listing: Listing) {
        names = SearchNames(listing.entries.lazy.map(\.name))
        folders = listing.folders.map { FoldedText($0.title) }
    }

    /// The pictures of the prepared listing that are found.
    func results(in listing: Listing) -> Listing {
        var clock = WallClock.environment
        let found = names.places { place, name in
            query.finds(name: name, folder: folders[listing.entries[place].folder]) {
                facts(of: listing.entries[place], by: &clock)
            }
        }
        return listing.choosing(found)
    }

    private func facts(of entry: Entry, by clock: inout WallClock) -> SearchFacts {
        let day = entry.date(by: &clock).map { CivilDate($0) }
        return SearchFacts(
            date: day.map { SearchDate(year: $0.year, month: $0.month, day: $0.day) },
            pixels: known.size(entry.id).map { $0.width * $0.height }, bytes: entry.details?.size,
            camera: known.camera(entry.id).map { FoldedText($0) }, mark: known.mark(entry.id))
    }
}
