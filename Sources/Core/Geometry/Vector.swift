import CMath

/// A displacement or a velocity, x to the right and y down.
package struct Vector: Hashable, Sendable {
    package var dx: Double
    package var dy: Double

    package init(dx: Double, dy: Double) {
        self.dx = dx
        self.dy = dy
    }

    package static let zero = Vector(dx: 0, dy: 0)

    package var length: Double { hypot(dx, dy) }

    package static func + (a: Vector, b: Vector) -> Vector {
        Vector(dx: a.dx + b.dx, dy: a.dy + b.dy)
    }

    package static func - (a: Vector, b: Vector) -> Vector {
        Vector(dx: a.dx - b.dx, dy: a.dy - b.dy)
    }

    package static func * (vector: Vector, factor: Double) -> Vector {
        Vector(dx: vector.dx * factor, dy: vector.dy * factor)
    }

    package static prefix func - (vector: Vector) -> Vector {
        Vector(dx: -vector.dx, dy: -vector.dy)
    }

    /// The vector rotated by `angle` radians, clockwise on the screen.
    package func rotated(by angle: Double) -> Vector {
        guard angle != 0 else { return self }
        let (sine, cosine) = (sin(angle), cos(angle))
        return Vector(dx: dx * cosine - dy * sine, dy: dx * sine + dy * cosine)
    }
}
