import Browser
import Folders
import Grid
import Motion
import Search
import Viewer

/// A place of the grid, by the ids of pictures, which outlive listings.
struct PlaceInAlbum {
    var place: GridModel.Place
    /// The picture that the place refers to, and the one with the focus.
    var anchor: Int
    var focus: Int?
}

/// Finding pictures of the album by a text.
extension Session {
    /// Shows the pictures that a text finds; nil shows all pictures again, at the place from before.
    func search(_ text: String?, at moment: Moment) {
        guard let text else { return endSearch(at: moment) }
        if opening.placeBeforeSearch == nil { opening.placeBeforeSearch = placeInAlbum }
        let query = SearchQuery(text, months: SearchMonths(Listing.monthNames))
        let known = AlbumSearch.Known(
            size: { [pictures] in pictures.listing.size($0) },
            camera: { [pictures] in pictures.listing.camera($0) },
            mark: { [changes] in changes.marks.mark(of: $0) })
        let change = album.setSearch(
            AlbumSearch(query, in: album.complete, known, after: album.search))
        apply(change, at: moment)
        browser.showTop()
        if query.needsDetails { album.readDetails() }
        if query.needsHeaders { pictures.listing.readDates() }
        if query.needsStars { changes.marks.readForSearch() }
    }

    /// Looks again, since more is known about the pictures; a picture that is open stays.
    func searchAgain(at moment: Moment) {
        guard album.search != nil, browser.mode == .grid else { return }
        let change = album.searchAgain()
        if !change.keepsOrder { apply(change, at: moment) }
    }

    private func endSearch(at moment: Moment) {
        apply(album.setSearch(nil), at: moment)
        showPlaceBeforeSearch()
    }

    private func apply(_ change: ListingChange, at moment: Moment) {
        let effects = pictures.listing.apply(change, to: &browser, at: moment)
        showListing()
        showMarks()
        orderSlides()
        perform(effects, at: moment)
    }

    private var placeInAlbum: PlaceInAlbum? {
        let place = browser.gridPlace
        guard place.index < album.count else { return nil }
        return PlaceInAlbum(
            place: place, anchor: album.id(place.index),
            focus: place.focus.flatMap { $0 < album.count ? album.id($0) : nil })
    }

    /// Shows the place from before the search that has ended.
    func showPlaceBeforeSearch() {
        guard album.search == nil, var before = opening.placeBeforeSearch else { return }
        opening.placeBeforeSearch = nil
        guard let anchor = album.listing.index(of: before.anchor) else { return }
        before.place.index = anchor
        before.place.focus = before.focus.flatMap { album.listing.index(of: $0) }
        browser.show(before.place)
    }

    /// Lays out the grid with the sizes that were read, which a search may go by.
    func applySizes(at moment: Moment) {
        if pictures.listing.applySizes(to: &browser, at: moment) { searchAgain(at: moment) }
    }
}
