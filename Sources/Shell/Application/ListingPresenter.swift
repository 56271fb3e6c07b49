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
    private var headers: HeaderReader?
    /// Starts the reader of headers when sizes are needed for the first time; nil once it was called.
    ///
    /// Returns nil where the reader cannot be started.
    private var startHeaders: (() -> HeaderReader?)?
    /// Called after headers have arrived.
    private var onTurnEnd: () -> Void = {}
    /// Sizes are read while the grid has at most this many columns.
    private let sizedColumns: Int

    init(
        _ album: Album, _ sections: SectionKind, _ headers: HeaderReader?, sizedColumns: Int,
        startHeaders: @escaping () -> HeaderReader?
    ) {
        self.album = album
        self.sections = sections
        self.sizedColumns = sizedColumns
        self.startHeaders = startHeaders
        follow(headers)
    }

    private func follow(_ headers: HeaderReader?) {
        self.headers = headers
        headers?.onTurnEnd = { [unowned self] in onTurnEnd() }
        headers?.onDates = { [album] in album.setTaken($0.mapValues { Timestamp(seconds: $0) }) }
    }

    /// Whether headers are being read, or an update of the listing is certain to follow.
    var isBusy: Bool { headers?.isBusy == true || album.isWaiting }

    /// Sets the closure to call after headers have arrived.
    func onHeaders(_ handler: @escaping () -> Void) { onTurnEnd = handler }

    /// Requests the dates of new or changed pictures.
    func requestDates() {
        headers?.readDates(
            of: album.listing.entries.lazy.filter { $0.descriptor == nil }.map {
                (id: $0.id, revision: $0.revision)
            })
    }

    /// Requests the sizes of the pictures near the visible cells.
    func requestSizes(for grid: GridFrame) {
        guard grid.columns <= sizedColumns else { return }
        if headers == nil, let start = startHeaders {
            startHeaders = nil
            follow(start())
        }
        headers?.readSizes(
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
    func fetchChange() -> ListingChange? { album.fetchChange() }

    /// Shows a change in the browser; returns the effects.
    func apply(
        _ change: ListingChange, to browser: inout BrowserModel, at now: Moment
    ) -> [BrowserModel.Effect] {
        let contents = sections.contents(of: change.current) { [headers] in headers?.sizes[$0] }
        return change.apply(to: &browser, contents: contents, at: now)
    }
}
