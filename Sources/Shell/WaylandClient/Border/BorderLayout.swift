import Geometry

/// Where the parts of a window's border lie, in logical pixels of the window.
///
/// The border consists of four strips around the window. They are wide enough for the shadow; the
/// inner part of them, `handle` wide, resizes the window. Strips with a shadow reach a little under
/// the window, so that the shadow shows outside of rounded corners.
struct BorderLayout: Hashable {
    enum Side: CaseIterable { case top, bottom, left, right }

    /// The width of the border that resizes the window.
    static let handle = 12
    /// How far from a corner, along an edge, both edges are resized.
    private static let cornerReach = 24.0
    /// How far the sides reach under the window, since the edges of surfaces may be rounded to
    /// different device pixels.
    static let overlap = 2
    /// A window with a longer side has no border, in logical pixels: no screen shows both of its edges, and
    /// the memory of strips of 32,767 pixels takes longer than half a frame to be made.
    private static let longestSide = 8192

    let size: PixelSize
    /// The edges that can be resized.
    let edges: WindowState.Edges
    /// The radius of the window's corners; nil without a shadow.
    let shadowedRadius: Double?

    init(_ state: WindowState) {
        size = PixelSize(
            width: Int(clamping: state.size.width), height: Int(clamping: state.size.height))
        let hasBorder = max(size.width, size.height) <= Self.longestSide
        edges = hasBorder ? state.resizableEdges : []
        shadowedRadius = hasBorder && state.hasShadow ? state.cornerRadius : nil
    }

    /// Whether there is no border at all.
    var isEmpty: Bool { edges.isEmpty && shadowedRadius == nil }

    private func margin(_ edge: WindowState.Edges) -> Int {
        if shadowedRadius != nil { return WindowShadow.extent }
        return edges.contains(edge) ? Self.handle : 0
    }

    /// The area of a strip; empty if there is none.
    func rect(_ side: Side) -> PixelRect {
        let (left, right) = (margin(.left), margin(.right))
        let (width, height) = (size.width, size.height)
        let radius = shadowedRadius.map { Int(clamping: $0.rounded(.up)) }
        // The upper and the lower strip contain the corners.
        let inset = min(radius.map { max($0, Self.overlap) } ?? 0, height / 2)
        let under = min(radius == nil ? 0 : Self.overlap, width / 2)
        let across = width + left + right
        let (top, bottom) = (margin(.top), margin(.bottom))
        let rect =
            switch side {
            case .top: PixelRect(x: -left, y: -top, width: across, height: top + inset)
            case .bottom:
                PixelRect(x: -left, y: height - inset, width: across, height: bottom + inset)
            case .left:
                PixelRect(x: -left, y: inset, width: left + under, height: height - 2 * inset)
            case .right:
                PixelRect(
                    x: width - under, y: inset, width: right + under, height: height - 2 * inset)
            }
        return margin(edge(of: side)) > 0 && !rect.isEmpty
            ? rect : PixelRect(x: 0, y: 0, width: 0, height: 0)
    }

    private func edge(of side: Side) -> WindowState.Edges {
        switch side {
        case .top: .top
        case .bottom: .bottom
        case .left: .left
        case .right: .right
        }
    }

    /// The parts of a strip that receive input, relative to the strip.
    func handles(_ side: Side) -> [PixelRect] {
        func handle(_ edge: WindowState.Edges) -> Int { edges.contains(edge) ? Self.handle : 0 }
        let (left, right) = (handle(.left), handle(.right))
        let (top, bottom) = (handle(.top), handle(.bottom))
        let across = size.width + left + right
        let ring = [
            PixelRect(x: -left, y: -top, width: across, height: top),
            PixelRect(x: -left, y: size.height, width: across, height: bottom),
            PixelRect(x: -left, y: 0, width: left, height: size.height),
            PixelRect(x: size.width, y: 0, width: right, height: size.height),
        ]
        let strip = rect(side)
        return ring.map { $0.intersection(strip) }.filter { !$0.isEmpty }.map {
            PixelRect(
                x: $0.x - strip.x, y: $0.y - strip.y, width: $0.width, height: $0.height)
        }
    }

    /// The edges that a press at a point of the window's border resizes: one, or two that meet.
    ///
    /// Near a corner both of its edges, so that corners are easy to touch.
    func edges(at point: Point) -> WindowState.Edges {
        let (width, height) = (Double(size.width), Double(size.height))
        let isBeside = point.x < 0 || point.x >= width
        let isAboveOrBelow = point.y < 0 || point.y >= height
        let reachX = isAboveOrBelow ? min(Self.cornerReach, width / 3) : 0
        let reachY = isBeside ? min(Self.cornerReach, height / 3) : 0
        var result: WindowState.Edges = []
        if point.x < reachX {
            result.insert(.left)
        } else if point.x >= width - reachX {
            result.insert(.right)
        }
        if point.y < reachY {
            result.insert(.top)
        } else if point.y >= height - reachY {
            result.insert(.bottom)
        }
        return result.intersection(edges)
    }
}
