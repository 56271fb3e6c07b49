import Geometry

/// Sides of a picture.
struct Edges: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let left = Edges(rawValue: 1)
    static let right = Edges(rawValue: 2)
    static let top = Edges(rawValue: 4)
    static let bottom = Edges(rawValue: 8)

    /// A picture within this of its resting edge counts as at it, in logical pixels.
    static let touching = 1.0
    /// How near a side is for a fast throw to go on past it, as a part of the surface's width.
    ///
    /// Source: the project's behaviour sheet, "Neighbours".
    static let near = 0.25

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sides of a picture centred at `center` that are within `tolerance` logical pixels of
    /// where they rest, or past it.
    init(of center: Point, in range: RestRange, tolerance: Double) {
        self = []
        if center.x >= range.x.upperBound - tolerance { insert(.left) }
        if center.x <= range.x.lowerBound + tolerance { insert(.right) }
        if center.y >= range.y.upperBound - tolerance { insert(.top) }
        if center.y <= range.y.lowerBound + tolerance { insert(.bottom) }
    }

    /// The side that leads into the surface when the picture leaves along `way`, one of the axis
    /// directions: thrown down, its top edge was past its place.
    init(leading way: Vector) {
        if way.dx != 0 {
            self = way.dx > 0 ? .left : .right
        } else {
            self = way.dy > 0 ? .top : .bottom
        }
    }
}
