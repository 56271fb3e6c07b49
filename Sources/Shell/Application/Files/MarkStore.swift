import Folders
import Browser
import Edits
import FileChanges
import Geometry
import Grid
import ImageService
import ImageWire
import Search

/// The marks of the pictures of an album: reads the sidecars in parts, after the first picture is shown,
/// and the stars inside of the files of shown pictures.
///
/// A rating in a sidecar has priority over the stars inside of the file.
final class MarkStore {
    private let album: Album
    private let work: FileWork
    private let reader: RatingReader
    /// The marks in sidecars, by the ids of the pictures that have any.
    private var sidecars: [Int: SidecarMark] = [:]
    /// The ids of the pictures whose sidecars were read, and need not be read again.
    private var known: Set<Int> = []
    /// The stars inside of the files that were read, by the ids of the pictures; 0 for none.
    private var starsInFiles: [Int: Int] = [:]
    /// The ids of the pictures whose files have changed since their stars were read.
    private var outdated: Set<Int> = []
    /// The ids of the pictures whose cells are large enough to show stars, and of those near them.
    private var inLargeCells: [Int] = []
    /// The ids of the pictures whose sidecars are read next.
    private var waiting: ArraySlice<Int> = []
    private var isReading = false
    /// Called when marks were read; `mayDiffer` is false if they cannot change the shown marks.
    var onRead: (_ mayDiffer: Bool) -> Void = { _ in }

    /// So many sidecars are read at a time.
    private static let part = ChangeRequest.mostMarks / 8

    init(_ album: Album, _ work: FileWork, _ reader: RatingReader) {
        (self.album, self.work, self.reader) = (album, work, reader)
        reader.onRatings = { [unowned self] in noteStars($0) }
    }

    /// Whether sidecars or stars are being read, which decide what is shown.
    var isBusy: Bool { isReading || reader.isBusy }

    /// The marks of a picture; nil while its sidecar is not known.
    func mark(of id: Int) -> PictureMark? { known.contains(id) ? shownMark(of: id) : nil }

    /// The stars of a picture; nil while its sidecar, or its file if the file counts, is not read.
    func stars(of id: Int) -> Int? { needsStars(id) ? nil : mark(of: id)?.rating }

    /// The stars in the sidecar of a picture; nil if it has no rating, or is not read.
    func starsInSidecar(of id: Int) -> Int? { known.contains(id) ? sidecars[id]?.rating : nil }

    /// Whether a change of a picture's marks is known to change nothing.
    func has(_ change: MarkChange, _ id: Int) -> Bool {
        guard let mark = mark(of: id) else { return false }
        switch change {
        case .favourite(let isFavourite): return mark.isFavourite == isFavourite
        case .rating(let stars): return mark.rating == stars && !needsStars(id)
        }
    }

    /// Whether any picture is a favourite.
    var hasFavourites: Bool { sidecars.values.contains(where: \.isFavourite) }

    private func shownMark(of id: Int) -> PictureMark {
        (sidecars[id] ?? SidecarMark()).mark(starsInFile: starsInFiles[id] ?? 0)
    }

    // MARK: Sidecars

    /// Reads the marks that are not known yet.
    func read() {
        let entries = album.complete.entries
        waiting = entries.filter { $0.descriptor == nil && !known.contains($0.id) }.map(\.id)[...]
        readNext()
    }

    private func readNext() {
        guard !isReading, !waiting.isEmpty else { return readStars() }
        let ids = Array(waiting.prefix(Self.part))
        waiting = waiting.dropFirst(ids.count)
        isReading = true
        work.reading.readMarks(of: ids.map { album.path($0)?.absolute ?? [] }) { [weak self] read in
            guard let self else { return }
            isReading = false
            // After a failure the marks stay unknown; the next listing or change asks again.
            guard let read else { return }
            let hasChanged = note(ids) {
                for (id, mark) in zip(ids, read) { sidecars[id] = mark.isEmpty ? nil : mark }
                known.formUnion(ids)
            }
            readNext()
            if !isReading || hasChanged { onRead(true) }
        }
    }

    /// Tells the album which marks `change` changes; returns whether it changes any.
    private func note(_ ids: some Sequence<Int>, _ change: () -> Void) -> Bool {
        let before = ids.map { ($0, shownMark(of: $0)) }
        change()
        let changed = before.filter { shownMark(of: $0) != $1 }.map { ($0.0, shownMark(of: $0.0)) }
        album.setMarks(Dictionary(changed) { $1 })
        return !changed.isEmpty
    }

    /// Reads the marks of these pictures, or of all pictures, again; the old marks are shown until then.
    ///
    /// The files of these pictures have changed, too.
    func forget(_ ids: Set<Int>? = nil) {
        if let ids { known.subtract(ids) } else { known = [] }
        outdated.formUnion(ids ?? [])
        album.complete.prune(&sidecars)
        album.complete.prune(&known)
        album.complete.prune(&starsInFiles)
        album.complete.prune(&outdated)
    }

    /// Applies a change that was written; marks that were not read before stay to be read.
    func apply(_ change: MarkChange, to id: Int) {
        guard known.contains(id) else { return }
        _ = note([id]) {
            let mark = change.applied(to: sidecars[id] ?? SidecarMark())
            sidecars[id] = mark.isEmpty ? nil : mark
        }
    }

    // MARK: Stars inside of files

    /// Whether the file of a picture may have stars that count.
    private func needsStars(_ id: Int) -> Bool {
        (starsInFiles[id] == nil || outdated.contains(id)) && starsInSidecar(of: id) == nil
            && album.entry(id).map { $0.descriptor == nil } == true
    }

    /// Reads the stars of the pictures whose cells are large enough to show them; nil without a grid.
    func want(_ grid: GridFrame?) {
        reader.rest()
        guard let grid, grid.phase == .idle else { return }
        let isLarge = grid.cells.contains { $0.rect.width >= Self.leastCell }
        inLargeCells = isLarge ? grid.nearestCells(of: album.count).map { album.id($0) } : []
        // The order by stars has them all read, whatever is shown.
        if !needsAllStars { readStars() }
    }

    /// The width of the smallest cell that shows stars, in logical pixels.
    private static let leastCell = 40.0

    /// Reads the stars that are shown, after the sidecars; all of them where the order needs them.
    private func readStars() {
        guard !isReading else { return }
        let ids = needsAllStars ? album.complete.entries.map(\.id) : inLargeCells
        reader.read(ids.filter { known.contains($0) && needsStars($0) })
    }

    /// Whether the order or a search goes by the stars of all pictures.
    private var needsAllStars: Bool {
        album.options.order.key == .rating || album.search?.query.needsStars == true
    }

    /// Reads the stars that a search needs.
    func readForSearch() { if album.search?.query.needsStars == true { read() } }

    /// Reads the stars of these pictures before those of all others.
    func readStarsNow(of ids: [Int]) { reader.readNow(ids.filter { needsStars($0) }) }

    /// Notes the stars that the files of pictures have, 0 for none.
    func noteStars(_ stars: [Int: Int]) {
        outdated.subtract(stars.keys)
        let hasChanged = note(stars.keys) { starsInFiles.merge(stars) { $1 } }
        onRead(hasChanged)
    }

    /// The marks by the places of the pictures in the listing, without those that have none.
    var byIndex: [Int: PictureMark] {
        var result: [Int: PictureMark] = [:]
        for id in Set(sidecars.keys).union(starsInFiles.keys) {
            let mark = shownMark(of: id)
            guard !mark.isEmpty, let index = album.listing.index(of: id) else { continue }
            result[index] = mark
        }
        return result
    }
}
