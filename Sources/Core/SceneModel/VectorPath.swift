package import Geometry

/// Lines and arcs, stroked or filled.
package struct VectorPath: Hashable, Sendable {
    package enum Segment: Hashable, Sendable {
        case move(Point)
        case line(Point)
        /// An arc about a centre, clockwise from one angle to the other, in radians from the x axis.
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
                // The mirrored arc runs clockwise from its former end.
                case .arc(let center, let radius, let from, let to):
                    .arc(center: mirror(center), radius: radius, from: .pi - to, to: .pi - from)
                case .close: .close
                }
            }, isFilled: isFilled)
    }
}
