/// A request of the grid to its owner.
package enum GridEffect: Hashable, Sendable {
    /// Open the picture at this index, starting from the rectangle where it is drawn.
    case open(index: Int)
    /// Open the picture at this index, and go on with those that follow.
    case startSlideshow(index: Int)
    /// The selection has changed.
    case selectionChanged
    case toggleFullscreen
    /// Let the user choose other pictures to show, or another folder.
    case openFiles, openFolder
    /// Leave the grid for the level above.
    case leave
}
