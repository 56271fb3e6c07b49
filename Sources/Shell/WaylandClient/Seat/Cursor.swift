import WaylandProtocol

/// The shape of the pointer over a window.
package enum Cursor: Hashable, Sendable {
    case arrow
    /// The content under the pointer can be dragged.
    case grab
    /// The content is being dragged.
    case grabbing
    /// An edge of the window can be dragged, or two that meet in a corner.
    case resize(WindowState.Edges)
    case hidden

    /// The shape in the cursor-shape protocol; nil for `hidden`.
    var shape: WpCursorShapeDeviceV1.Shape? {
        switch self {
        case .arrow: .default
        case .grab: .grab
        case .grabbing: .grabbing
        case .resize(let edges): ResizeCursor.of(edges)?.shape ?? .default
        case .hidden: nil
        }
    }

    /// The names in cursor themes, best first.
    var themeNames: [String] {
        switch self {
        case .arrow: Self.arrowNames
        case .grab: ["grab", "openhand"] + Self.arrowNames
        case .grabbing: ["grabbing", "closedhand", "fleur"] + Self.arrowNames
        case .resize(let edges): (ResizeCursor.of(edges)?.names ?? []) + Self.arrowNames
        case .hidden: []
        }
    }

    private static let arrowNames = ["default", "left_ptr"]
}

/// The cursor over one edge or corner: its shape, and its names in cursor themes.
///
/// The names are those of CSS, then those of X11's cursor font, then the cursor for both directions.
private struct ResizeCursor {
    let edges: WindowState.Edges
    let shape: WpCursorShapeDeviceV1.Shape
    let names: [String]

    static let all = [
        ResizeCursor(
            edges: .top, shape: .nResize, names: ["n-resize", "top_side", "ns-resize", "size_ver"]),
        ResizeCursor(
            edges: .bottom, shape: .sResize,
            names: ["s-resize", "bottom_side", "ns-resize", "size_ver"]),
        ResizeCursor(
            edges: .left, shape: .wResize,
            names: ["w-resize", "left_side", "ew-resize", "size_hor"]),
        ResizeCursor(
            edges: .right, shape: .eResize,
            names: ["e-resize", "right_side", "ew-resize", "size_hor"]),
        ResizeCursor(
            edges: [.top, .left], shape: .nwResize,
            names: ["nw-resize", "top_left_corner", "nwse-resize", "size_fdiag"]),
        ResizeCursor(
            edges: [.bottom, .right], shape: .seResize,
            names: ["se-resize", "bottom_right_corner", "nwse-resize", "size_fdiag"]),
        ResizeCursor(
            edges: [.top, .right], shape: .neResize,
            names: ["ne-resize", "top_right_corner", "nesw-resize", "size_bdiag"]),
        ResizeCursor(
            edges: [.bottom, .left], shape: .swResize,
            names: ["sw-resize", "bottom_left_corner", "nesw-resize", "size_bdiag"]),
    ]

    /// Nil for edges that do not meet.
    static func of(_ edges: WindowState.Edges) -> ResizeCursor? {
        all.first { $0.edges == edges }
    }
}
