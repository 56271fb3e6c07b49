package import Geometry
package import Input
package import Motion

/// An event of a window, sent to its handler while the connection dispatches.
package enum WindowEvent: Hashable, Sendable {
    /// Input over the window; `seat` identifies the seat, since several users may share a screen.
    ///
    /// Size and scale changes are separate events, see below.
    case input(InputEvent, at: Moment, seat: Int)
    /// The compositor requests this state; the next frame must be painted for it.
    case configured(WindowState)
    /// The device pixels per logical pixel changed; the logical size did not.
    case scaleChanged(Double)
    /// The frame callback of the last commit arrived: the next frame can be painted now.
    case frameDone
    /// The compositor released a buffer: `acquireFrame` may succeed again.
    case bufferReleased
    /// The frame of a commit was shown at this moment.
    ///
    /// `refresh` is the time to the next possible frame in milliseconds; nil if the screen has no
    /// fixed period.
    case presented(commit: Int, at: Moment, refresh: Double?)
    /// The user asks to close the window.
    case closeRequested
    /// A key was pressed whose meaning is unknown, because the compositor's keymap is wrong.
    ///
    /// Sent once for each wrong keymap.
    case keymapRefused
    /// Screens were added, removed or changed.
    case outputsChanged
    /// A screen of the window has turned: fingers that are down have other coordinates from now on.
    case outputTurned
    /// The compositor has told another luminance of the screen, or has accepted or refused deep pixels.
    case lightChanged
    /// The compositor keeps the place of the window for later runs under that identifier.
    case sessionCreated(identifier: String)
}

/// The state of a window, as the compositor requests it.
package struct WindowState: Hashable, Sendable {
    /// In logical pixels; never empty.
    package var size: Size
    /// Device pixels per logical pixel.
    package var scale: Double
    package var isFullscreen = false
    package var isMaximized = false
    /// The window has the keyboard focus, and is decorated as active.
    package var isActivated = false
    /// The user is dragging an edge: painting should be fast rather than fine.
    package var isResizing = false
    /// The window is not visible; frame callbacks may stop.
    package var isSuspended = false
    /// The edges that touch other windows or the edge of the screen.
    package var tiledEdges: Edges = []
    /// The edges that the user cannot move.
    package var constrainedEdges: Edges = []
    /// Whether the window has to draw its own decorations.
    package var drawsOwnDecorations = true
    /// What the compositor can do with the window.
    package var capabilities = WindowCapabilities.all

    /// The size of the buffer that fills the window.
    package var bufferSize: PixelSize { bufferSize(at: 1) }

    /// The size of a buffer with that many pixels per device pixel along each side.
    package func bufferSize(at resolution: Double) -> PixelSize {
        PixelSize(covering: size, scale: scale * resolution)
    }

    package struct Edges: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let left = Edges(rawValue: 1)
        package static let right = Edges(rawValue: 2)
        package static let top = Edges(rawValue: 4)
        package static let bottom = Edges(rawValue: 8)
    }
}
