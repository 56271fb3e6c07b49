import Browser
import EventLoop
import Folders
import Geometry
import Motion

/// How a session begins with an album that is being opened.
struct AlbumOpening {
    /// Nil if the album decides, as at the start.
    var mode: BrowserModel.Mode?
    /// Whether a slideshow begins with the album.
    var startsSlideshow = false
    /// When the message about a late listing is due; nil if no listing is awaited, or after the message.
    var message: Moment?
    /// A picture that is shown once it is listed.
    var awaited: AwaitedPicture?
    /// Where the grid was before a search; nil without a search.
    var placeBeforeSearch: PlaceInAlbum?
    /// The folders that were shown before, the last one last.
    var history: [PlaceInFolder] = []
    /// The place to show in the folder that is being read.
    var returning: PlaceInFolder?
    /// How the folder that is being read appears; nil for one that appears at once.
    var flight: Flight?
    /// Where the listing reports changes.
    var source: EventSources.Source?

    /// The time until that message, in milliseconds.
    private static let silentWait = 2000.0

    enum Flight {
        /// Out of the cover of its tile, which was at this rectangle of the surface.
        case opening(from: Rect)
        /// Below this folder, which was shown before and closes into its tile.
        case closing(FilePath)
    }

    struct AwaitedPicture {
        let path: FilePath
        /// The original of a copy, by its id, and what is said of the copy; nil for other pictures.
        ///
        /// A copy is shown only if the original is still shown then.
        let original: (id: Int, message: String)?
        /// For how many updates the picture is waited for: one in another folder is never listed.
        var updates = 3
    }

    mutating func expectListing(at moment: Moment) {
        message = moment.advanced(byMilliseconds: Self.silentWait)
    }
}
