/// What is listed by now, while folders are read and watched; makes the listings.
///
/// A pure value: the system tells it what it saw, through `see`, `remove`, `rename` and `touch`.
struct ListingBuilder {
    /// A name in a folder.
    struct Place: Hashable {
        var folder: Int
        var name: [UInt8]

        /// The name at once, where the standard way would go byte by byte.
        func hash(into hasher: inout Hasher) {
            hasher.combine(folder)
            name.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// What reading a folder tells of a file.
    struct FoundFile {
        var place: Place
        var inode: UInt64 = 0
        var details: Entry.Details?
        var descriptor: Int32?
    }

    private(set) var folders: [Folder] = []
    private var folderPlaces: [Folder: Int] = [:]
    private var entries = EntrySlots()
    private var ids: [Place: Int] = [:]
    /// Ids in the order of the last listing, those that came since at the end.
    private var sequence: [Int] = []
    /// During a census: who was there before and has not been seen yet, and who is new.
    private var missing: Set<Int>?
    private var newcomers: [Int] = []

    var count: Int { entries.count }

    /// The number of a folder, the same whenever the same folder is named.
    mutating func index(of folder: Folder) -> Int {
        if let known = folderPlaces[folder] { return known }
        folders.append(folder)
        folderPlaces[folder] = folders.count - 1
        return folders.count - 1
    }

    func contains(_ place: Place) -> Bool { ids[place] != nil }

    /// Every picture's place, for those whose details are wanted after all.
    var placesWithoutDetails: [Place] {
        entries.all.compactMap { entry in
            entry.details == nil && entry.descriptor == nil
                ? Place(folder: entry.folder, name: entry.name) : nil
        }
    }

    // MARK: What was seen

    /// A picture is there: lists it, or confirms it and notices that it is another by now.
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
        if missing != nil { newcomers.append(id) }
    }

    /// A picture's content was written anew.
    mutating func touch(_ place: Place, details: Entry.Details?) {
        guard let id = ids[place] else { return }
        entries[id]?.revision += 1
        if let details { entries[id]?.details = details }
    }

    mutating func remove(_ place: Place) {
        guard let id = ids.removeValue(forKey: place) else { return }
        entries[id] = nil
    }

    /// A picture has another name now; one that had that name gets its content.
    mutating func rename(_ old: Place, to new: Place) {
        guard old != new, let id = ids[old] else { return }
        guard ids[new] == nil else {
            remove(old)
            return touch(new, details: nil)
        }
        ids[old] = nil
        ids[new] = id
        entries[id]?.folder = new.folder
        entries[id]?.name = new.name
    }

    /// Knows a picture's details after all; that is no change of it.
    mutating func complete(_ place: Place, with details: Entry.Details) {
        guard let id = ids[place] else { return }
        entries[id]?.details = details
    }

    /// When pictures were taken, by their ids.
    mutating func setTaken(_ dates: [Int: Timestamp]) {
        for (id, date) in dates { entries[id]?.taken = date }
    }

    // MARK: A census: everything is seen once more

    /// From here on every picture that is still there is seen again.
    mutating func beginCensus() {
        missing = Set(entries.all.map(\.id))
        newcomers = []
    }

    /// Who was not seen is gone, or bears another name: a newcomer that is the same file.
    mutating func endCensus() {
        guard let missing else { return }
        self.missing = nil
        var gone: [UInt64: Int] = [:]
        for entry in missing.compactMap({ entries[$0] }) where entry.descriptor == nil {
            let place = Place(folder: entry.folder, name: entry.name)
            // Where the file system gives no numbers nothing can be recognised.
            guard entry.inode != 0, gone[entry.inode] == nil else {
                remove(place)
                continue
            }
            ids[place] = nil
            gone[entry.inode] = entry.id
        }
        for arrived in newcomers.compactMap({ entries[$0] }) {
            guard let old = gone.removeValue(forKey: arrived.inode) else { continue }
            adopt(arrived, as: old)
        }
        for id in gone.values { entries[id] = nil }
        newcomers = []
    }

    /// The file keeps its old id; the number may have been given to a new file, so that nothing
    /// made from the old content counts any more.
    private mutating func adopt(_ arrived: Entry, as id: Int) {
        entries[arrived.id] = nil
        ids[Place(folder: arrived.folder, name: arrived.name)] = id
        entries[id]?.folder = arrived.folder
        entries[id]?.name = arrived.name
        entries[id]?.details = arrived.details
        entries[id]?.revision += 1
    }

    // MARK: Listing

    /// Everything in order.
    mutating func listing(in order: ListingOrder) -> Listing {
        let current = sequence.compactMap { entries[$0] }
        var sorting = Sorting(order, folders: folders)
        let sorted = sorting.sorted(current, folders)
        sequence = sorted.map(\.id)
        return Listing(entries: sorted, folders: folders, slotCount: entries.slotCount)
    }
}
