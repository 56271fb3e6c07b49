import Browser
import EventLoop
import Folders
import Motion

/// How a session begins with an album that is being opened.
struct AlbumOpening {
    /// Nil if the album decides, as at the start.
    var mode: BrowserModel.Mode?
    /// Whether a slideshow begins with the album.
    var startsSlideshow = false
    /// When the message about a late listing is due; nil if no listing is awaited, or after the message.
    var message: Moment?
    /// A picture that is shown once it is listed, and for how many updates it is waited for.
    var awaited: (path: FilePath, listings: Int)?
    /// Where the listing reports changes.
    var source: EventSources.Source?

    /// The time until that message, in milliseconds.
    private static let silentWait = 2000.0

    mutating func expectListing(at moment: Moment) {
        message = moment.advanced(byMilliseconds: Self.silentWait)
    }
}
