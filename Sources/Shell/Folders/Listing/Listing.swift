/// The listed pictures in order: an immutable snapshot.
package struct Listing: Sendable {
    package let entries: [Entry]
    package let folders: [Folder]
    /// The number of pictures before a filter has left some of them out.
    package let total: Int
    /// The index of each slot's entry in `entries`, -1 for an unused slot.
    private let places: [Int32]

    /// See `EntrySlots.nextUse`.
    let nextUse: Int

    package static let empty = Listing(entries: [], folders: [], slotCount: 0, nextUse: 0)

    /// `total` is the number of entries unless given.
    init(entries: [Entry], folders: [Folder], total: Int? = nil, slotCount: Int, nextUse: Int) {
        self.nextUse = nextUse
        self.total = total ?? entries.count
        self.entries = entries
        self.folders = folders
        var places = [Int32](repeating: -1, count: slotCount)
        for (index, entry) in entries.enumerated() {
            places[EntrySlots.slot(of: entry.id)] = Int32(index)
        }
        self.places = places
    }

    /// The entries at these indices, in ascending order, with the same ids.
    package func choosing(_ indices: [Int]) -> Listing {
        Listing(
            entries: indices.map { entries[$0] }, folders: folders, total: total,
            slotCount: places.count, nextUse: nextUse)
    }

    /// The pictures of the given paths alone.
    package var withoutSubfolders: Listing {
        choosing(
            entries.indices.filter {
                let folder = folders[entries[$0].folder]
                return folder.prefix.count == folder.givenLength
            })
    }

    package var count: Int { entries.count }

    package func path(at index: Int) -> FilePath {
        let entry = entries[index]
        return FilePath(folders[entry.folder].prefix + entry.name)
    }

    /// The file's name for display.
    package func title(at index: Int) -> String {
        String(decoding: entries[index].name, as: UTF8.self)
    }

    /// The index of the picture with this id; nil if not listed (any more).
    package func index(of id: Int) -> Int? {
        let slot = EntrySlots.slot(of: id)
        guard places.indices.contains(slot), places[slot] >= 0 else { return nil }
        let index = Int(places[slot])
        return entries[index].id == id ? index : nil
    }

    /// The index of the picture at `index` of an earlier listing; nil if the picture is gone.
    ///
    /// Constant time. Used to keep the scroll position when the listing changes.
    package func index(of index: Int, in earlier: Listing) -> Int? {
        guard earlier.entries.indices.contains(index) else { return nil }
        return self.index(of: earlier.entries[index].id)
    }

    /// Like `index(of:in:)`, but for a picture that is gone, the nearest one that remains.
    ///
    /// Later pictures are preferred. Nil only if no picture of the earlier listing remains.
    package func nearestIndex(to index: Int, in earlier: Listing) -> Int? {
        for distance in 0..<max(1, earlier.count) {
            for candidate in [index + distance, index - distance]
            where earlier.entries.indices.contains(candidate) {
                if let place = self.index(of: candidate, in: earlier) { return place }
            }
        }
        return nil
    }
}
