import WaylandProtocol

/// What the pointer looks like over a window.
package enum Cursor: Hashable, Sendable {
    case arrow
    /// What is under the pointer can be taken and moved.
    case grab
    /// It is being moved.
    case grabbing
    case hidden

    /// The name in cursor-shape; nil for none.
    var shape: WpCursorShapeDeviceV1.Shape? {
        switch self {
        case .arrow: .default
        case .grab: .grab
        case .grabbing: .grabbing
        case .hidden: nil
        }
    }

    /// The names in cursor themes, the best first.
    var themeNames: [String] {
        switch self {
        case .arrow: ["default", "left_ptr"]
        case .grab: ["grab", "openhand", "default", "left_ptr"]
        case .grabbing: ["grabbing", "closedhand", "fleur", "default", "left_ptr"]
        case .hidden: []
        }
    }
}
