package import Geometry

/// A touch that began on chrome, or a movement of the pointer; points are on the surface, in logical
/// pixels.
package enum ChromeGesture: Hashable, Sendable {
    /// The first finger, or the left button of the pointer, is down on chrome.
    case down(at: Point, isPointer: Bool)
    /// The finger drags; the translation since the drag began, in logical pixels.
    case dragged(by: Vector)
    /// The finger that dragged has lifted.
    case dragEnded
    case tap(at: Point)
    /// The finger has rested for the time of a long press; its touch goes on, so that a tap or a drag
    /// follows.
    case longPress(at: Point)
    /// The touch has no effect any more.
    case cancelled
    /// The pointer has moved while no button is down, or has left the surface: nil.
    case hover(at: Point?)
}
