/// What the grid asks of the world around it.
package enum GridEffect: Hashable, Sendable {
    /// The picture at this index is to be opened, from where it is drawn.
    case open(index: Int)
    /// The selection has changed.
    case selectionChanged
    case toggleFullscreen
    /// One level up: out of the grid.
    case leave
}
