import Edits
import ImageTypes

/// Keeps the set of listed pictures while folders are read and watched, and makes the listings.
///
/// A pure value: `FolderScanner` reports files through `see`, `remove`, `rename` and `touch`.
struct ListingBuilder {
    /// A name in a folder.
    struct Place: Hashable {
        var folder: Int
        var name: [UInt8]

        init(folder: Int, name: [UInt8]) { (self.folder, self.name) = (folder, name) }

        init(_ entry: Entry) { self.init(folder: entry.folder, name: entry.name) }

        /// Hashes the name as one buffer, where the synthesized function goes byte by byte.
        func hash(into hasher: inout Hasher) {
            hasher.combine(folder)
            name.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// A file found by reading a folder.
    struct FoundFile {
        var place: Place
        var inode: UInt64 = 0
        var details: Entry.Details?
        var descriptor: Int32?
    }

    private(set) var folders: [Folder] = []
    let collation: Collation?
    private let clock: WallClock
    private var folderPlaces: [Folder: Int] = [:]
    private var entries: EntrySlots
    private var ids: [Place: Int] = [:]
    /// Ids in the order of the last listing, followed by those added since.
    private var sequence: [Int] = []
    /// During a rescan, the ids of earlier entries that have not been found yet.
    private var missing: Set<Int>?
    /// During a rescan, the ids of new entries.
    private var newIDs: [Int] = []

    /// Creates a builder whose ids are not those of `earlier`, and which sorts names by `collation` (nil
    /// sorts them in natural order) and dates by `clock`.
    init(
        after earlier: Listing = .empty, collation: Collation? = .environment,
        clock: WallClock = .environment
    ) {
        entries = EntrySlots(firstUse: earlier.nextUse)
        self.collation = collation
        self.clock = clock
    }

    var count: Int { entries.count }

    /// The index of a folder in `folders`; adds a folder that is new.
    mutating func index(of folder: Folder) -> Int {
        if let known = folderPlaces[folder] { return known }
        folders.append(folder)
        folderPlaces[folder] = folders.count - 1
        return folders.count - 1
    }

    func contains(_ place: Place) -> Bool { ids[place] != nil }

    func entry(at place: Place) -> Entry? { ids[place].flatMap { entries[$0] } }

    /// The place of a picture that has a file, by the id of its entry.
    func place(of id: Int) -> Place? {
        entries[id].flatMap { $0.descriptor == nil ? Place($0) : nil }
    }

    /// At most `most` pictures with a file in some of the folders, from a place in the table of all pictures
    /// on, and where to continue; from 0 on after the last one.
    func places(
        from slot: Int, most: Int, where isWanted: (_ folder: Int) -> Bool
    ) -> (places: [Place], next: Int) {
        var places: [Place] = []
        var slot = slot
        while slot < entries.slotCount {
            guard places.count < most else { return (places, slot) }
            if let entry = entries[slot: slot], entry.descriptor == nil, isWanted(entry.folder) {
                places.append(Place(entry))
            }
            slot += 1
        }
        return (places, 0)
    }

    /// The places of the files whose details are unknown.
    var placesWithoutDetails: [Place] {
        entries.all.compactMap { entry in
            entry.details == nil && entry.descriptor == nil ? Place(entry) : nil
        }
    }

    // MARK: Reports

    /// Reports that a picture exists: adds an entry, or checks whether its content has changed.
    mutating func see(_ found: FoundFile) {
        guard let id = ids[found.place], var entry = entries[id] else {
            return add(found)
        }
        missing?.remove(id)
        let isReplaced =
            entry.inode != 0 && found.inode != 0 && entry.inode != found.inode
        let isRewritten =
            entry.details != nil && found.details != nil && entry.details != found.details
        if isReplaced || isRewritten { entry.revision += 1 }
        entry.inode = found.inode != 0 ? found.inode : entry.inode
        entry.details = found.details ?? entry.details
        entries[id] = entry
    }

    private mutating func add(_ found: FoundFile) {
        let id = entries.insert { id in
            var entry = Entry(id: id, folder: found.place.folder, name: found.place.name)
            entry.inode = found.inode
            entry.details = found.details
            entry.descriptor = found.descriptor
            return entry
        }
        ids[found.place] = id
        sequence.append(id)
        if missing != nil { newIDs.append(id) }
    }

    /// Reports that the content of a picture was rewritten, or that another file has its name now.
    ///
    /// Without details those of before count no longer.
    mutating func touch(_ place: Place, inode: UInt64, details: Entry.Details?) {
        guard let id = ids[place] else { return }
        entries[id]?.revision += 1
        // The next rescan finds the same file.
        if inode != 0 { entries[id]?.inode = inode }
        entries[id]?.details = details
    }

    mutating func remove(_ place: Place) {
        guard let id = ids.removeValue(forKey: place) else { return }
        entries[id] = nil
    }

    /// Reports that a picture was renamed.
    ///
    /// If the new name is listed already, that entry remains and gets the content.
    mutating func rename(_ old: Place, to new: Place) {
        guard old != new, let id = ids[old] else { return }
        guard ids[new] == nil else {
            let (inode, details) = (entries[id]?.inode ?? 0, entries[id]?.details)
            remove(old)
            return touch(new, inode: inode, details: details)
        }
        ids[old] = nil
        ids[new] = id
        entries[id]?.folder = new.folder
        entries[id]?.name = new.name
    }

    /// Notes the details of a picture; its revision stays the same.
    mutating func note(_ details: Entry.Details?, of place: Place) {
        guard let id = ids[place] else { return }
        entries[id]?.details = details
    }

    /// Sets when pictures were taken, by their ids.
    mutating func setTaken(_ dates: [Int: CaptureTime]) {
        for (id, date) in dates { entries[id]?.taken = date }
    }

    /// Sets what pictures are marked with, by their ids.
    mutating func setMarks(_ marks: [Int: PictureMark]) {
        for (id, mark) in marks { entries[id]?.mark = mark }
    }

    // MARK: Rescan

    /// Starts a rescan: every picture that still exists is reported again until `endRescan`.
    mutating func beginRescan() {
        missing = Set(entries.all.map(\.id))
        newIDs = []
    }

    /// During a rescan, the inodes of earlier entries that have not been found yet.
    var missingInodes: Set<UInt64> {
        Set((missing ?? []).compactMap { entries[$0]?.inode }.filter { $0 != 0 })
    }

    /// Ends a rescan: removes the pictures that were not reported, except those of folders that are kept.
    ///
    /// If a new picture has the inode of a missing one, the missing one was renamed.
    mutating func endRescan(keeping isKept: (Folder) -> Bool = { _ in false }) {
        guard let missing else { return }
        self.missing = nil
        // Many pictures share a folder.
        let kept = Set(folders.indices.filter { isKept(folders[$0]) })
        var gone: [UInt64: Int] = [:]
        for entry in missing.compactMap({ entries[$0] })
        where entry.descriptor == nil && !kept.contains(entry.folder) {
            let place = Place(entry)
            // Without inodes, renames cannot be recognized.
            guard entry.inode != 0, gone[entry.inode] == nil else {
                remove(place)
                continue
            }
            ids[place] = nil
            gone[entry.inode] = entry.id
        }
        for arrived in newIDs.compactMap({ entries[$0] }) {
            guard let old = gone.removeValue(forKey: arrived.inode) else { continue }
            adopt(arrived, as: old)
        }
        for id in gone.values { entries[id] = nil }
        newIDs = []
    }

    /// Gives a renamed file its old id.
    ///
    /// The inode may have been reused for another file, so the entry gets a new revision.
    private mutating func adopt(_ arrived: Entry, as id: Int) {
        entries[arrived.id] = nil
        ids[Place(arrived)] = id
        entries[id]?.folder = arrived.folder
        entries[id]?.name = arrived.name
        entries[id]?.details = arrived.details
        entries[id]?.revision += 1
    }

    // MARK: Listing

    /// The listing of all pictures, or of the favourites only, in an order.
    mutating func listing(in order: ListingOrder, favouritesOnly: Bool = false) -> Listing {
        let current = sequence.compactMap { entries[$0] }
        var sorting = Sorting(order, folders: folders, collation: collation, clock: clock)
        let sorted = sorting.sorted(current, folders)
        sequence = sorted.map(\.id)
        let shown = favouritesOnly ? sorted.filter { $0.mark?.isFavourite == true } : sorted
        return Listing(
            entries: shown, folders: folders, total: sorted.count, slotCount: entries.slotCount,
            nextUse: entries.nextUse)
    }
}
