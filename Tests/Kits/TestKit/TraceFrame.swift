package import Geometry

/// One line of a trace, with the fields that tests read.
package struct TraceFrame: Sendable {
    package let line: String

    /// The frames of a trace.
    package static func all(_ trace: String) -> [TraceFrame] {
        trace.split(separator: "\n").map { TraceFrame(line: String($0)) }
    }

    /// The text of the value after `"name":`.
    private func value(_ name: String) -> Substring? {
        guard let range = line.firstRange(of: "\"\(name)\":") else { return nil }
        let tail = line[range.upperBound...]
        if tail.first == "[" { return tail[..<(tail.firstIndex(of: "]") ?? tail.endIndex)] }
        if tail.first == "\"" {
            let body = tail.dropFirst()
            return body[..<(body.firstIndex(of: "\"") ?? body.endIndex)]
        }
        return tail[..<(tail.firstIndex { $0 == "," || $0 == "}" } ?? tail.endIndex)]
    }

    package func number(_ name: String) -> Double? { value(name).flatMap { Double($0) } }

    package func text(_ name: String) -> String? {
        value(name).map(String.init).flatMap { $0 == "null" ? nil : $0 }
    }

    package func numbers(_ name: String) -> [Double] {
        guard let list = value(name), list.first == "[" else { return [] }
        return list.dropFirst().split(separator: ",").compactMap { Double($0) }
    }

    package var time: Double { number("t") ?? .nan }
    package var zoom: Double { number("zoom") ?? .nan }
    /// The rotation in degrees clockwise.
    package var rotation: Double { number("rotation") ?? .nan }
    package var index: Int? { number("index").map { Int($0) } }
    package var gesture: String? { text("gesture") }
    package var phase: String? { text("phase") }
    /// The opacity of the backdrop.
    package var dim: Double { number("dim") ?? .nan }
    package var showsChrome: Bool { text("chrome") == "true" }
    package var showsMenu: Bool { text("menu") == "true" }
    package var showsInformation: Bool { text("info") == "true" }
    package var showsHelp: Bool { text("help") == "true" }
    package var showsSettings: Bool { text("settings") == "true" }
    /// The number of selected pictures on the grid.
    package var selected: Int? { number("selection").map { Int($0) } }
    package var isDismissed: Bool { text("dismissed") == "true" }

    package var rect: Rect? {
        let numbers = numbers("rect")
        guard numbers.count == 4 else { return nil }
        return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// The surface position of a pixel of an unrotated picture, in logical pixels.
    package func place(of pixel: Point) -> Point? {
        rect.map { Point(x: $0.x + pixel.x * zoom, y: $0.y + pixel.y * zoom) }
    }
}
