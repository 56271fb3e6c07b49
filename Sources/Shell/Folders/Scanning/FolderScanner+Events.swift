import FileAccess
import Glibc
import ImageTypes
import ImageWire

/// Handling of changes in watched folders.
extension FolderScanner {
    /// Handles all pending events; returns whether any of them affects the listing.
    func handleEvents() -> Bool {
        var hasChanges = false
        for event in watch.read() where handle(event) { hasChanges = true }
        return hasChanges
    }

    private func handle(_ event: FolderWatch.Event) -> Bool {
        if event.has(IN_IGNORED) {
            watch.table.remove(event.watch)
            return false
        }
        if event.has(IN_Q_OVERFLOW) || event.has(IN_UNMOUNT) {
            needsRescan = true
            suspectAll()
            return true
        }
        if event.name.isEmpty { return handleSelf(event) }
        // A folder that a path only leads through tells of names, too.
        guard let folders = watch.table.folders[event.watch] else { return false }
        if event.has(IN_ISDIR) { return handleSubfolder(event) }
        var places = folders.compactMap { place(event.name, in: $0) }
        if event.has(IN_MOVED_TO), places.isEmpty { places = newPlaces(event, folders) }
        return apply(event, places)
    }

    private func handleSubfolder(_ event: FolderWatch.Event) -> Bool {
        guard options.wantsSubfolders, event.name.first != UInt8(ascii: ".") else { return false }
        // A folder that could not be read may have got its permission.
        if event.has(IN_ATTRIB), unread.isEmpty { return false }
        needsRescan = true
        return true
    }

    /// Handles a change of a watched folder, link or file itself.
    private func handleSelf(_ event: FolderWatch.Event) -> Bool {
        let pictures = watch.table.pictures[event.watch] ?? []
        suspects.formUnion(pictures)
        let isWay =
            watch.table.ways.contains(event.watch) || watch.table.folders[event.watch] != nil
        guard isWay else { return !pictures.isEmpty }
        if event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF) {
            needsRescan = true
            suspectAll()
            return true
        }
        // What could not be entered may be entered now.
        if event.has(IN_ATTRIB) {
            suspects.formUnion(damagedPlaces)
            if !unread.isEmpty { needsRescan = true }
        }
        return needsRescan || !suspects.isEmpty
    }

    /// Suspects all pictures that a person sees or sees next: a path leads elsewhere.
    private func suspectAll() {
        suspects.formUnion(compared.followed.ids.compactMap { builder.place(of: $0) })
    }

    private var damagedPlaces: [ListingBuilder.Place] {
        compared.followed.damaged.keys.compactMap { builder.place(of: $0) }
    }

    /// The place of a name in a folder, or nil if such a file is not listed.
    private func place(_ name: [UInt8], in folder: Int) -> ListingBuilder.Place? {
        let isListed =
            builder.folders[folder].only.map { $0 == name }
            ?? (name.first != UInt8(ascii: ".") && PictureFormat.matches(name: name))
        return isListed ? ListingBuilder.Place(folder: folder, name: name) : nil
    }

    private func apply(_ event: FolderWatch.Event, _ places: [ListingBuilder.Place]) -> Bool {
        if event.has(IN_MOVED_TO) { return finishRename(event.cookie, at: places) }
        if event.has(IN_ATTRIB) {
            // A file that could not be read may have got its permission.
            let damaged = places.filter { builder.entry(at: $0).map(compared.isDamaged) ?? false }
            suspects.formUnion(damaged)
            return !damaged.isEmpty
        }
        for place in places {
            if event.has(IN_DELETE) { builder.remove(place) }
            if event.has(IN_CLOSE_WRITE) { addOrUpdate(place, isWritten: true) }
            if event.has(IN_CREATE) { addOrUpdate(place, isWritten: false) }
        }
        if event.has(IN_MOVED_FROM) {
            moves.begin(event.cookie, at: places.filter { builder.contains($0) })
        }
        return !places.isEmpty
    }

    /// The places of given files that get another name in their folder; the paths lead there from now on.
    ///
    /// A given file stays listed as a picture of a given folder does, whoever renames the file.
    private func newPlaces(_ event: FolderWatch.Event, _ folders: [Int]) -> [ListingBuilder.Place] {
        guard event.name.first != UInt8(ascii: "."), PictureFormat.matches(name: event.name) else {
            return []
        }
        let sources = moves.sources(of: event.cookie)
        return sources.compactMap { source in
            let folder = builder.folders[source.folder]
            guard folder.isGivenFile, folders.contains(source.folder),
                path(of: source) == newPaths[folder.root] ?? paths[folder.root]
            else { return nil }
            if newPaths[folder.root] != nil { watch.table.remove(folder: source.folder) }
            newPaths[folder.root] = FilePath(folder.prefix + event.name)
            let index = builder.index(of: folder.renamed(event.name))
            watch.table.add(event.watch, folder: index)
            return ListingBuilder.Place(folder: index, name: event.name)
        }
    }

    /// Forgets the new names of given files whose given names are listed again.
    func forgetNewPaths() {
        for (root, new) in newPaths {
            let given = givenPlace(root)
            guard builder.contains(given) else { continue }
            let folder = builder.index(of: builder.folders[given.folder].renamed(new.name))
            let former = ListingBuilder.Place(folder: folder, name: new.name)
            builder.remove(former)
            moves.left.remove(former)
            watch.table.remove(folder: folder)
            newPaths[root] = nil
            // An exchange of both names leaves the entry with the content of another file.
            suspects.insert(given)
        }
    }

    /// Handles the second half of a rename, of listed pictures or of other files.
    private func finishRename(_ cookie: UInt32, at places: [ListingBuilder.Place]) -> Bool {
        let sources = moves.finish(cookie)
        for (old, new) in zip(sources, places) { builder.rename(old, to: new) }
        for old in sources.dropFirst(places.count) { builder.remove(old) }
        for new in places.dropFirst(sources.count) { addOrUpdate(new, isWritten: true) }
        return !sources.isEmpty || !places.isEmpty
    }

    /// Whether there is a file at a place.
    func exists(_ place: ListingBuilder.Place) -> Bool {
        (try? files.inspect(path(of: place).bytes, wantsDetails: false)) != nil
    }

    /// Adds or updates the picture at a place, unless its file is still being written.
    ///
    /// A new file is added when its writer closes the file. Links are added at once, because no
    /// writer closes them.
    func addOrUpdate(_ place: ListingBuilder.Place, isWritten: Bool) {
        let wantsDetails = options.needsDetails || polled.folders[place.folder] != nil
        guard let node = try? files.inspect(path(of: place).bytes, wantsDetails: wantsDetails)
        else { return }
        guard node.kind == .link || node.kind == .file else { return }
        guard isWritten || node.kind == .link || node.hasOtherNames else { return }
        let details = node.details.map { Entry.Details($0) }
        if let entry = builder.entry(at: place) {
            compared.forget(entry.id)
            builder.touch(place, inode: node.inode, details: details)
            // The name may be that of a link now, whose target is to be watched.
            if compared.isFollowed(entry.id) { suspects.insert(place) }
        } else {
            builder.see(
                ListingBuilder.FoundFile(place: place, inode: node.inode, details: details))
        }
    }
}
