import CompositorKit
import Geometry
import TestKit
import Testing

extension LiveTests {
    /// Each gesture at 120 reports a second, checked by the trace of the frames.
    ///
    /// The picture has 1600 × 1000 pixels and the surface 640 × 400: it fits at 0.4, the ladder of
    /// the double tap is 0.4, 0.8 and 1, and the largest zoom is 4.
    @Suite struct GestureTests {
        /// The picture at fit, where it fills the surface.
        static let fit = Rect(x: 0, y: 0, width: 640, height: 400)
        /// The picture at 1:1, centered.
        static let full = Rect(x: -480, y: -300, width: 1600, height: 1000)

        /// The viewer with the picture at fit.
        static func fitted(_ options: String..., count: Int = 1, setup: Setup = Setup()) throws
            -> Stage
        {
            try Stage.shown(
                setup, options: options, pictures: Array(repeating: Stage.large, count: count))
        }

        /// The viewer with the picture at 1:1.
        static func enlarged(setup: Setup = Setup()) throws -> Stage {
            let stage = try Stage.shown(setup, pictures: [Stage.large])
            stage.play { $0.key("1") }
            #expect(try stage.last.rect == full)
            return stage
        }
    }
}

extension Rect {
    /// The largest distance between corresponding edges of two rectangles.
    func distance(to other: Rect) -> Double {
        let edges = [x - other.x, y - other.y, maxX - other.maxX, maxY - other.maxY]
        return edges.map(abs).max() ?? 0
    }

    /// The rectangle moved by (`dx`, `dy`).
    func moved(_ dx: Double, _ dy: Double) -> Rect {
        Rect(x: x + dx, y: y + dy, width: width, height: height)
    }
}

extension TraceFrame {
    /// The distance of the picture from its expected place, in logical pixels.
    func distance(to rect: Rect) -> Double { self.rect?.distance(to: rect) ?? .infinity }

    /// The distance of a pixel of the picture from a place on the surface, in logical pixels.
    func distance(of pixel: Point, to place: Point) -> Double {
        self.place(of: pixel).map { ($0 - place).length } ?? .infinity
    }
}
