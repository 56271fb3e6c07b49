/// In which order pictures are listed.
package struct ListingOrder: Hashable, Sendable {
    package enum Key: Hashable, Sendable {
        /// As given, folder by folder, names in natural order; a folder comes before those in it.
        case name
        /// When the file was last written, earliest first.
        case modified
        /// When the picture was taken, or else its file last written; earliest first.
        case taken
        /// Smallest file first.
        case size
        /// Shuffled, the same way for the same seed whatever comes and goes.
        case random(seed: UInt64)
    }

    package var key: Key
    package var isReversed: Bool

    package init(_ key: Key, isReversed: Bool = false) {
        self.key = key
        self.isReversed = isReversed
    }

    /// Whether every file has to be asked for its date and size.
    var needsDetails: Bool {
        switch key {
        case .name, .random: false
        case .modified, .taken, .size: true
        }
    }
}
