package import Geometry

/// Where the centre of a picture of a given size may come to rest.
///
/// Along each axis one point where the picture is smaller than the surface, and a range, from
/// one edge flush to the other, where it is larger.
package struct RestRange: Hashable, Sendable {
    package let x: ClosedRange<Double>
    package let y: ClosedRange<Double>

    /// How far above the true centre a picture sits at most, as a part of the surface's height.
    private static let visualShift = 0.02
    /// How much of the free height that shift takes at most, so that it tapers off.
    private static let visualShiftOfFree = 0.1

    /// The range for a picture that takes up `content` logical pixels as it stands.
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

    /// No edge anywhere: what leaves the surface for good.
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

    /// How far `center` is past the range, positive when the picture is too far right or down.
    package func overscroll(of center: Point) -> Vector { center - clamp(center) }
}
