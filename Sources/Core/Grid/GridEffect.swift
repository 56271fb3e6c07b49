/// A request of the grid to its owner.
package enum GridEffect: Hashable, Sendable {
    /// Open the picture at this index, starting from the rectangle where it is drawn.
    case open(index: Int)
    /// The selection has changed.
    case selectionChanged
    case toggleFullscreen
    /// Leave the grid for the level above.
    case leave
}
