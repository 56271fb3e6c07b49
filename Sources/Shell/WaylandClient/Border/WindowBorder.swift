import Geometry
import WaylandProtocol

/// The border of a window that draws its own decorations: its shadow, and the invisible handles
/// that resize it.
///
/// The border lies outside of the window's main surface, which is the window's geometry. Input on
/// the border never becomes input of the window.
final class WindowBorder {
    private let strips: [BorderStrip]
    /// The layout that is shown; nil if there is none.
    private(set) var layout: BorderLayout?
    /// Whether some strips show an older layout.
    private var isStale = false

    /// Nil if the compositor lacks a global for it.
    init?(of parent: WlSurface, connection: Connection) {
        let globals = connection.globals
        guard let compositor = globals.compositor, let subcompositor = globals.subcompositor,
            let shm = globals.shm
        else { return nil }
        strips = BorderLayout.Side.allCases.map { side in
            BorderStrip(
                side, parent: parent, compositor: compositor, subcompositor: subcompositor,
                shm: shm, connection: connection)
        }
    }

    func destroy() {
        for strip in strips { strip.destroy() }
    }

    /// Shows the border for a state, with the next commit of the window.
    ///
    /// A border without memory is left out, since the window can do without.
    func show(_ state: WindowState) {
        let new = BorderLayout(state)
        guard new != layout || isStale else { return }
        layout = new
        isStale = false
        for strip in strips {
            do throws(FrameError) {
                if try !strip.show(new) { isStale = true }
            } catch { strip.hide() }
        }
    }

    /// The side that a surface shows; nil for other surfaces.
    func side(of surface: WlSurface) -> BorderLayout.Side? {
        strips.first { $0.surface === surface }?.side
    }

    /// The edges to resize from a point of one strip.
    func edges(at point: Point, of side: BorderLayout.Side) -> WindowState.Edges {
        guard let layout else { return [] }
        let strip = layout.rect(side)
        return layout.edges(at: point + Vector(dx: Double(strip.x), dy: Double(strip.y)))
    }
}

/// A part of a window's border that a pointer or finger is on.
struct BorderPart {
    private(set) weak var window: Window?
    let side: BorderLayout.Side

    func edges(at point: Point) -> WindowState.Edges {
        window?.border?.edges(at: point, of: side) ?? []
    }

    /// Resizes the window from a press with that serial.
    func beginResize(at point: Point, seat: Seat, serial: UInt32) {
        window?.beginResize(edges(at: point), seat: seat, serial: serial)
    }
}
