import Geometry
import Interface
import SceneModel

/// The marks of pictures that cannot be decoded, in part or as a whole.
extension GridScene {
    /// The height of the strip on an incomplete picture, in logical pixels: one line of text and padding.
    static let damageHeight = 28.0
    /// The side of the icon in that strip, in logical pixels.
    private static let stripIcon = 18.0
    /// The largest side of the icon in the place of a picture, in logical pixels, and as a part of the cell.
    private static let largestIcon = 40.0
    private static let iconShare = 0.5
    /// The sides of icons are whole multiples of this, in logical pixels.
    private static let iconStep = 4.0
    /// The least width of a cell with a name, in logical pixels.
    private static let leastForName = 120.0
    /// The texts of cells have widths in whole multiples of this, in logical pixels: while cells grow
    /// under fingers, most frames find painted layers.
    private static let widthStep = 16.0
    private static let cellText = TextStyle(size: 13)

    /// An icon in the middle of a cell, with the name of the file below where the cell has room.
    func failureMark(
        _ index: Int, _ color: Color, in rect: Rect, opacity: Double
    ) -> [SceneItem] {
        let share = min(rect.width, rect.height) * Self.iconShare
        let side = (min(share, Self.largestIcon) / Self.iconStep).rounded(.down) * Self.iconStep
        guard side > 0 else { return [] }
        let label = nameWidth(in: rect).map {
            Size(width: $0, height: Self.cellText.size * Self.lineHeight)
        }
        let size = Size(width: max(side, label?.width ?? 0), height: side + (label?.height ?? 0))
        var elements = [
            Self.icon(Rect(x: (size.width - side) / 2, y: 0, width: side, height: side), color)
        ]
        if let label {
            elements.append(
                .text(
                    .init(
                        Rect(origin: Point(x: 0, y: side), size: label), name(index),
                        Self.cellText, color, .center)))
        }
        return [
            .layer(
                LayerItem(
                    rect: Rect(center: rect.center, size: size), elements: elements,
                    opacity: opacity * (1 - shade), clip: rect))
        ]
    }

    /// A strip at the lower edge of the cell of an incomplete picture, with an icon, and the name of the
    /// file where the cell has room.
    func damageMark(_ index: Int, in rect: Rect, opacity: Double) -> [SceneItem] {
        let height = min(Self.damageHeight, rect.height)
        let strip = Rect(x: rect.x, y: rect.maxY - height, width: rect.width, height: height)
        let side = min(Self.stripIcon, height, rect.width)
        let nameWidth = nameWidth(in: rect)
        let size = Size(width: nameWidth ?? side, height: height)
        let mirrored = theme.isRightToLeft
        var elements = [
            Self.icon(
                Rect(
                    x: mirrored ? size.width - side : 0, y: (height - side) / 2, width: side,
                    height: side), theme.text)
        ]
        if let nameWidth {
            let start = side + Theme.Space.widget
            elements.append(
                .text(
                    .init(
                        Rect(
                            x: mirrored ? 0 : start, y: 0, width: nameWidth - start, height: height),
                        name(index), Self.cellText, theme.text, mirrored ? .trailing : .leading)))
        }
        return [
            .fill(FillItem(rect: strip, color: theme.ground.faded(opacity * (1 - shade)))),
            .layer(
                LayerItem(
                    rect: Rect(center: strip.center, size: size), elements: elements,
                    opacity: opacity * (1 - shade), clip: rect)),
        ]
    }

    /// The width of the name in a cell; nil where the cell has no room for names.
    private func nameWidth(in rect: Rect) -> Double? {
        guard rect.width >= Self.leastForName, rect.height >= Self.leastForName / 2 else {
            return nil
        }
        let room = rect.width - 2 * Self.textMargin
        return (room / Self.widthStep).rounded(.down) * Self.widthStep
    }

    /// The icon of a torn picture.
    static func icon(_ rect: Rect, _ color: Color) -> LayerItem.Element {
        .paths(
            .init(rect, Icon.tornPicture.paths, grid: Icon.side, stroke: Icon.stroke, color))
    }
}
