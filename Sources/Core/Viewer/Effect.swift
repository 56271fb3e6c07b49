/// What the viewer asks of the world around it.
package enum Effect: Hashable, Sendable {
    /// The picture at this index is selected, so that others are wanted than before.
    case show(index: Int)
    case toggleFullscreen
    /// The animation is to be stopped, or to go on.
    case playPause
    /// The animation is to be stopped at its next frame.
    case nextFrame
    /// The picture is back in its cell: the grid has the surface.
    case landed
    /// The viewer has been left: the program ends.
    case quit
}
