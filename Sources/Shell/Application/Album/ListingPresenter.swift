import Browser
import Folders
import Geometry
import Grid
import ImageService
import Interface
import Motion

/// Shows the listing in the browser, with data of picture headers: dates for the order and the headings,
/// sizes for the layout.
final class ListingPresenter {
    private let album: Album
    private let sections: SectionKind
    /// Nil unless the order, the headings or the layout need data from picture headers.
    private var headers: HeaderReader?
    /// Starts a reader of sizes, and of dates if `readsDates`; nil where it cannot be started.
    private let startHeaders: (_ readsDates: Bool) -> HeaderReader?
    /// Whether a reader was started, or could not be.
    private var hasStarted: Bool
    private var readsDates: Bool
    /// Sizes that a former reader has read, and those of small pictures, by the ids of the pictures.
    private var formerSizes: [Int: PixelSize] = [:]
    /// Called after headers have arrived.
    private var onTurnEnd: () -> Void = {}
    /// Sizes are read while the grid has at most this many columns.
    private let sizedColumns: Int

    init(
        _ album: Album, _ sections: SectionKind, _ headers: HeaderReader?, readsDates: Bool,
        sizedColumns: Int, startHeaders: @escaping (_ readsDates: Bool) -> HeaderReader?
    ) {
        self.album = album
        self.sections = sections
        self.sizedColumns = sizedColumns
        self.startHeaders = startHeaders
        self.readsDates = readsDates
        hasStarted = headers != nil
        follow(headers)
    }

    private func follow(_ headers: HeaderReader?) {
        self.headers = headers
        headers?.onTurnEnd = { [unowned self] in onTurnEnd() }
        headers?.onDates = { [album] in album.setTaken($0) }
    }

    /// Whether headers are being read, or an update of the listing is certain to follow.
    var isBusy: Bool { headers?.isBusy == true || album.isWaiting }

    /// Sets the closure to call after headers have arrived.
    func onHeaders(_ handler: @escaping () -> Void) { onTurnEnd = handler }

    /// Reads the dates of all pictures from now on, because a person sorts by them.
    func readDates() {
        guard !readsDates else { return }
        readsDates = true
        formerSizes.merge(headers?.sizes ?? [:]) { _, new in new }
        hasStarted = true
        follow(startHeaders(true))
        requestDates()
    }

    /// The upright size of a picture in pixels, by its id; nil until it was read.
    func size(_ id: Int) -> PixelSize? { headers?.sizes[id] ?? formerSizes[id] }

    /// The camera of a picture, by its id; nil until it was read, or without one.
    func camera(_ id: Int) -> String? { headers?.cameras[id] }

    /// Forgets pictures that are not listed any more.
    func forgetUnlisted() {
        album.complete.prune(&formerSizes)
        headers?.forgetUnlisted()
    }

    /// Requests the dates of new or changed pictures.
    func requestDates() {
        headers?.readDates(
            of: album.complete.entries.lazy.filter { $0.descriptor == nil }.map {
                (id: $0.id, revision: $0.revision)
            })
    }

    /// Requests the sizes of the pictures near the visible cells.
    func requestSizes(for grid: GridFrame) {
        guard grid.columns <= sizedColumns else { return }
        if !hasStarted {
            hasStarted = true
            follow(startHeaders(false))
        }
        headers?.readSizes(
            of: grid.nearestCells(of: album.count).filter { $0 < album.count }.map {
                album.id($0)
            })
    }

    /// Lays out the grid with the picture sizes that were read; returns whether there were any, also of
    /// pictures that a search has left out.
    func applySizes(to browser: inout BrowserModel, at now: Moment) -> Bool {
        let read = headers?.consumeSizes() ?? []
        let sizes = read.compactMap { id, size in
            album.listing.index(of: id).map { (index: $0, size: size) }
        }
        if !sizes.isEmpty { browser.setSizes(sizes, at: now) }
        return !read.isEmpty
    }

    /// Lays out the grid with the upright size of a small picture, in pixels, which its thumbnail has told.
    func note(_ size: PixelSize, of id: Int, in browser: inout BrowserModel, at now: Moment) {
        guard self.size(id) != size else { return }
        formerSizes[id] = size
        if let index = album.listing.index(of: id) {
            browser.setSizes([(index: index, size: size)], at: now)
        }
    }

    /// The newest change of the listing; nil if there is none.
    func fetchChange() -> ListingChange? { album.fetchChange() }

    /// Shows a change in the browser; returns the effects.
    func apply(
        _ change: ListingChange, to browser: inout BrowserModel, at now: Moment
    ) -> [ViewerEffect] {
        // A search by name looks into subfolders.
        let isByFolder = album.search != nil && album.options.order.key == .name
        let kind = isByFolder && sections == .none ? .folder : sections
        let contents = kind.contents(of: change.current) { [unowned self] in size($0) }
        return change.apply(to: &browser, contents: contents, at: now)
    }
}
