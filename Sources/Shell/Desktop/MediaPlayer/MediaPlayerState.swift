package import Folders

/// What the viewer shows and can do, as a media player.
package struct MediaPlayerState: Hashable, Sendable {
    package enum Status: String, Hashable, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    /// The picture that is shown.
    package struct Track: Hashable, Sendable {
        /// Differs from that of every other picture.
        var number: Int
        var title: String
        var uri: String
        /// Files in which a smaller picture may be, the best one first.
        var thumbnails: [FilePath]
        /// How long the slideshow shows a picture.
        var seconds: Double

        package init(
            number: Int, title: String, uri: String, thumbnails: [FilePath], seconds: Double
        ) {
            (self.number, self.title, self.uri) = (number, title, uri)
            (self.thumbnails, self.seconds) = (thumbnails, seconds)
        }
    }

    package var status = Status.stopped
    package var track: Track?
    package var isShuffled = false
    /// Whether the next and the previous picture can be shown.
    package var canTurn = false
    /// Whether the slideshow can be started, stopped and shuffled.
    package var canPlay = false
    package var canQuit = false

    package init() {}
}

/// What another program asks of the media player.
package enum MediaCommand: Hashable, Sendable {
    case play, pause, playPause, stop, next, previous, quit
    case shuffle(Bool)
}
