import Folders
import Browser
import Edits
import FileChanges
import ImageWire

/// What the pictures of an album are marked with: reads the sidecars a part at a time, after the first
/// picture is shown.
final class MarkStore {
    private let album: Album
    private let work: FileWork
    /// The marks of the pictures that have any, by their ids.
    private var marked: [Int: PictureMark] = [:]
    /// The ids of the pictures whose sidecars were read, and need not be read again.
    private var known: Set<Int> = []
    /// The ids of the pictures whose sidecars are read next.
    private var waiting: ArraySlice<Int> = []
    private var isReading = false
    /// Called when marks were read.
    var onRead: () -> Void = {}

    /// So many sidecars are read at a time.
    private static let part = ChangeRequest.mostMarks / 8

    init(_ album: Album, _ work: FileWork) { (self.album, self.work) = (album, work) }

    /// The marks of a picture; nil while they are not known.
    func mark(of id: Int) -> PictureMark? {
        known.contains(id) ? marked[id] ?? PictureMark() : nil
    }

    /// Whether any picture is a favourite.
    var hasFavourites: Bool { marked.values.contains(where: \.isFavourite) }

    /// Reads the marks that are not known yet.
    func read() {
        let entries = album.listing.entries
        waiting = entries.filter { $0.descriptor == nil && !known.contains($0.id) }.map(\.id)[...]
        readNext()
    }

    private func readNext() {
        guard !isReading, !waiting.isEmpty else { return }
        let ids = Array(waiting.prefix(Self.part))
        waiting = waiting.dropFirst(ids.count)
        isReading = true
        work.reading.readMarks(of: ids.map { album.path($0)?.absolute ?? [] }) { [weak self] read in
            guard let self else { return }
            isReading = false
            // After a failure the marks stay unknown; the next listing or change asks again.
            guard let read else { return }
            let changed = zip(ids, read).filter { self.marked[$0] ?? PictureMark() != $1 }
            for (id, mark) in changed { marked[id] = mark.isEmpty ? nil : mark }
            known.formUnion(ids)
            album.setMarks(Dictionary(changed) { $1 })
            readNext()
            if !isReading || !changed.isEmpty { onRead() }
        }
    }

    /// Has the marks of these pictures read again, or those of all; they are shown until then.
    func forget(_ ids: Set<Int>? = nil) {
        if let ids { known.subtract(ids) } else { known = [] }
        album.listing.prune(&marked)
        album.listing.prune(&known)
    }

    /// Applies a change that was written; marks that were not read before stay to be read.
    func apply(_ change: MarkChange, to id: Int) {
        guard let mark = mark(of: id).map({ change.applied(to: $0) }) else { return }
        marked[id] = mark.isEmpty ? nil : mark
        album.setMarks([id: mark])
    }

    /// The marks by the places of the pictures in the listing, without those that have none.
    var byIndex: [Int: PictureMark] {
        var result: [Int: PictureMark] = [:]
        for (id, mark) in marked {
            if let index = album.listing.index(of: id) { result[index] = mark }
        }
        return result
    }
}
