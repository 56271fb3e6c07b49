import Geometry

/// Where the grid may come to rest: the range of its *origin*, the content point at the surface's
/// top left corner, in logical pixels.
struct ScrollRange: Hashable, Sendable {
    let x: ClosedRange<Double>
    let y: ClosedRange<Double>

    /// Content narrower than the surface is centred across; lower content stays at the top.
    init(content: Size, surface: Size) {
        let across = content.width - surface.width
        x = across > 0 ? 0...across : (across / 2)...(across / 2)
        y = 0...max(content.height - surface.height, 0)
    }

    /// The resting origin nearest to `origin`.
    func clamp(_ origin: Point) -> Point {
        Point(
            x: min(max(origin.x, x.lowerBound), x.upperBound),
            y: min(max(origin.y, y.lowerBound), y.upperBound))
    }
}
