import Glibc
import ImageTypes

/// What happens in the folders while they are shown.
extension FolderScanner {
    /// Takes what was told; whether anything of it matters.
    func takeEvents() -> Bool {
        var matters = false
        for event in watch.read() where handle(event) { matters = true }
        return matters
    }

    private func handle(_ event: FolderWatch.Event) -> Bool {
        if event.has(IN_IGNORED) {
            watched[event.watch] = nil
            return false
        }
        let isLost = event.has(IN_Q_OVERFLOW)
        let isFoldersEnd = event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF)
        if isLost || isFoldersEnd || event.has(IN_UNMOUNT) {
            needsCensus = true
            return true
        }
        if event.has(IN_ISDIR) {
            guard options.isRecursive, event.name.first != UInt8(ascii: ".") else { return false }
            needsCensus = true
            return true
        }
        let places = (watched[event.watch] ?? []).compactMap { place(event.name, in: $0) }
        return apply(event, places)
    }

    /// The place of a name in a folder, if a picture there would be listed.
    private func place(_ name: [UInt8], in folder: Int) -> ListingBuilder.Place? {
        let isListed =
            builder.folders[folder].only.map { $0 == name }
            ?? (name.first != UInt8(ascii: ".") && PictureFormat.matches(name: name))
        return isListed ? ListingBuilder.Place(folder: folder, name: name) : nil
    }

    private func apply(_ event: FolderWatch.Event, _ places: [ListingBuilder.Place]) -> Bool {
        if event.has(IN_MOVED_TO) { return arrive(event.cookie, at: places) }
        for place in places {
            if event.has(IN_DELETE) { builder.remove(place) }
            if event.has(IN_CLOSE_WRITE) { appear(place, isWritten: true) }
            if event.has(IN_CREATE) { appear(place, isWritten: false) }
        }
        if event.has(IN_MOVED_FROM) {
            let leaving = places.filter { builder.contains($0) }
            if !leaving.isEmpty { moves[event.cookie] = leaving }
        }
        return !places.isEmpty
    }

    /// The second half of a rename: of pictures that were listed, or of something else.
    private func arrive(_ cookie: UInt32, at places: [ListingBuilder.Place]) -> Bool {
        let leaving = moves.removeValue(forKey: cookie) ?? []
        for (old, new) in zip(leaving, places) { builder.rename(old, to: new) }
        for old in leaving.dropFirst(places.count) { builder.remove(old) }
        for new in places.dropFirst(leaving.count) { appear(new, isWritten: true) }
        return !leaving.isEmpty || !places.isEmpty
    }

    /// There is something at a place: a picture if it is a file that is no longer being written.
    ///
    /// A new file is waited for until its writer closes it; a link to a file is never written.
    private func appear(_ place: ListingBuilder.Place, isWritten: Bool) {
        var link = stat()
        guard path(of: place).withCString({ lstat($0, &link) }) == 0 else { return }
        let isLink = link.st_mode & S_IFMT == S_IFLNK
        guard isLink || link.st_mode & S_IFMT == S_IFREG else { return }
        guard isWritten || isLink || link.st_nlink > 1 else { return }
        let details = options.needsDetails ? details(of: place) : nil
        if builder.contains(place) {
            builder.touch(place, details: details)
        } else {
            builder.see(
                ListingBuilder.FoundFile(place: place, inode: UInt64(link.st_ino), details: details)
            )
        }
    }

    private func details(of place: ListingBuilder.Place) -> Entry.Details? {
        var info = stat()
        guard path(of: place).withCString({ stat($0, &info) }) == 0 else { return nil }
        return Entry.Details(info)
    }
}
