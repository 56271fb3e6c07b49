import Geometry
import Grid
import Interface
import SceneModel

/// The items over the cells: titles of sections, and the fast-scroll handle with its label.
extension GridScene {
    var overlays: [SceneItem] {
        var items = frame.headers.map { SceneItem.layer(layer(of: $0)) }
        guard let handle = frame.handle else { return items }
        let color = theme.text.faded((handle.isHeld ? 0.85 : 0.5) * handle.opacity * (1 - shade))
        items.append(.fill(FillItem(rect: handle.rect, color: color)))
        guard handle.isHeld else { return items }
        items.append(.layer(label(of: handle)))
        return items
    }

    /// The title of a section, as wide as its text: most of a header is empty.
    private func layer(of header: GridFrame.Header) -> LayerItem {
        var style = theme.title
        style.size = min(style.size, header.rect.height / Self.lineHeight)
        let most = max(header.rect.width - 2 * Self.textMargin, 0)
        let width = min(layout.text(header.title, style).width.rounded(.up) + 1, most)
        let size = Size(width: width, height: header.rect.height)
        let x =
            theme.isRightToLeft
            ? header.rect.maxX - Self.textMargin - width : header.rect.x + Self.textMargin
        return LayerItem(
            rect: Rect(origin: Point(x: x, y: header.rect.y), size: size),
            elements: [
                .text(.init(Rect(origin: .zero, size: size), header.title, style, theme.text))
            ], opacity: header.opacity * (1 - shade))
    }

    /// The section or the name of the picture beside the fast-scroll handle.
    private func label(of handle: GridFrame.Handle) -> LayerItem {
        let surface = frame.surface
        let size = Size(
            width: min(Self.labelWidth * max(theme.textScale, 1), surface.width * 0.6),
            height: theme.row)
        let distance = size.width / 2 + Self.labelGap
        let center = Point(
            x: theme.isRightToLeft ? handle.rect.maxX + distance : handle.rect.x - distance,
            y: min(max(handle.rect.center.y, size.height / 2), surface.height - size.height / 2))
        let whole = Rect(origin: .zero, size: size)
        return LayerItem(
            rect: Rect(center: center, size: size),
            elements: [
                .box(.init(whole, theme.ground, cornerRadius: Theme.radius, border: theme.border)),
                .text(
                    .init(
                        Rect(
                            x: Self.textMargin, y: 0,
                            width: max(size.width - 2 * Self.textMargin, 0), height: size.height),
                        handle.title ?? name(handle.index),
                        handle.title == nil ? theme.body.ofContent : theme.body, theme.text,
                        .center)),
            ], opacity: handle.opacity * (1 - shade))
    }

    /// The distance between the handle and its label, in logical pixels.
    private static let labelGap = Theme.Space.part
    /// The width of the label beside the handle with small texts, in logical pixels.
    private static let labelWidth = 320.0
}
