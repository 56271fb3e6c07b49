import Geometry
package import Settings

/// What a person may choose of the grid's behaviour, by the names of the settings file.
package struct GridSettings: Hashable, Sendable {
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
    func makeLayout(_ contents: GridContents, on surface: Size) -> any ScalingLayout {
        switch layout {
        case .reflow: ReflowLayout(contents: contents, surface: surface, columns: columns)
        case .canvas: CanvasLayout(contents: contents, surface: surface, columns: columns)
        case .justified: JustifiedLayout(contents: contents, surface: surface, columns: columns)
        }
    }
}

extension GridSettings {
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
    package mutating func set(_ name: String, to value: String) throws(SettingRefusal) {
        let setting = Setting(name, value)
        switch name {
        case "grid.layout": layout = try setting.choice()
        case "grid.pinch": pinch = try setting.choice()
        case "peek.release": peekRelease = try setting.choice()
        case "grid.columns":
            guard let number = Int(setting.text), (1...Self.mostColumns).contains(number) else {
                throw setting.refusal("a whole number from 1 to \(Self.mostColumns)")
            }
            columns = number
        case "peek.max":
            guard let number = Double(setting.text), number == 0 || (1...1000).contains(number)
            else { throw setting.refusal("a factor from 1 to 1000, or 0 for no limit") }
            peekMaximum = number
        case "peek.dim":
            guard let dim = PeekDim(setting.text) else {
                throw setting.refusal("two opacities such as [0.4, 0.8], or one")
            }
            peekDim = dim
        default: throw setting.unknown(Self.names)
        }
    }
}
