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
    /// The looks of texts.
    let layout: BarLayout

    /// The width of the outline around a cell, in logical pixels.
    private static let outlineWidth = 3.0
    /// The side of the mark of a selected cell, and the least side of a cell with one, in logical
    /// pixels.
    private static let selectionMark = 28.0
    private static let leastForSelectionMark = 56.0
    /// The space on either side of a text, in logical pixels.
    static let textMargin = 18.0
    /// The distance between lines, as a multiple of the text size.
    static let lineHeight = 1.4
    /// The texts of cells have widths in whole multiples of this, in logical pixels: while cells grow
    /// under fingers, most frames find painted layers.
    private static let widthStep = 16.0
    private static let cellText = TextStyle(size: 13)
    var theme: Theme { layout.theme }

    var items: [SceneItem] {
        var items: [SceneItem] = []
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
            cell.index, in: cell.rect, crop: cell.crop, opacity: cell.opacity)
        if cell.isSelected {
            let tint = theme.accent.faded(0.35 * cell.opacity)
            items.append(.fill(FillItem(rect: cell.rect, color: tint)))
        }
        if cell.isSelected || cell.isFocused {
            items += outline(around: cell.rect, opacity: cell.opacity)
        }
        items += markBadge(of: cell)
        if cell.isSelected, min(cell.rect.width, cell.rect.height) >= Self.leastForSelectionMark {
            items.append(.layer(selectionMark(of: cell)))
        }
        return items
    }

    /// The mark of a selected cell: the outline alone also means the focus of the keyboard.
    private func selectionMark(of cell: GridFrame.Cell) -> LayerItem {
        let side = Self.selectionMark
        let whole = Rect(x: 0, y: 0, width: side, height: side)
        let x =
            theme.isRightToLeft
            ? cell.rect.x + Theme.spacing : cell.rect.maxX - Theme.spacing - side
        return LayerItem(
            rect: Rect(x: x, y: cell.rect.y + Theme.spacing, width: side, height: side),
            elements: [
                .box(
                    .init(
                        whole, theme.accent, cornerRadius: side / 2, border: theme.onAccent,
                        borderWidth: Theme.focusWidth)),
                .paths(
                    .init(
                        whole.inset(by: side / 5), Icon.check.paths, grid: Icon.side,
                        stroke: 1.6 * Icon.stroke, theme.onAccent)),
            ], opacity: cell.opacity)
    }

    /// The items of a picture in a rectangle of the surface: its thumbnail, its colour, or a mark
    /// of failure.
    private func picture(
        _ index: Int, in rect: Rect, crop: CellCrop, opacity: Double
    ) -> [SceneItem] {
        let content = content(index)
        if let thumbnail = content.thumbnail, !thumbnail.size.isEmpty {
            let placement = Placement(
                center: rect.center, zoom: crop.zoom(of: thumbnail.size.size, in: rect))
            let picture = SceneItem.picture(
                PictureItem(
                    source: thumbnail.source, size: thumbnail.size, placement: placement,
                    opacity: opacity, clip: rect))
            return content.isDamaged
                ? [picture] + damageMark(index, in: rect, opacity: opacity) : [picture]
        }
        let color = content.color ?? theme.blank
        var items: [SceneItem] = [.fill(FillItem(rect: rect, color: color.faded(opacity)))]
        if content.failure != nil {
            let textColor = color.legible
            items += text(["✕", name(index)], textColor, in: rect, opacity: opacity)
        }
        return items
    }

    /// The name of an incomplete picture, at the lower edge of its cell.
    private func damageMark(_ index: Int, in rect: Rect, opacity: Double) -> [SceneItem] {
        let height = min(Self.damageHeight, rect.height)
        let strip = Rect(x: rect.x, y: rect.maxY - height, width: rect.width, height: height)
        return [.fill(FillItem(rect: strip, color: theme.ground.faded(opacity * (1 - shade))))]
            + text(["✕ " + name(index)], theme.text, in: strip, opacity: opacity)
    }

    /// Centred lines of text in a rectangle of a cell; none where there is no room.
    private func text(
        _ lines: [String], _ color: Color, in rect: Rect, opacity: Double
    ) -> [SceneItem] {
        let room = rect.width - 2 * Self.textMargin
        let width = (room / Self.widthStep).rounded(.down) * Self.widthStep
        guard width > 0 else { return [] }
        let line = Size(width: width, height: Self.cellText.size * Self.lineHeight)
        let elements = lines.enumerated().map { number, text in
            LayerItem.Element.text(
                .init(
                    Rect(origin: Point(x: 0, y: Double(number) * line.height), size: line), text,
                    Self.cellText, color, .center))
        }
        let size = Size(width: width, height: line.height * Double(lines.count))
        return [
            .layer(
                LayerItem(
                    rect: Rect(center: rect.center, size: size), elements: elements,
                    opacity: opacity * (1 - shade), clip: rect))
        ]
    }

    /// The height of the mark, in logical pixels: one line of text and padding.
    static let damageHeight = 28.0

    private func outline(around rect: Rect, opacity: Double) -> [SceneItem] {
        let color = theme.accent.faded(opacity)
        let width = Self.outlineWidth
        return [
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
                lifted.index, in: lifted.rect, crop: lifted.crop, opacity: 1)
    }
}
