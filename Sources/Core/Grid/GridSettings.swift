import Geometry
import Localization
package import Settings
import TOML

/// The user's settings of the grid, by their names in the settings file.
package struct GridSettings: Hashable, Sendable {
    package enum Layout: String, Hashable, Sendable, CaseIterable {
        case reflow, canvas, justified
    }

    /// The effect of spreading two fingers on a cell; in the feed the picture is always lifted.
    package enum Pinch: String, Hashable, Sendable, CaseIterable {
        case zoom, peek
    }

    package enum PeekRelease: String, Hashable, Sendable, CaseIterable {
        /// A released picture always returns to its cell.
        case back
        /// A picture released at a scale above `Peek.openingScale` opens.
        case open
    }

    package var layout = Layout.reflow
    /// Columns at scale 1; fewer than the standard number on narrow surfaces.
    package var columns = standardColumns
    package var pinch = Pinch.zoom
    /// Scale of a lifted picture, relative to its cell, above which it resists; 0: no limit.
    package var peekMaximum = 2.0
    package var peekDim = PeekDim.standard
    package var peekRelease = PeekRelease.back
    package var reducedMotion = false
    /// Whether a header is shown over the grid.
    package var header = true

    private static let standardColumns = 5
    /// The largest allowed value of `columns`.
    package static let maximumColumns = 20
    /// The least width of a cell with the standard number of columns, in logical pixels: a finger's width,
    /// and enough to recognize a picture.
    private static let leastCell = 96.0

    package init() {}

    /// Makes the chosen layout for a surface, below a free strip that is `top` high; both in logical
    /// pixels.
    ///
    /// The rows of a mirrored layout begin at the right edge.
    func makeLayout(
        _ contents: GridContents, on surface: Size, below top: Double, isMirrored: Bool
    ) -> any ScalingLayout {
        let free = GridModel.plausible(Size(width: surface.width, height: surface.height - top))
        let columns = columns(onWidth: free.width)
        var layout: any ScalingLayout =
            switch layout {
            case .reflow: ReflowLayout(contents: contents, surface: free, columns: columns)
            case .canvas: CanvasLayout(contents: contents, surface: free, columns: columns)
            case .justified: JustifiedLayout(contents: contents, surface: free, columns: columns)
            }
        if isMirrored { layout = MirroredLayout(layout, onWidth: free.width) }
        return top > 0 ? InsetLayout(layout, top: top) : layout
    }

    private func columns(onWidth width: Double) -> Int {
        guard columns == Self.standardColumns else { return columns }
        let spacing = ScaleStages.spacing
        let most = ((width + spacing) / (Self.leastCell + spacing)).rounded(.down)
        return min(columns, max(Int(clamping: most), 1))
    }
}

extension GridSettings {
    /// The settings `grid.*` and `peek.*`.
    package static let table: [SettingEntry<GridSettings>] = [
        .flag("grid.header", \.header, "Whether the grid has a header with buttons.").atStart,
        .choice("grid.layout", \.layout, "How the grid arranges pictures.").atStart,
        .integer(
            "grid.columns", 1...maximumColumns, \.columns,
            "Number of columns before any zoom; with the default, cells are at least 96 pixels wide."
        )
        .atStart,
        .choice(
            "grid.pinch", \.pinch,
            "Whether a spread of two fingers on a cell zooms the grid or lifts the picture. With "
                + "one column a spread always lifts the picture."),
        SettingEntry(
            "peek.max", values: "1… (0: no limit)",
            "How many times larger than its cell a lifted picture gets.",
            value: { .number($0.peekMaximum) }
        ) { (settings, setting) throws(SettingRefusal) in
            guard let number = setting.number, number == 0 || (1...1000).contains(number)
            else { throw setting.refusal(localized("a factor from 1 to 1000, or 0 for no limit")) }
            settings.peekMaximum = number
        },
        SettingEntry(
            "peek.dim", values: "[LOW, HIGH], rising with the scale, or one fixed opacity",
            "Opacity of the backdrop of a lifted picture.", value: { $0.peekDim.value }
        ) { (settings, setting) throws(SettingRefusal) in
            guard let dim = PeekDim(setting.value) else {
                throw setting.refusal(localized("two opacities such as [0.4, 0.8], or one"))
            }
            settings.peekDim = dim
        },
        .choice(
            "peek.release", \.peekRelease,
            "Whether a lifted picture goes back to its cell, or opens when it is large enough."),
    ]
}
