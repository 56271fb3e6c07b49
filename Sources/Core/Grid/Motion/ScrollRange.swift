import Geometry

/// The resting range of the grid's *origin*, in logical pixels.
///
/// The origin is the content point at the surface's top left corner.
struct ScrollRange: Hashable, Sendable {
    let x: ClosedRange<Double>
    let y: ClosedRange<Double>

    /// Content narrower than the surface is centred horizontally; lower content stays at the top.
    init(content: Size, surface: Size) {
        let overflow = content.width - surface.width
        x = overflow > 0 ? 0...overflow : (overflow / 2)...(overflow / 2)
        y = 0...max(content.height - surface.height, 0)
    }

    /// The resting origin nearest to `origin`.
    func clamp(_ origin: Point) -> Point {
        Point(
            x: min(max(origin.x, x.lowerBound), x.upperBound),
            y: min(max(origin.y, y.lowerBound), y.upperBound))
    }
}
