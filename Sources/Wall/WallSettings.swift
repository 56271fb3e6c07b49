import Geometry

/// What a person may choose of the wall's behaviour, by the names of the settings file.
package struct WallSettings: Hashable, Sendable {
    package enum Layout: String, Hashable, Sendable, CaseIterable {
        case reflow, canvas, justified
    }

    /// What spreading two fingers on a cell does; in the feed it always lifts the picture.
    package enum Pinch: String, Hashable, Sendable, CaseIterable {
        case zoom, peek
    }

    package enum PeekRelease: String, Hashable, Sendable, CaseIterable {
        /// Whatever its size, a lifted picture goes back to its cell.
        case back
        /// Let go large enough, it opens.
        case open
    }

    package var layout = Layout.reflow
    /// Columns at scale 1.
    package var columns = 5
    package var pinch = Pinch.zoom
    /// How much larger than its cell a lifted picture gets before it resists; 0: no limit.
    package var peekMaximum = 2.0
    package var peekDim = PeekDim.standard
    package var peekRelease = PeekRelease.back
    package var reducedMotion = false

    /// The most columns that may be asked for.
    package static let mostColumns = 20

    package init() {}

    /// The layout that was chosen, on a surface of `surface` logical pixels.
    func makeLayout(_ contents: WallContents, on surface: Size) -> any ScalingLayout {
        switch layout {
        case .reflow: ReflowLayout(contents: contents, surface: surface, columns: columns)
        case .canvas: CanvasLayout(contents: contents, surface: surface, columns: columns)
        case .justified: JustifiedLayout(contents: contents, surface: surface, columns: columns)
        }
    }
}

extension WallSettings {
    /// Why a setting was refused, in words for a person.
    package struct Refusal: Error, Hashable {
        package var reason: String
    }

    /// Every setting's name with the values it takes.
    package static let names: [(name: String, values: String)] = [
        ("grid.layout", "reflow|canvas|justified"),
        ("grid.columns", "1…\(mostColumns)"),
        ("grid.pinch", "zoom|peek"),
        ("peek.max", "1… (0: no limit)"),
        ("peek.dim", "[LOW, HIGH] with the scale, or one opacity at once"),
        ("peek.release", "back|open"),
    ]

    /// Takes `value`, as written in a settings file or after `--set KEY=`; quotes are allowed.
    package mutating func set(_ name: String, to value: String) throws(Refusal) {
        var text = Substring(value)
        if text.count >= 2, text.first == "\"", text.last == "\"" {
            text = text.dropFirst().dropLast()
        }
        switch name {
        case "grid.layout": layout = try Self.choice(text, name)
        case "grid.pinch": pinch = try Self.choice(text, name)
        case "peek.release": peekRelease = try Self.choice(text, name)
        case "grid.columns":
            guard let number = Int(text), (1...Self.mostColumns).contains(number) else {
                throw Self.refusal(name, "a whole number from 1 to \(Self.mostColumns)", text)
            }
            columns = number
        case "peek.max":
            guard let number = Double(text), number == 0 || (number >= 1 && number <= 1000) else {
                throw Self.refusal(name, "a factor from 1 to 1000, or 0 for no limit", text)
            }
            peekMaximum = number
        case "peek.dim":
            guard let dim = PeekDim(text) else {
                throw Self.refusal(name, "two opacities such as [0.4, 0.8], or one", text)
            }
            peekDim = dim
        default:
            let known = Self.names.map(\.name).joined(separator: ", ")
            throw Refusal(reason: "there is no setting “\(name)”; there are: \(known)")
        }
    }

    private static func refusal(
        _ name: String, _ expected: String, _ text: Substring
    ) -> Refusal {
        Refusal(reason: "\(name) takes \(expected), not “\(text)”")
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: Substring, _ name: String
    ) throws(Refusal) -> Choice where Choice.RawValue == String {
        if let choice = Choice(rawValue: String(text)) { return choice }
        throw refusal(
            name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "), text)
    }
}
