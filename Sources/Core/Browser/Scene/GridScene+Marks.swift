import Edits
import Geometry
import Grid
import Interface
import SceneModel

/// The marks of pictures in their cells: a heart for a favourite, the number of stars, and the name of a format whose
/// pictures move.
extension GridScene {
    /// The height of a badge, and the space around its parts, in logical pixels.
    private static let height = 24.0
    private static let padding = Theme.Space.row
    private static let side = 14.0
    /// The least side of a cell with a badge, in logical pixels.
    private static let least = 40.0
    /// The least side of a cell with a badge and the mark of a selected cell, in logical pixels.
    private static let leastSelected = 64.0

    /// The badge in the corner opposite to the mark of selected cells, above the name of an incomplete
    /// picture; none without a mark.
    func markBadge(of cell: GridFrame.Cell) -> [SceneItem] {
        let room = cell.rect.width - 2 * Self.margin
        let least = cell.isSelected ? Self.leastSelected : Self.least
        let badge = content(cell.index).badge
        guard !cell.mark.isEmpty || badge != nil, min(cell.rect.width, cell.rect.height) >= least
        else {
            return []
        }
        var elements: [LayerItem.Element] = []
        var x = Self.padding
        func add(_ icon: Icon) {
            let rect = Rect(
                x: x, y: (Self.height - Self.side) / 2, width: Self.side, height: Self.side)
            elements.append(
                .paths(
                    .init(rect, icon.paths, grid: Icon.side, stroke: Icon.stroke, theme.text)))
            x += Self.side + Self.padding
        }
        let style = TextStyle(size: 13, weight: .bold, hasTabularDigits: true)
        func width(_ text: String) -> Double { layout.text(text, style).width.rounded(.up) + 1 }
        func add(_ text: String) {
            let width = width(text)
            elements.append(
                .text(
                    .init(
                        Rect(x: x, y: 0, width: width, height: Self.height), text, style,
                        theme.text)))
            x += width + Self.padding
        }
        if cell.mark.isFavourite { add(.heartFilled) }
        let number = "\(cell.mark.rating)"
        if cell.mark.rating > 0, x + Self.side + 2 * Self.padding + width(number) <= room {
            add(.starFilled)
            x -= Self.padding - 2
            add(number)
        }
        // The round ends need more room beside a text.
        if let badge, x + 3 + width(badge) + Self.padding + 3 <= room {
            x += elements.isEmpty ? 3 : 0
            add(badge)
            x += 3
        }
        guard !elements.isEmpty else { return [] }
        let size = Size(width: x, height: Self.height)
        var ground = theme.ground
        ground.alpha = max(ground.alpha, 0.8)
        elements.insert(
            .box(
                .init(
                    Rect(origin: .zero, size: size), ground, cornerRadius: Self.height / 2,
                    border: theme.border)), at: 0)
        let left =
            theme.isRightToLeft
            ? cell.rect.maxX - Self.margin - size.width : cell.rect.x + Self.margin
        let below = content(cell.index).isDamaged ? Self.damageHeight : 0
        return [
            .layer(
                LayerItem(
                    rect: Rect(
                        x: left, y: cell.rect.maxY - below - Self.margin - size.height,
                        width: size.width, height: size.height), elements: elements,
                    opacity: cell.opacity * (1 - shade), clip: cell.rect))
        ]
    }

    /// The distance of the badge from the edges of the cell, in logical pixels.
    private static let margin = Theme.Space.widget
}
