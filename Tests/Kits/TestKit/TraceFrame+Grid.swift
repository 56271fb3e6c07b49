package import Geometry

/// The grid's fields of a trace.
extension TraceFrame {
    /// The point that a pinch holds.
    package struct Anchor: Sendable {
        package let index: Int
        /// The position in the cell, 0…1, from its top left corner.
        package let fraction: Point
        /// The position on the surface, in logical pixels.
        package let point: Point
    }

    /// A picture that is lifted out of the grid.
    package struct Peek: Sendable {
        package let path: String
        /// The scale relative to the cell.
        package let scale: Double
        package let rect: Rect
        /// The opacity of the backdrop behind the picture.
        package let dim: Double
    }

    package var showsGrid: Bool { text("mode") == "grid" }
    package var path: String { text("path") ?? "" }
    package var message: String? { text("message") }

    package var columns: Int? { object("grid")?.number("columns").map { Int($0) } }
    package var gridScale: Double { object("grid")?.number("scale") ?? .nan }
    /// The content point at the surface's top left corner, in logical pixels.
    package var scroll: Point { point("scroll") }
    /// The content's extent, in logical pixels.
    package var content: Size {
        let point = point("content")
        return Size(width: point.x, height: point.y)
    }

    package var anchor: Anchor? {
        guard let anchor = object("anchor"), let index = anchor.number("index") else { return nil }
        return Anchor(
            index: Int(index), fraction: anchor.point("fraction"), point: anchor.point("point"))
    }

    package var peek: Peek? {
        guard let peek = object("peek"), let scale = peek.number("scale"), let rect = peek.rect
        else { return nil }
        return Peek(path: peek.path, scale: scale, rect: rect, dim: peek.dim)
    }

    /// The JSON object with the given name.
    package func object(_ name: String) -> TraceFrame? {
        guard let start = line.firstRange(of: "\"\(name)\":{")?.upperBound else { return nil }
        var depth = 1
        for index in line[start...].indices {
            if line[index] == "{" { depth += 1 }
            if line[index] == "}" { depth -= 1 }
            if depth == 0 { return TraceFrame(line: String(line[start..<index])) }
        }
        return nil
    }

    private func point(_ name: String) -> Point {
        let numbers = numbers(name)
        return numbers.count == 2
            ? Point(x: numbers[0], y: numbers[1]) : Point(x: .nan, y: .nan)
    }
}
