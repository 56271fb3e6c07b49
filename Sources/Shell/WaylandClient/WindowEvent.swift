package import Geometry
package import Input
package import Motion

/// What a window tells its owner, while the connection dispatches.
package enum WindowEvent: Hashable, Sendable {
    /// Input over the window; `seat` tells people apart who share a screen. Resizes and scales come
    /// as events of their own, below.
    case input(InputEvent, at: Moment, seat: Int)
    /// The compositor wants the window like this; the next frame is to be painted for it.
    case configured(WindowState)
    /// Device pixels per logical pixel changed, the logical size did not.
    case scaleChanged(Double)
    /// The frame asked for by the last commit can be painted now.
    case frameDone
    /// A buffer came back: `takeFrame` may succeed again.
    case bufferReleased
    /// The frame of a commit was shown at that moment; `refresh` is the time to the next possible
    /// one in milliseconds, where the screen has a fixed one.
    case presented(commit: Int, at: Moment, refresh: Double?)
    /// The person wants the window closed.
    case closeRequested
    /// Screens came, went or changed.
    case outputsChanged
}

/// How the compositor wants the window.
package struct WindowState: Hashable, Sendable {
    /// In logical pixels; never empty.
    package var size: Size
    /// Device pixels per logical pixel.
    package var scale: Double
    package var isFullscreen = false
    package var isMaximized = false
    /// It has the keyboard's attention, and is decorated so.
    package var isActivated = false
    /// A person is dragging an edge: painting should be quick rather than fine.
    package var isResizing = false
    /// Nothing of it can be seen; frame callbacks may stop.
    package var isSuspended = false
    /// The edges that touch others or the screen's.
    package var tiledEdges: Edges = []
    /// Whether nobody else draws a title bar.
    package var drawsOwnDecorations = true

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
