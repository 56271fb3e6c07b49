import FileAccess
import ImageWire
import SystemCalls

/// Paths and folders of whose changes the system tells nothing.
extension FolderScanner {
    /// Looks at the unread paths and remote folders if it is time; returns whether to read them again.
    func look(at now: Double) -> Bool {
        guard schedule.isDue(at: now) else { return false }
        let hasChanged =
            !arrivals.isEmpty || remote.contains { isChanged($0.value) }
            || unread.contains {
                !$0.value.isStalled && !$0.value.isUnmounted && isReadable(paths[$0.key])
            }
        guard !hasChanged else { return true }
        schedule.plan(
            hasUnread: unread.values.contains { !$0.isStalled }, hasRemote: !remote.isEmpty,
            hasArrivals: false, now: Clock.now())
        return false
    }

    private func isReadable(_ path: FilePath) -> Bool {
        guard let node = try? files.find(path.bytes) else { return false }
        guard node.kind == .folder else { return true }
        return
            (try? files.list(
                path.folderPrefix, wantsDetails: false, wantsSubfolders: false,
                onFolder: { _, _, _ in }, onItems: { _ in })) != nil
    }

    // MARK: Remote folders

    /// A folder that cannot be looked at has changed: reading it says how.
    private func isChanged(_ folder: RemoteFolder) -> Bool {
        (try? modification(of: folder)) != folder.modified
    }

    private func modification(of folder: RemoteFolder) throws(SystemError) -> FileModification? {
        try files.details(of: [folder.path])[0].map {
            FileModification(seconds: $0.seconds, nanoseconds: $0.nanoseconds)
        }
    }

    /// Notes when a remote folder was last written.
    func noteModification(of index: Int) throws(SystemError) {
        guard let folder = remote[index] else { return }
        remote[index]?.modified = try modification(of: folder)
    }

    /// Lists new files of a folder that have not changed since the last look.
    ///
    /// The others may still be written. Files that were there in the beginning are listed at once, and so
    /// are those of a local folder that were renamed, or that nobody has written for a while by the clock
    /// of this computer.
    func seeAtRest(
        _ newcomers: [ListingBuilder.FoundFile], isRemote: Bool
    ) throws(SystemError) {
        guard !newcomers.isEmpty else { return }
        let details = try files.details(of: newcomers.map { path(of: $0.place).bytes })
        let renamed = isRemote ? [] : builder.missingInodes
        let latest = Clock.date() - Int((schedule.restPause / 1000).rounded(.up))
        for (found, details) in zip(newcomers, details) {
            guard let details else { continue }
            let isAtRest = !isRemote && (details.seconds < latest || renamed.contains(found.inode))
            if isAtRest || earlierArrivals[found.place] == details {
                builder.see(found)
            } else {
                arrivals[found.place] = details
            }
        }
    }
}
