import Motion

/// When a thumbnail that could not be made is tried again.
enum RetryPolicy: Sendable {
    /// Never: the unchanged file will fail again.
    case never
    /// After a change in the folder: the file could not be opened.
    case afterFolderChange
    /// After a change in the folder, and after a pause: the system or the decoder failed, and the
    /// picture may be good.
    case afterPause
}

/// The pauses before thumbnails are tried again whose failure may not be the fault of their picture.
///
/// Pauses grow, because a system that lacks memory gets no better by more decoders.
struct ThumbnailRetries {
    private struct Entry {
        /// How often the thumbnail has failed.
        var failures = 0
        /// The end of the pause; nil after the pause.
        var end: Moment?
    }

    private var entries: [ThumbnailKey: Entry] = [:]

    /// In seconds; the last one repeats.
    static let pauses: [Double] = [2, 8, 30, 120]

    /// Starts the pause after a failure.
    mutating func pause(_ key: ThumbnailKey, from now: Moment) {
        var entry = entries[key] ?? Entry()
        let pause = Self.pauses[min(entry.failures, Self.pauses.count - 1)]
        entry.failures += 1
        entry.end = now.advanced(byMilliseconds: pause * 1000)
        entries[key] = entry
    }

    /// Forgets the failures of a thumbnail.
    mutating func forget(_ key: ThumbnailKey) { entries[key] = nil }

    mutating func forgetAll() { entries = [:] }

    /// Whether the pause of a thumbnail is over, so that it can be tried again.
    func isOver(_ key: ThumbnailKey) -> Bool { entries[key].map { $0.end == nil } ?? false }

    /// When the first pause of a wanted thumbnail ends; nil without a pause.
    func deadline(isWanted: (ThumbnailKey) -> Bool) -> Moment? {
        entries.compactMap { key, entry in isWanted(key) ? entry.end : nil }.min()
    }

    /// Ends the pauses of wanted thumbnails that last until `now` at most.
    mutating func endPauses(at now: Moment, isWanted: (ThumbnailKey) -> Bool) {
        for (key, entry) in entries {
            if let end = entry.end, end <= now, isWanted(key) { entries[key]?.end = nil }
        }
    }
}
