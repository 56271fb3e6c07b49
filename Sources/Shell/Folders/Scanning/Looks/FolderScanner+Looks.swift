import FileAccess
import ImageWire
import SystemCalls

/// Looks at what the system does not tell of.
extension FolderScanner {
    /// Looks at what is due; returns whether the listing changes.
    func look(at now: Double) -> Bool {
        let due = schedule.takeDue(at: now)
        guard !due.isEmpty else { return false }
        var hasChanges = false
        for reason in LookSchedule.Reason.allCases where due.contains(reason) {
            if look(for: reason) { hasChanges = true }
        }
        planLooks()
        return hasChanges || needsRescan
    }

    private func look(for reason: LookSchedule.Reason) -> Bool {
        switch reason {
        case .unread:
            if unread.contains(where: { $0.isLookedAt && isReadable($0.path) }) {
                needsRescan = true
            }
            return false
        case .ways:
            if !polled.ways.allSatisfy(leadsAsBefore) { needsRescan = true }
            return compare(Array(polled.pictures))
        case .folders: return lookAtFolders()
        case .arrivals: return seeArrivals()
        case .restless:
            let places = polled.restlessRounds.next(Self.mostInTurn, of: polled.restless)
            // Those that have changed again come back.
            polled.restless.subtract(places)
            return compare(places)
        }
    }

    /// Plans looks for what the system does not tell of.
    func planLooks() {
        let reasons: [(LookSchedule.Reason, Bool)] = [
            (.unread, unread.contains(where: \.isLookedAt)),
            (.ways, !polled.ways.isEmpty || !polled.pictures.isEmpty),
            (.folders, !polled.folders.isEmpty), (.arrivals, !polled.arrivals.isEmpty),
            (.restless, !polled.restless.isEmpty),
        ]
        schedule.plan(Set(reasons.filter(\.1).map(\.0)), now: Clock.now())
    }

    private func isReadable(_ path: FilePath) -> Bool {
        guard let node = try? files.find(path.bytes) else { return false }
        guard node.kind == .folder else { return true }
        return
            (try? files.list(
                path.folderPrefix, wantsDetails: false, wantsSubfolders: false,
                onFolder: { _ in }, onItems: { _ in })) != nil
    }

    /// A path that cannot be looked at has changed: reading the path says how.
    ///
    /// A path that is only slow has not.
    private func leadsAsBefore(_ path: [UInt8], to identity: FileIdentity) -> Bool {
        do throws(SystemError) {
            return try files.states(of: [path])[0]?.stamp.identity == identity
        } catch { return error == FolderClient.stalled }
    }

    // MARK: Folders

    private func lookAtFolders() -> Bool {
        let start = Clock.now()
        defer { schedule.folderCost = Clock.now() - start }
        lookAtNames(until: start + Self.listingTime)
        return comparePolled(until: Clock.now() + Self.comparisonTime)
    }

    /// Looks at the names in folders, in turn over several looks where there are many: a person who asks
    /// for another order does not wait for all of them.
    private func lookAtNames(until end: Double) {
        if polled.unlooked.isEmpty { polled.unlooked = Array(polled.folders.keys) }
        while !needsRescan, let index = polled.unlooked.popLast() {
            if polled.folders[index].map(isChanged) == true { needsRescan = true }
            guard Clock.now() < end else { break }
        }
    }

    /// After this time, in milliseconds, no further folders are listed in one look.
    private static let listingTime = 1000.0
    /// After this time, in milliseconds, no further pictures are compared in one look.
    private static let comparisonTime = 100.0
    /// As many pictures are compared at a time.
    private static let batch = 16
    /// The most pictures that are compared in one look, apart from those that a person sees.
    private static let mostInTurn = 256

    /// A folder that cannot be looked at has changed: reading the folder says how.
    ///
    /// One that is only slow has not.
    private func isChanged(_ folder: PolledFolder) -> Bool {
        guard let former = folder.names else { return false }
        var names = FolderNames()
        var isOther = false
        do throws(SystemError) {
            try files.list(
                folder.path, wantsDetails: false, wantsSubfolders: options.wantsSubfolders,
                onFolder: { isOther = folder.isOther($0) },
                onItems: { for item in $0 { names.add(item) } })
        } catch { return error != FolderClient.stalled }
        return isOther || names != former
    }

    /// Compares the pictures that a person sees, and all others in turn, at least a few of them.
    private func comparePolled(until end: Double) -> Bool {
        let isPolled = { [polled] in polled.folders[$0] != nil }
        let followed = compared.followed.ids.compactMap { builder.place(of: $0) }
            .filter { isPolled($0.folder) }
        var hasChanges = false
        var rest = followed[...]
        repeat {
            if compare(Array(rest.prefix(Self.batch))) { hasChanges = true }
            rest = rest.dropFirst(Self.batch)
        } while !rest.isEmpty && Clock.now() < end
        var count = 0
        repeat {
            let (places, next) = builder.places(
                from: polled.nextSlot, most: Self.batch, where: isPolled)
            polled.nextSlot = next
            count += places.count
            if compare(places) { hasChanges = true }
        } while polled.nextSlot > 0 && count < Self.mostInTurn && Clock.now() < end
        return hasChanges
    }

    // MARK: New files

    /// Lists new files of a folder, unless they may still be written.
    ///
    /// Files that were there in the beginning are listed at once, and so are those of a local folder that
    /// were renamed, or that nobody has written for a while by the clock of this computer. Looks decide on
    /// the others.
    func receive(
        _ newcomers: [ListingBuilder.FoundFile], isRemote: Bool
    ) throws(SystemError) {
        guard !newcomers.isEmpty else { return }
        let states = try files.states(of: newcomers.map { path(of: $0.place).bytes })
        let renamed = isRemote ? [] : builder.missingInodes
        let latest = Clock.date() - Int((schedule.restPause / 1000).rounded(.up))
        for (found, state) in zip(newcomers, states) {
            guard let details = state?.stamp.details else { continue }
            if !isRemote && (details.seconds < latest || renamed.contains(found.inode)) {
                builder.see(found)
            } else {
                polled.note(found, details)
            }
        }
    }

    /// Lists new files that have not changed since the last look; returns whether there are any.
    private func seeArrivals() -> Bool {
        let arrivals = polled.arrivalRounds.next(Self.mostInTurn, of: Set(polled.arrivals.keys))
            .compactMap { polled.arrivals[$0] }
        let paths = arrivals.map { path(of: $0.found.place).bytes }
        let states: [FileState?]
        do throws(SystemError) { states = try files.states(of: paths) } catch {
            if error != FolderClient.stalled { needsRescan = true }
            return false
        }
        var hasChanges = false
        for (arrival, state) in zip(arrivals, states) {
            let place = arrival.found.place
            guard let details = state?.stamp.details, details != arrival.details else {
                polled.arrivals[place] = nil
                guard state != nil else { continue }
                see(arrival)
                hasChanges = true
                continue
            }
            polled.arrivals[place]?.details = details
        }
        return hasChanges
    }

    private func see(_ arrival: PolledPaths.Arrival) {
        var found = arrival.found
        if options.needsDetails || polled.folders[found.place.folder] != nil {
            found.details = Entry.Details(arrival.details)
        }
        builder.see(found)
        // Its writer may only have paused.
        if polled.folders[found.place.folder] != nil { polled.restless.insert(found.place) }
    }
}
