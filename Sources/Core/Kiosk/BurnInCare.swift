package import Geometry
import Motion
package import SceneModel
import CMath

/// Keeps a kiosk from burning its picture into the screen: everything moves by a few pixels every few
/// minutes while nobody uses the kiosk.
///
/// The offset is a closed form of the number of steps. Pictures as large as the surface are enlarged
/// so that no edge shows; the factor depends on their size alone, and continuously, so that nothing
/// jumps when a finger moves or zooms them.
package enum BurnInCare {
    /// The time between two steps, in milliseconds.
    package static let pause = 180_000.0
    /// The largest offset along each axis, in logical pixels.
    package static let reach = 5.0
    /// The enlargement reaches from this much below the size of the surface to half more above it, in
    /// logical pixels.
    private static let ramp = 24.0
    /// By how much a picture of the size of the surface reaches over each edge, in logical pixels.
    private static let margin = reach + 1

    /// The steps so far.
    struct Steps: Hashable, Sendable {
        private(set) var count = 0
        private var last: Moment

        init(at moment: Moment) { last = moment }

        /// When the next step is due.
        func next(afterInput input: Moment) -> Moment {
            max(input, last).advanced(byMilliseconds: pause)
        }

        mutating func step(at moment: Moment) {
            count += 1
            last = moment
        }
    }

    /// The offset after so many steps, in whole logical pixels; it comes back after 72 steps.
    package static func offset(after steps: Int) -> Vector {
        func place(_ period: Int) -> Double {
            let turn = Double(steps % period) / Double(period)
            return (reach * sin(2 * .pi * turn)).rounded()
        }
        return Vector(dx: place(24), dy: place(36))
    }

    /// How much a picture of this size is enlarged on a surface.
    package static func factor(for size: Size, on surface: Size) -> Double {
        max(factor(size.width, surface.width), factor(size.height, surface.height))
    }

    private static func factor(_ length: Double, _ surface: Double) -> Double {
        guard length > 0 else { return 1 }
        let excess = length - surface
        let added =
            excess < 0
            ? 2 * margin * (1 + excess / ramp) : 2 * margin * (1 - excess / (3 * margin))
        return 1 + max(added, 0) / length
    }

    /// Moves and enlarges what a scene shows.
    package static func apply(_ offset: Vector, to scene: inout Scene) {
        let surface = scene.size
        for index in scene.items.indices {
            switch scene.items[index] {
            case .picture(var item):
                let size = item.crop ?? item.size.size
                let whole = item.placement.boundingRect(of: size).size
                item.placement.zoom *= factor(for: whole, on: surface)
                scene.items[index] = SceneItem.picture(item).translated(by: offset)
            case .fill(var item):
                item.rect = moved(item.rect, by: offset, on: surface)
                scene.items[index] = .fill(item)
            case .layer: scene.items[index] = scene.items[index].translated(by: offset)
            }
        }
    }

    /// A rectangle at another place, which still reaches the edges of the surface that it has reached.
    private static func moved(_ rect: Rect, by offset: Vector, on surface: Size) -> Rect {
        let moved = rect + offset
        let left = rect.x <= 0 ? min(moved.x, 0) : moved.x
        let top = rect.y <= 0 ? min(moved.y, 0) : moved.y
        let right = rect.maxX >= surface.width ? max(moved.maxX, surface.width) : moved.maxX
        let bottom = rect.maxY >= surface.height ? max(moved.maxY, surface.height) : moved.maxY
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }
}
