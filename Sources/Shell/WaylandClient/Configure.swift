import Geometry
import WaylandProtocol

/// One word of the compositor on how the window should be, as it came.
struct Configure: Equatable {
    /// Counts from 1 in the order of arrival, since serials only compare for being equal.
    var number: Int
    var serial: UInt32
    /// Width and height in logical pixels; 0: the window's choice.
    var width: Double
    var height: Double
    /// The most that makes sense for a choice of the window's own; zero: unknown.
    var bounds: Size
    var states: Set<XdgToplevel.State>
    var isServerDecorated: Bool

    var tiledEdges: WindowState.Edges {
        let edges: [(XdgToplevel.State, WindowState.Edges)] = [
            (.tiledLeft, .left), (.tiledRight, .right), (.tiledTop, .top), (.tiledBottom, .bottom),
        ]
        return edges.reduce(into: []) { if states.contains($1.0) { $0.insert($1.1) } }
    }

    /// Whether the compositor, not the window, rules the size.
    var isConstrained: Bool {
        states.contains(.maximized) || states.contains(.fullscreen) || !tiledEdges.isEmpty
    }
}
