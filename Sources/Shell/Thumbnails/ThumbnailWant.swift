package import ImageTypes

/// Which picture, and which of its states, a thumbnail is of.
package struct ThumbnailKey: Hashable, Sendable {
    /// A number that stays with the picture.
    package var picture: Int
    /// Changes with its content: of an older one nothing is shown.
    package var revision: Int

    package init(picture: Int, revision: Int = 0) {
        self.picture = picture
        self.revision = revision
    }
}

/// A thumbnail that can be seen, or will be soon.
package struct ThumbnailWant: Hashable, Sendable {
    /// The picture's place in the collection, by which outcomes are told.
    package var index: Int
    package var key: ThumbnailKey
    /// The longest side that is shown, in device pixels.
    package var side: Int

    package init(index: Int, key: ThumbnailKey, side: Int) {
        self.index = index
        self.key = key
        self.side = side
    }
}

/// Where a picture is read from.
package enum ThumbnailSource: Hashable, Sendable {
    /// A path as the system has it, bytes without a NUL.
    case file([UInt8])
    /// An open descriptor that stays open; of this no thumbnail is kept.
    case memory(Int32)
}

/// What became of a thumbnail that was wanted; the index is the one last given for the picture.
package enum ThumbnailOutcome: Sendable {
    /// It can be shown; a sharper one may follow.
    case ready(index: Int, key: ThumbnailKey, Bitmap)
    /// There is none; why, for a person.
    case broken(index: Int, key: ThumbnailKey, reason: String)
}
