import Geometry
import WaylandProtocol

/// A configure sequence: the state that the compositor requests for the window.
struct Configure: Equatable {
    /// Counts from 1 in the order of arrival, since serials can only be compared for equality.
    var number: Int
    var serial: UInt32
    /// Width and height in logical pixels; 0 if the window chooses.
    var width: Double
    var height: Double
    /// The recommended maximum size in logical pixels if the window chooses; zero if unknown.
    var bounds: Size
    var states: Set<XdgToplevel.State>
    var isServerDecorated: Bool
    var capabilities = WindowCapabilities.all

    var tiledEdges: WindowState.Edges {
        edges(left: .tiledLeft, right: .tiledRight, top: .tiledTop, bottom: .tiledBottom)
    }

    /// The edges that the user cannot move.
    var constrainedEdges: WindowState.Edges {
        edges(
            left: .constrainedLeft, right: .constrainedRight, top: .constrainedTop,
            bottom: .constrainedBottom)
    }

    private func edges(
        left: XdgToplevel.State, right: XdgToplevel.State, top: XdgToplevel.State,
        bottom: XdgToplevel.State
    ) -> WindowState.Edges {
        let edges: [(XdgToplevel.State, WindowState.Edges)] = [
            (left, .left), (right, .right), (top, .top), (bottom, .bottom),
        ]
        return edges.reduce(into: []) { if states.contains($1.0) { $0.insert($1.1) } }
    }

    /// Whether the compositor, not the window, determines the size.
    var isConstrained: Bool {
        states.contains(.maximized) || states.contains(.fullscreen) || !tiledEdges.isEmpty
    }
}
