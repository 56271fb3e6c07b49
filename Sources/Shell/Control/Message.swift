/// A message of a peer to a running viewer: a command with its arguments.
package indirect enum Message: Hashable, Sendable {
    package enum Zoom: Hashable, Sendable {
        /// Logical pixels per picture pixel, as in the trace.
        case factor(Double)
        case fit, fill, oneToOne
    }

    package enum Slideshow: Hashable, Sendable {
        case on, off
        /// On, with this interval in seconds.
        case every(Double)
    }

    case hello, state, outputs
    case open([String])
    case next, previous
    /// The number of a picture, from 1 on; a negative number counts from the last picture.
    case goto(Int)
    case zoom(Zoom)
    /// Clockwise; negative for the other direction.
    case rotate(quarterTurns: Int)
    case grid, viewer
    case slideshow(Slideshow)
    case fullscreen(Bool)
    case reload
    case screenshot(String)
    /// The text of a gesture script, or the absolute path of its file.
    case play(String)
    case lock(Bool)
    /// Ignore touches while the screen of a kiosk is cleaned.
    case clean
    /// Switch the screen of a kiosk off or on.
    case screen(Bool)
    case quit, watch, ui
    /// The identifier of a command of the table of commands.
    case perform(String)
    case commands, settings
    case set(key: String, value: String)
    case history
    /// A message to the window on this output.
    case addressed(output: String, Message)
}

/// Why a message was refused, as a message for people.
package struct MessageError: Error, Hashable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// The answer to a message.
package enum Reply: Hashable, Sendable {
    /// Done; there is nothing else to say.
    case done
    /// A line of JSON with its line break.
    case line(String)
    case error(String)
}
