import ImageWire

/// The pictures that a person sees or sees next, and how their files were found last.
///
/// A pure value: `FolderScanner` finds the files.
struct ComparedPictures {
    enum Verdict {
        case same
        /// The picture is to be read again.
        case changed
        /// There is no file any more, or none that can be reached.
        case gone
    }

    private(set) var followed = FollowedPictures()
    private var ids: Set<Int> = []
    /// By the ids of followed pictures; a nil value where there was no file.
    private var states: [Int: FileState?] = [:]
    /// How the files of damaged pictures were found when they were read again because of their age.
    private var retried: [Int: FileState] = [:]

    /// A file that was written within this time, in seconds, may have been incomplete when it was read.
    private static let recentTime = 120

    /// Follows other pictures; returns those that are new, and those whose damage is.
    mutating func follow(_ pictures: FollowedPictures) -> [Int] {
        let (former, formerIDs) = (followed, ids)
        (followed, ids) = (pictures, Set(pictures.ids))
        states = states.filter { ids.contains($0.key) }
        retried = retried.filter { ids.contains($0.key) }
        return pictures.ids.filter { id in
            !formerIDs.contains(id)
                || pictures.damaged[id].map { former.damaged[id] != $0 } ?? false
        }
    }

    func isFollowed(_ id: Int) -> Bool { ids.contains(id) }

    /// Whether a picture, in its present revision, could not be shown whole.
    func isDamaged(_ entry: Entry) -> Bool {
        followed.damaged[entry.id].map { $0 == entry.revision } ?? false
    }

    /// Forgets how a file was found, because its change was told.
    mutating func forget(_ id: Int) { states[id] = nil }

    /// Notes how the file of a picture is found at `date`, in seconds since 1970; returns what that means.
    ///
    /// `polled` is the folder of the picture if the system does not tell of its changes.
    mutating func note(
        _ state: FileState?, of entry: Entry, in polled: PolledFolder?, date: Int
    ) -> Verdict {
        let known = states[entry.id]
        if isFollowed(entry.id) { states[entry.id] = .some(state) }
        guard let state else {
            let wasThere = known.map { $0 != nil } ?? (entry.details != nil)
            return wasThere ? .gone : .same
        }
        let isNew = isOther(state, than: known, entry, in: polled)
        let isPartial = polled != nil && isDamaged(entry) && mayHaveGrown(state, entry.id, date)
        return isNew || isPartial ? .changed : .same
    }

    private func isOther(
        _ state: FileState, than known: FileState??, _ entry: Entry, in polled: PolledFolder?
    ) -> Bool {
        let details = Entry.Details(state.stamp.details)
        if let former = entry.details, former != details { return true }
        guard let known else { return false }
        // The file was out of reach.
        guard let former = known else { return true }
        if Entry.Details(former.stamp.details) != details, entry.details == nil { return true }
        // File systems of other computers may give new inodes to the same file.
        if polled?.isRemote != true, former.stamp.identity != state.stamp.identity { return true }
        return former.changed != state.changed && isDamaged(entry)
    }

    /// Whether a file may have become complete between its reading and the first look at the file; true
    /// once for each state.
    private mutating func mayHaveGrown(_ state: FileState, _ id: Int, _ date: Int) -> Bool {
        guard state.stamp.details.seconds > date - Self.recentTime, retried[id] != state else {
            return false
        }
        retried[id] = state
        return true
    }
}
