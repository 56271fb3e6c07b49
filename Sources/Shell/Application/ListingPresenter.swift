import Browser
import Folders
import Geometry
import Grid
import ImageService
import Motion

/// Shows the listing in the browser, with what picture headers say: dates for the order and the
/// headings, sizes for the layout.
final class ListingPresenter {
    private let album: Album
    private let sections: SectionKind
    /// Nil unless the order, the headings or the layout need data from picture headers.
    private let headers: HeaderReader?

    init(_ album: Album, _ sections: SectionKind, _ headers: HeaderReader?) {
        self.album = album
        self.sections = sections
        self.headers = headers
        headers?.onDates = { album.setTaken($0.mapValues { Timestamp(seconds: $0) }) }
    }

    /// Whether headers are being read, or an update of the listing is certain to follow.
    var isBusy: Bool { headers?.isBusy == true || album.isWaiting }

    /// Sets the closure to call after headers have arrived.
    func onHeaders(_ handler: @escaping () -> Void) { headers?.onTurnEnd = handler }

    /// Requests the dates of new or changed pictures.
    func requestDates() {
        headers?.readDates(
            of: album.listing.entries.lazy.filter { $0.descriptor == nil }.map {
                (id: $0.id, revision: $0.revision)
            })
    }

    /// Requests the sizes of the pictures near the visible cells.
    func requestSizes(for grid: GridFrame) {
        guard let headers else { return }
        headers.readSizes(
            of: grid.nearestCells(of: album.count).filter { $0 < album.count }.map {
                album.id($0)
            })
    }

    /// Lays out the grid with the picture sizes that were read.
    func applySizes(to browser: inout BrowserModel, at now: Moment) {
        let sizes = (headers?.consumeSizes() ?? []).compactMap { id, size in
            album.listing.index(of: id).map { (index: $0, size: size) }
        }
        if !sizes.isEmpty { browser.setSizes(sizes, at: now) }
    }

    /// The newest change of the listing; nil if there is none.
    func fetchChange() -> ListingChange? {
        album.fetchUpdate().map { ListingChange(earlier: $0, current: album.listing) }
    }

    /// Shows a change in the browser; returns the effects.
    func apply(
        _ change: ListingChange, to browser: inout BrowserModel, at now: Moment
    ) -> [BrowserModel.Effect] {
        let contents = sections.contents(of: change.current) { [headers] in headers?.sizes[$0] }
        return change.apply(to: &browser, contents: contents, at: now)
    }
}
