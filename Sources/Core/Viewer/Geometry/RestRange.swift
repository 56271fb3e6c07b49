package import Geometry

/// The range in which the centre of a picture may come to rest, in logical pixels.
///
/// Along an axis on which the picture is smaller than the surface, the range is a single point. On
/// an axis on which the picture is larger, the range extends from one edge flush with the surface
/// to the other.
package struct RestRange: Hashable, Sendable {
    package let x: ClosedRange<Double>
    package let y: ClosedRange<Double>

    /// How far above the true centre a picture lies at most, as a fraction of the surface's height.
    private static let visualShift = 0.02
    /// The largest fraction of the free height that this shift takes, so that the shift decreases
    /// to zero as the picture fills the height.
    private static let visualShiftOfFree = 0.1

    /// The range for a picture whose displayed size is `content`, with its rotation applied; both
    /// sizes are in logical pixels.
    package init(content: Size, viewport: Size) {
        x = Self.axis(content.width, viewport.width, shift: 0)
        let free = Swift.max(viewport.height - content.height, 0)
        y = Self.axis(
            content.height, viewport.height,
            shift: Swift.min(Self.visualShift * viewport.height, Self.visualShiftOfFree * free))
    }

    private init(x: ClosedRange<Double>, y: ClosedRange<Double>) {
        self.x = x
        self.y = y
    }

    /// A range without limits, for a picture that leaves the surface.
    package static let everywhere = RestRange(x: -1e9...1e9, y: -1e9...1e9)

    private static func axis(_ content: Double, _ view: Double, shift: Double)
        -> ClosedRange<Double>
    {
        guard content > view else {
            let center = view / 2 - shift
            return center...center
        }
        return (view - content / 2)...(content / 2)
    }

    /// The resting centre nearest to `center`.
    package func clamp(_ center: Point) -> Point {
        Point(
            x: Swift.min(Swift.max(center.x, x.lowerBound), x.upperBound),
            y: Swift.min(Swift.max(center.y, y.lowerBound), y.upperBound))
    }

    /// How far `center` is past the range, in logical pixels, positive when the picture is too far
    /// right or down.
    package func overscroll(of center: Point) -> Vector { center - clamp(center) }
}
