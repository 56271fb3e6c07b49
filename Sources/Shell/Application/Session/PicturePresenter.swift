import ImageWire
import Browser
import CLinux
import DecodeClient
import Folders
import Geometry
import Glibc
import ImageService
import ImageTypes
import Localization
import Motion
import SceneModel
import Viewer

/// Requests the pictures that the browser needs, and shows them, their messages and failures.
final class PicturePresenter {
    private let album: Album
    private let pictures: PictureProvider
    private let cells: CellPictures
    /// Events that are not applied to the browser yet; their numbers are the ids of entries.
    private var pending: [DecodeEvent] = []
    /// The ids of the pictures that were requested last.
    private var wanted: [Int] = []
    /// The revisions of pictures that could not be shown, or not whole.
    private var damaged: [Int: Int] = [:]
    /// The ids of pictures whose failure was reported on standard error.
    private var reported: Set<Int> = []

    /// The capture times of the pictures whose headers were read, by their ids; nil if the header has
    /// none.
    private var taken: [Int: CaptureTime?] = [:]
    /// When the files of pictures were last written, by the ids of the pictures that were opened.
    private var modified: [Int: Timestamp] = [:]
    /// The picture whose date the viewer has.
    private var dated: (id: Int, index: Int)?
    /// Whether the time of the file counts where the header has no date.
    private let readsFileTimes: Bool

    /// How far the viewer has turned a picture whose new pixels are turned, by its id, in clockwise quarter
    /// turns; 0 for all others.
    private let absorbTurn: (Int) -> Int

    /// The stars that the files of opened pictures have, 0 for none, by the ids of the pictures.
    private var stars: [Int: Int] = [:]

    /// The sizes of pictures whose headers were read, by their ids: upright and in pixels.
    private var sizes: [Int: PixelSize] = [:]
    /// The blocks of JPEG files whose headers were read, by the ids of the pictures.
    private var blocks: [Int: CropBlocks] = [:]
    /// The sides of the largest usual block of a JPEG; every other one divides it.
    private static let blockSide = 16

    /// The size of the first picture whose header was read, upright and in pixels.
    private(set) var firstSize: PixelSize?

    init(
        _ album: Album, _ pictures: PictureProvider, _ cells: CellPictures, readsFileTimes: Bool,
        absorbTurn: @escaping (Int) -> Int
    ) {
        self.absorbTurn = absorbTurn
        self.readsFileTimes = readsFileTimes
        self.album = album
        self.pictures = pictures
        self.cells = cells
        pictures.onEvent = { [unowned self] in pending.append($0) }
    }

    /// Requests the pictures around the selected one, and drops all others.
    func request(for browser: inout BrowserModel, at now: Moment) {
        pictures.reducedSide = browser.mode == .viewer ? browser.viewer.slideSide : nil
        pictures.reducesNeighbours = !browser.viewer.settings.keepZoom
        let kept = browser.prune(at: now).filter { $0 < album.count }
        wanted = browser.wanted.filter { $0 < album.count }.map { album.id($0) }
        let keptIDs = Set(kept.map { album.id($0) })
        sizes = sizes.filter { keptIDs.contains($0.key) }
        blocks = blocks.filter { keptIDs.contains($0.key) }
        pictures.want(wanted, keeping: keptIDs)
        browser.viewer.keepLights(of: pictures.lit)
        follow()
        applyPending(to: &browser, at: now)
    }

    /// Forgets pictures that are not listed any more.
    func forgetUnlisted() {
        album.listing.prune(&reported)
        album.listing.prune(&damaged)
        album.listing.prune(&taken)
        album.listing.prune(&modified)
    }

    /// Shows what has arrived; plays the selected picture if it is an animation, and shows the frame
    /// that is due.
    func update(_ browser: inout BrowserModel, at now: Moment) {
        applyPending(to: &browser, at: now)
        // With reduced motion an animation starts paused, and the user starts it.
        pictures.animate(
            browser.shownPicture(of: album.count).map { album.id($0) },
            startsPaused: browser.viewer.settings.reducedMotion, at: now)
        applyPending(to: &browser, at: now)
        browser.viewer.setPlayback(pictures.phase)
        browser.viewer.isAnimationUnfinished = pictures.isAnimationUnfinished
        updateDate(of: &browser)
        browser.viewer.setCropBlocks(
            browser.shownPicture(of: album.count).flatMap { blocks[album.id($0)] })
    }

    /// Gives the viewer the date of the selected picture, once the picture is shown.
    private func updateDate(of browser: inout BrowserModel) {
        guard let index = browser.shownPicture(of: album.count), browser.viewer.isPrepared else {
            return
        }
        let id = album.id(index)
        guard let taken = taken[id], dated?.id != id || dated?.index != index else { return }
        dated = (id, index)
        browser.viewer.setDate(date(of: id, taken: taken) ?? "", of: index)
    }

    /// The date of a picture as text; nil while that is unknown.
    func date(of id: Int) -> String? { taken[id].flatMap { date(of: id, taken: $0) } }

    /// When a picture was taken or, if unknown, when its file was last written, as text.
    private func date(of id: Int, taken: CaptureTime?) -> String? {
        if let taken { return DateFormat.environment?.text(wallClock: taken.wallClock) }
        guard readsFileTimes, let entry = album.entry(id), entry.descriptor == nil else {
            return nil
        }
        let time = entry.details?.modified ?? modified[id]
        return time.flatMap { DateFormat.environment?.text(local: $0) }
    }

    /// Returns the stars of the files that were opened since the last call.
    func consumeStars() -> [Int: Int] {
        defer { stars = [:] }
        return stars
    }

    /// Has the files of the pictures compared that are shown or shown next.
    private func follow() {
        album.follow(
            FollowedPictures(wanted, damaged: damaged.filter { wanted.contains($0.key) }),
            in: .pages)
    }

    private func noteDamage(of id: Int) {
        damaged[id] = album.entry(id)?.revision
        follow()
    }

    private func applyPending(to browser: inout BrowserModel, at now: Moment) {
        let events = pending
        pending = []
        for event in events { apply(event, to: &browser, at: now) }
    }

    private func apply(_ event: DecodeEvent, to browser: inout BrowserModel, at now: Moment) {
        guard let index = album.listing.index(of: event.id) else { return }
        switch event {
        case .opened(let id, let status):
            modified[id] = Timestamp(seconds: status.modified)
            // The decoder may have answered before the server that opens files.
            if dated?.id == id { dated = nil }
        case .waiting:
            browser.viewer.notify(
                index: index,
                text: localized("\(name(index)): waiting for the file"), at: now)
        case .info(_, let info):
            if firstSize == nil { firstSize = info.size }
            sizes[event.id] = info.size
            blocks[event.id] =
                info.format == PictureFormat.jpeg.name
                ? CropBlocks(
                    size: PixelSize(width: Self.blockSide, height: Self.blockSide),
                    stored: info.orientation.inverse.upright(info.size),
                    orientation: info.orientation) : nil
            taken[event.id] = .some(info.taken)
            stars[event.id] = info.rating ?? 0
            browser.viewer.setRegions(info.regions, of: index)
            // The file may have changed since the date was read.
            if dated?.id == event.id { dated = nil }
            // Show the thumbnail until the picture's own pixels are decoded.
            guard pictures.source(of: event.id) == nil, let preview = cells.preview(index) else {
                return
            }
            present(index, info.size, preview, in: &browser, at: now)
        case .pixels(let id, let bitmap, _):
            guard let source = pictures.source(of: id) else { return }
            if let path = album.path(id) {
                Diagnostics.info("\(path): \(bitmap.size.width) × \(bitmap.size.height)")
            }
            present(index, sizes[id] ?? bitmap.size, source, in: &browser, at: now)
        case .gain(let id, _): browser.viewer.light(id, at: now)
        case .frame(_, _, let bitmap):
            guard let source = pictures.frameSource else { return }
            browser.viewer.present(index: index, size: bitmap.size, source: source, at: now)
        case .finished(let id, let message):
            browser.viewer.finish(index: index, at: now)
            guard let message = message.map({ localized(key: $0) }) else { return }
            noteDamage(of: id)
            browser.viewer.notify(index: index, text: message, at: now)
            if let path = album.path(id) { Diagnostics.warning(path, message) }
        case .failed(let id, let failure):
            browser.viewer.fail(
                index: index, text: "\(name(index)): \(failure)",
                mayPass: failure.mayPass, at: now)
            browser.pictureArrived(at: now)
            noteDamage(of: id)
            report(id, "\(failure)")
        case .tile, .metadata, .edited: break
        }
    }

    /// The name of a picture for a message.
    private func name(_ index: Int) -> String { album.title(index).shortName.isolated }

    private func present(
        _ index: Int, _ size: PixelSize, _ source: PictureItem.Source,
        in browser: inout BrowserModel, at now: Moment
    ) {
        let turned = absorbTurn(album.id(index))
        browser.viewer.present(
            index: index, size: size, source: source, turned: turned, at: now)
        browser.pictureArrived(at: now)
    }

    private func report(_ id: Int, _ text: String) {
        guard reported.insert(id).inserted, let path = album.path(id) else { return }
        Diagnostics.error(path, text)
    }
}

extension BrowserModel {
    /// The picture of the listing that the viewer shows; nil in the grid, or if there is none.
    ///
    /// `count` is the number of pictures in the listing.
    func shownPicture(of count: Int) -> Int? {
        mode == .viewer && viewer.index < count ? viewer.index : nil
    }
}
