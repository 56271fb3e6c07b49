import Geometry
import Interface
import SceneModel
import Grid

/// Converts a frame of the grid to the items of a scene.
struct GridScene {
    let frame: GridFrame
    /// The opacity of the backdrop above the grid, 0…1: the texts of the grid fade with it.
    let shade: Double
    let content: (Int) -> CellContent
    let name: (Int) -> String
    let folder: (Int) -> FolderContent
    /// The looks of texts.
    let layout: BarLayout

    /// The width of the outline around a cell, and of the line inside, in logical pixels.
    private static let outlineWidth = 3.0
    private static let innerWidth = 1.0
    /// The side of the mark of a selected cell, and of that in a small cell, in logical pixels.
    private static let selectionMark = 28.0
    private static let smallMark = 18.0
    /// The least sides of cells with a mark, and with a mark of the usual size, in logical pixels.
    private static let leastForSelectionMark = 32.0
    private static let leastForWholeMark = 72.0
    /// The opacity of the ground of an empty circle.
    private static let emptyCircle = 0.3
    /// The space on either side of a text, in logical pixels.
    static let textMargin = Theme.Space.text
    /// The distance between lines, as a multiple of the text size.
    static let lineHeight = 1.4
    var theme: Theme { layout.theme }

    var items: [SceneItem] {
        var items = frame.folders.flatMap { self.items(of: $0) }
        for cell in frame.fading + frame.cells where !cell.isHidden && cell.opacity > 0 {
            items += self.items(of: cell)
        }
        if shade < 1 { items += overlays }
        if let lifted = frame.lifted { items += self.items(of: lifted) }
        return items
    }

    // MARK: Cells

    private func items(of cell: GridFrame.Cell) -> [SceneItem] {
        var items = picture(
            cell.index, in: cell.rect, covering: cell.picture, crop: cell.crop,
            opacity: cell.opacity)
        if cell.isSelected || cell.isFocused {
            items += outline(of: cell.rect, opacity: cell.opacity)
        }
        items += markBadge(of: cell)
        if frame.isSelecting || cell.isSelected { items += selectionMark(of: cell) }
        return items
    }

    /// The mark of a selected cell, or an empty circle where taps select; none in tiny cells.
    ///
    /// The outline alone also means the focus of the keyboard.
    private func selectionMark(of cell: GridFrame.Cell) -> [SceneItem] {
        let room = min(cell.rect.width, cell.rect.height)
        guard room >= Self.leastForSelectionMark else { return [] }
        let side = room < Self.leastForWholeMark ? Self.smallMark : Self.selectionMark
        let margin = room < Self.leastForWholeMark ? Self.outlineWidth : Theme.Space.widget
        let whole = Rect(x: 0, y: 0, width: side, height: side)
        let x = theme.isRightToLeft ? cell.rect.x + margin : cell.rect.maxX - margin - side
        let circle = LayerItem.Element.box(
            .init(
                whole, cell.isSelected ? theme.accent : .black(Self.emptyCircle),
                cornerRadius: side / 2, border: cell.isSelected ? theme.onAccent : .gray(1),
                borderWidth: Theme.focusWidth))
        let check = LayerItem.Element.paths(
            .init(
                whole.inset(by: side / 5), Icon.check.paths, grid: Icon.side,
                stroke: 1.6 * Icon.stroke, theme.onAccent))
        return [
            .layer(
                LayerItem(
                    rect: Rect(x: x, y: cell.rect.y + margin, width: side, height: side),
                    elements: cell.isSelected ? [circle, check] : [circle],
                    opacity: cell.opacity))
        ]
    }

    /// The items of a picture in a rectangle of the surface: its thumbnail, which covers a part of the
    /// rectangle, its colour, or a mark of failure.
    private func picture(
        _ index: Int, in rect: Rect, covering part: Rect, crop: CellCrop, opacity: Double
    ) -> [SceneItem] {
        let content = content(index)
        if let thumbnail = content.thumbnail, !thumbnail.size.isEmpty {
            let placement = Placement(
                center: part.center, zoom: crop.zoom(of: thumbnail.size.size, in: part))
            let picture = SceneItem.picture(
                PictureItem(
                    source: thumbnail.source, size: thumbnail.size, placement: placement,
                    opacity: opacity, clip: part))
            let ground =
                part == rect
                ? [] : [SceneItem.fill(FillItem(rect: rect, color: theme.blank.faded(opacity)))]
            return content.isDamaged
                ? ground + [picture] + damageMark(index, in: rect, opacity: opacity)
                : ground + [picture]
        }
        let color = content.color ?? theme.blank
        let fill = SceneItem.fill(FillItem(rect: rect, color: color.faded(opacity)))
        return content.failure == nil
            ? [fill] : [fill] + failureMark(index, color.legible, in: rect, opacity: opacity)
    }

    /// A line in the accent colour, and a thin line of the opposite colour inside, which shows on pictures
    /// in the accent colour.
    func outline(of rect: Rect, opacity: Double) -> [SceneItem] {
        let inner = rect.inset(by: Self.outlineWidth)
        return edges(of: rect, Self.outlineWidth, theme.accent.faded(opacity))
            + edges(of: inner, Self.innerWidth, theme.onAccent.faded(opacity))
    }

    private func edges(of rect: Rect, _ width: Double, _ color: Color) -> [SceneItem] {
        [
            Rect(x: rect.x, y: rect.y, width: rect.width, height: width),
            Rect(x: rect.x, y: rect.maxY - width, width: rect.width, height: width),
            Rect(x: rect.x, y: rect.y + width, width: width, height: rect.height - 2 * width),
            Rect(
                x: rect.maxX - width, y: rect.y + width, width: width,
                height: rect.height - 2 * width),
        ].map { .fill(FillItem(rect: $0, color: color)) }
    }

    private func items(of lifted: GridFrame.Lifted) -> [SceneItem] {
        let surface = Rect(
            x: 0, y: 0, width: frame.surface.width, height: frame.surface.height)
        return [.fill(FillItem(rect: surface, color: .black(lifted.dim)))]
            + picture(
                lifted.index, in: lifted.rect, covering: lifted.picture, crop: lifted.crop,
                opacity: 1)
    }
}
