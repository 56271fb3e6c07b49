import Geometry

/// What a person asks of the window by the bars.
enum WindowRequest {
    /// Move the window with the finger or the button that is down.
    case move
    /// Show the compositor's menu of the window, at a point of the surface in logical pixels.
    case menu(Point)
    case minimize
    case toggleMaximized
}
