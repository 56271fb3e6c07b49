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
    /// The marks that were read, by the ids of the pictures.
    private(set) var marks: [Int: PictureMark] = [:]
    /// Whether sidecars are being read.
    private var isReading = false
    /// Called when marks were read.
    var onRead: () -> Void = {}

    init(_ album: Album, _ work: FileWork) { (self.album, self.work) = (album, work) }

    /// Reads the marks that are not known yet.
    func read() {
        guard !isReading else { return }
        let missing = album.listing.entries.lazy.filter { [marks] in
            $0.descriptor == nil && marks[$0.id] == nil
        }.prefix(ChangeRequest.mostMarks / 8).map(\.id)
        let ids = Array(missing)
        let paths = ids.map { album.path($0)?.absolute ?? [] }
        guard !ids.isEmpty else { return }
        isReading = true
        work.reading.readMarks(of: paths) { [weak self] read in
            guard let self else { return }
            isReading = false
            // After a failure the marks stay unknown; the next listing or change asks again.
            guard let read else { return }
            for (id, mark) in zip(ids, read) { marks[id] = mark }
            album.setMarks(Dictionary(zip(ids, read).filter { !$1.isEmpty }) { $1 })
            self.read()
            if !isReading || read.contains(where: { !$0.isEmpty }) { onRead() }
        }
    }

    /// Reads the marks of these pictures again.
    func forget(_ ids: Set<Int>) { for id in ids { marks[id] = nil } }

    /// Applies a change that was written; a mark that was not read before stays to be read.
    func apply(_ change: MarkChange, to id: Int) {
        guard let mark = marks[id].map({ change.applied(to: $0) }) else { return }
        marks[id] = mark
        album.setMarks([id: mark])
    }

    /// The marks by the places of the pictures in the listing, without those that have none.
    var byIndex: [Int: PictureMark] {
        var result: [Int: PictureMark] = [:]
        for (id, mark) in marks where !mark.isEmpty {
            if let index = album.listing.index(of: id) { result[index] = mark }
        }
        return result
    }
}
