import FileAccess
import ImageWire
import SystemCalls

/// Comparison of the files of pictures with how the files were found before.
extension FolderScanner {
    typealias Place = ListingBuilder.Place

    /// Follows the pictures that a person sees or sees next; returns whether the listing changes.
    func follow(_ pictures: FollowedPictures) -> Bool {
        let new = compared.follow(pictures)
        let left = Set(watch.table.pictures.values.joined()).union(polled.pictures)
            .filter { builder.entry(at: $0).map { !compared.isFollowed($0.id) } ?? true }
        watch.forgetWays(of: left)
        polled.pictures.subtract(left)
        let hasChanges = compare(new.compactMap { builder.place(of: $0) })
        // A damaged picture may be half a file that is still being written.
        for place in pictures.damaged.keys.compactMap({ builder.place(of: $0) })
        where polled.folders[place.folder] != nil && new.contains(where: { $0 == id(place) }) {
            polled.restless.insert(place)
        }
        planLooks()
        return hasChanges
    }

    private func id(_ place: Place) -> Int? { builder.entry(at: place)?.id }

    /// Compares the pictures whose files may have changed, as the system has told.
    func compareSuspects() {
        guard !suspects.isEmpty else { return }
        let places = suspects
        suspects = []
        // The watches may be those of files and folders that are not on the way any more.
        watch.forgetWays(of: places)
        _ = compare(Array(places))
        planLooks()
    }

    /// Compares the files of pictures; returns whether the listing changes.
    ///
    /// Nothing is known of files while one of their folder does not answer: pictures that are looked at
    /// come back then. Without `rewatches`, ways stay watched as they are.
    func compare(_ places: [Place], rewatches: Bool = true) -> Bool {
        var hasChanges = false
        // Folders that do not answer are not mixed with others.
        for places in Dictionary(grouping: places, by: { builder.folders[$0.folder].prefix }).values
        {
            do throws(SystemError) {
                let states = try files.states(of: places.map { path(of: $0).bytes })
                for (place, state) in zip(places, states) where note(state, of: place, rewatches) {
                    hasChanges = true
                }
            } catch {
                // A file that does not answer keeps whoever shows the file waiting, but no one else.
                guard error == FolderClient.stalled else {
                    needsRescan = true
                    continue
                }
                polled.restless.formUnion(places.filter { polled.folders[$0.folder] != nil })
            }
        }
        return hasChanges
    }

    /// Notes how the file of a picture is found; returns whether the listing changes.
    private func note(_ state: FileState?, of place: Place, _ rewatches: Bool) -> Bool {
        guard let entry = builder.entry(at: place) else { return false }
        let folder = polled.folders[place.folder]
        let verdict = compared.note(state, of: entry, in: folder, date: Clock.date())
        if verdict != .same, rewatches {
            watch.forgetWays(of: [place])
            polled.pictures.remove(place)
        }
        if folder != nil { builder.note(state.map { Entry.Details($0.stamp.details) }, of: place) }
        switch verdict {
        case .same: break
        case .changed:
            reload(place, state)
            if folder != nil { polled.restless.insert(place) }
        // The names of a folder tell what is gone, but a given file is looked for by itself.
        case .gone: if builder.folders[place.folder].isGivenFile { needsRescan = true }
        }
        let isFoundOther =
            rewatches && folder?.isWatched != false && watchWay(of: place, entry.id, state)
        return verdict == .changed || isFoundOther
    }

    private func reload(_ place: Place, _ state: FileState?) {
        let isKept = options.needsDetails || polled.folders[place.folder] != nil
        builder.touch(
            place, inode: inode(of: place, state),
            details: isKept ? state.map { Entry.Details($0.stamp.details) } : nil)
    }

    /// The inode that the next reading finds: of a given link that of the target; 0 if unknown.
    private func inode(of place: Place, _ state: FileState?) -> UInt64 {
        if builder.folders[place.folder].isGivenFile { return state?.stamp.identity.inode ?? 0 }
        return (try? files.inspect(path(of: place).bytes, wantsDetails: false))?.inode ?? 0
    }

    // MARK: Ways

    /// Watches the way and the file of a picture that a person sees, where the watch of its folder does not
    /// tell of them; returns whether the file has changed meanwhile.
    private func watchWay(of place: Place, _ id: Int, _ state: FileState?) -> Bool {
        guard compared.isFollowed(id), state?.isIndirect != false, !watch.table.hasWay(of: place)
        else {
            return false
        }
        polled.pictures.insert(place)
        guard let way = try? files.follow(path(of: place).bytes) else { return false }
        watch.table.add(way.watches, picture: place)
        guard way.isWhole else { return false }
        polled.pictures.remove(place)
        // A file that is being written changes between any two comparisons; the new watches tell the rest.
        return compare([place], rewatches: false)
    }

    /// Watches the way of a folder; a way that the system does not watch is looked at.
    func watchWay(to folder: [UInt8]) throws(SystemError) {
        let way = try files.follow(folder)
        watch.table.addWays(way.watches)
        guard !way.isWhole else { return }
        polled.ways[folder] = try files.states(of: [folder])[0]?.stamp.identity
    }
}
