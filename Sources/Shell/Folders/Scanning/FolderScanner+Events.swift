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
            watched[event.watch] = nil
            return false
        }
        let isOverflow = event.has(IN_Q_OVERFLOW)
        let isFolderGone = event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF)
        if isOverflow || isFolderGone || event.has(IN_UNMOUNT) {
            needsRescan = true
            return true
        }
        if event.has(IN_ISDIR) {
            guard options.isRecursive, event.name.first != UInt8(ascii: ".") else { return false }
            needsRescan = true
            return true
        }
        let places = (watched[event.watch] ?? []).compactMap { place(event.name, in: $0) }
        return apply(event, places)
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
        for place in places {
            if event.has(IN_DELETE) { builder.remove(place) }
            if event.has(IN_CLOSE_WRITE) { addOrUpdate(place, isWritten: true) }
            if event.has(IN_CREATE) { addOrUpdate(place, isWritten: false) }
        }
        if event.has(IN_MOVED_FROM) {
            let listed = places.filter { builder.contains($0) }
            if !listed.isEmpty { moves[event.cookie] = listed }
            left.formUnion(listed)
        }
        return !places.isEmpty
    }

    /// Handles the second half of a rename, of listed pictures or of other files.
    private func finishRename(_ cookie: UInt32, at places: [ListingBuilder.Place]) -> Bool {
        let sources = moves.removeValue(forKey: cookie) ?? []
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
        guard
            let node = try? files.inspect(
                path(of: place).bytes, wantsDetails: options.needsDetails)
        else { return }
        guard node.kind == .link || node.kind == .file else { return }
        guard isWritten || node.kind == .link || node.hasOtherNames else { return }
        let details = node.details.map { Entry.Details($0) }
        if builder.contains(place) {
            builder.touch(place, inode: node.inode, details: details)
        } else {
            builder.see(
                ListingBuilder.FoundFile(place: place, inode: node.inode, details: details))
        }
    }
}
