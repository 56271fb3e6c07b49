/// Names that are short enough for a message.
extension String {
    /// The most characters of a name in a message, which has few lines for two names and what
    /// happened to them.
    package static let longestName = 40

    /// The name for a message: a long name loses its middle, so that its end, with number and
    /// extension, and the words behind the name are seen.
    package var shortName: String { withoutMiddle(beyond: Self.longestName) }

    /// The text with at most `limit` characters: a longer text gets an ellipsis in the middle; isolates
    /// stay whole.
    package func withoutMiddle(beyond limit: Int) -> String {
        guard count > limit else { return self }
        let tail: Int = max(limit - 1, 0) / 2
        let head: Int = max(limit - 1 - tail, 0)
        let text: String = String(prefix(head)) + "…" + String(suffix(tail))
        return text.withWholeIsolates
    }
}
