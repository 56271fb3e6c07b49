/// What the viewer asks of the world around it.
package enum Effect: Hashable, Sendable {
    /// The picture at this index is wanted; its old one stays until it is there or fails.
    case show(index: Int)
    case toggleFullscreen
    /// The viewer has been left: the program ends.
    case quit
}
