import WaylandProtocol

/// The shape of the pointer over a window.
package enum Cursor: Hashable, Sendable {
    case arrow
    /// The content under the pointer can be dragged.
    case grab
    /// The content is being dragged.
    case grabbing
    case hidden

    /// The shape in the cursor-shape protocol; nil for `hidden`.
    var shape: WpCursorShapeDeviceV1.Shape? {
        switch self {
        case .arrow: .default
        case .grab: .grab
        case .grabbing: .grabbing
        case .hidden: nil
        }
    }

    /// The names in cursor themes, best first.
    var themeNames: [String] {
        switch self {
        case .arrow: ["default", "left_ptr"]
        case .grab: ["grab", "openhand", "default", "left_ptr"]
        case .grabbing: ["grabbing", "closedhand", "fleur", "default", "left_ptr"]
        case .hidden: []
        }
    }
}
