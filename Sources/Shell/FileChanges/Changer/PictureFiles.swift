import ImageWire

/// The file of a picture, and the files that belong to it.
struct PictureFiles {
    struct Companion {
        /// What the name has after that of the picture.
        let suffix: [UInt8]
        let path: [UInt8]
    }

    var picture: [UInt8]
    var companions: [Companion] = []
    /// Files that belong to the picture already if they have the name of a companion.
    var known: Set<FileIdentity> = []

    /// The length of the longest suffix.
    var longestSuffix: Int { companions.map(\.suffix.count).max() ?? 0 }

    /// The paths of all files at a path of the picture, that of the picture first.
    func paths(at picture: [UInt8]) -> [[UInt8]] {
        [picture] + companions.map { picture + $0.suffix }
    }
}
