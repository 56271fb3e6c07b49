package import ImageTypes

/// Identifies a picture, and the state of its content, for a thumbnail.
package struct ThumbnailKey: Hashable, Sendable {
    /// A number that identifies the picture.
    package var picture: Int
    /// Changes with the content; thumbnails of older revisions are not shown.
    package var revision: Int

    package init(picture: Int, revision: Int = 0) {
        self.picture = picture
        self.revision = revision
    }
}

/// A thumbnail that is visible now or soon.
package struct ThumbnailWant: Hashable, Sendable {
    /// The picture's index in the listing, which outcomes report.
    package var index: Int
    package var key: ThumbnailKey
    /// The longest side that is shown, in device pixels.
    ///
    /// More than the largest size of the cache (1024) makes pixels for exactly this side.
    package var side: Int
    /// The shorter side divided by the longer one, as far as it is known; 1 is the safe guess.
    package var proportion: Double

    package init(index: Int, key: ThumbnailKey, side: Int, proportion: Double = 1) {
        self.index = index
        self.key = key
        self.side = side
        self.proportion = proportion
    }
}

/// Where a picture is read from.
package enum ThumbnailSource: Hashable, Sendable {
    /// A path of the file system, bytes without a NUL.
    case file([UInt8])
    /// An open descriptor that stays open; its thumbnail is not cached.
    case memory(Int32)
}

/// The outcome for a wanted thumbnail; `index` is the one last given for the picture.
package enum ThumbnailOutcome: Sendable {
    /// The bitmap can be shown; a sharper one may follow.
    case ready(index: Int, key: ThumbnailKey, Bitmap)
    /// No thumbnail can be made; `reason` is a message for the user.
    case broken(index: Int, key: ThumbnailKey, reason: String)
}
