package import Commands
package import Geometry

/// A request of the grid to its owner.
package enum GridEffect: Hashable, Sendable {
    /// Open the picture at this index, starting from the rectangle where it is drawn.
    case open(index: Int)
    /// Open the picture at this index, and go on with those that follow.
    case startSlideshow(index: Int)
    /// The selection has changed.
    case selectionChanged
    case toggleFullscreen
    /// Drag these pictures to another program, with the finger or the button that is down, from a point
    /// of the surface in logical pixels.
    case dragOut(indexes: [Int], from: Point)
    /// Let the user choose other pictures to show, or another folder.
    case openFiles, openFolder
    /// A person wants to see the settings.
    case openSettings
    /// A command for the selected files.
    case files(Command)
    /// Leave the grid for the level above.
    case leave
}
