import Geometry

/// A set of sides of a picture.
struct Edges: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let left = Edges(rawValue: 1)
    static let right = Edges(rawValue: 2)
    static let top = Edges(rawValue: 4)
    static let bottom = Edges(rawValue: 8)

    /// A side counts as at its resting place within this distance, in logical pixels.
    static let touching = 1.0
    /// A fling that begins with a side this near to its resting place may turn the page, as a
    /// fraction of the surface's width.
    static let near = 0.25

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sides of a picture centred at `center` that are past their resting place, or within
    /// `tolerance` logical pixels of it.
    init(of center: Point, in range: RestRange, tolerance: Double) {
        self = []
        if center.x >= range.x.upperBound - tolerance { insert(.left) }
        if center.x <= range.x.lowerBound + tolerance { insert(.right) }
        if center.y >= range.y.upperBound - tolerance { insert(.top) }
        if center.y <= range.y.lowerBound + tolerance { insert(.bottom) }
    }

    /// The side that moves into the surface when the picture leaves along `direction`, a unit
    /// vector along one axis: the top side of a picture that is flung down.
    init(leading direction: Vector) {
        if direction.dx != 0 {
            self = direction.dx > 0 ? .left : .right
        } else {
            self = direction.dy > 0 ? .top : .bottom
        }
    }
}
