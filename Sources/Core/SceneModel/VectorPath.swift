package import Geometry

/// Lines and arcs, stroked or filled.
package struct VectorPath: Hashable, Sendable {
    package enum Segment: Hashable, Sendable {
        case move(Point)
        case line(Point)
        /// An arc about a centre from one angle to the other, in radians from the x axis: clockwise to a
        /// larger angle, anticlockwise to a smaller one.
        case arc(center: Point, radius: Double, from: Double, to: Double)
        case close
    }

    package var segments: [Segment]
    /// Whether the inside is filled instead of the outline stroked.
    package var isFilled: Bool

    package init(_ segments: [Segment], isFilled: Bool = false) {
        self.segments = segments
        self.isFilled = isFilled
    }

    /// The path mirrored about the middle of a grid that is `width` wide.
    package func mirrored(onWidth width: Double) -> VectorPath {
        func mirror(_ point: Point) -> Point { Point(x: width - point.x, y: point.y) }
        return VectorPath(
            segments.map { segment in
                switch segment {
                case .move(let point): .move(mirror(point))
                case .line(let point): .line(mirror(point))
                case .arc(let center, let radius, let from, let to):
                    .arc(center: mirror(center), radius: radius, from: .pi - from, to: .pi - to)
                case .close: .close
                }
            }, isFilled: isFilled)
    }
}
