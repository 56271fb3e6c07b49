package import Geometry

/// What happens while data are dragged over a window.
///
/// A window hears nothing of drags without a wanted type. Of its own program's drags `Window.wantsOwnDrop` hears the
/// points, and the window only hears their end.
package enum DropEvent: Sendable {
    /// The data have come over the window, at a point of the window in logical pixels.
    case entered(at: Point)
    case moved(to: Point)
    /// The data have left the window, or were let go over it.
    case left
    /// The data that were let go over the window, once they are here, or why they are not.
    ///
    /// `copies` says whether the person held Ctrl, which means to copy the files to here.
    case dropped(Result<ReceivedData, DataFailure>, at: Point, copies: Bool)
}
