import Commands
import Geometry
import Localization
import Motion
import SceneModel

/// The widgets of the information panel, and their layers.
extension InformationPanel {
    static let identifier = "information-panel"
    static let closeIdentifier = "information-close"

    /// The panel with the rows that are visible at least in part; nil while the panel is hidden.
    func widget(at moment: Moment) -> Widget? {
        guard let panel = frame(at: moment), let list = list(at: moment) else { return nil }
        var widget = panel
        let content = Widget(
            "information-list", .list, localized("Properties"), rect: list, face: .clip,
            children: rows(at: moment).map { $0.row.moved(by: $0.translation) }
                + [scrollBar(at: moment)].compactMap(\.self))
        widget.children = titleRow(at: moment) + [content]
        return widget
    }

    /// The layers of the panel, from the bottom to the top.
    ///
    /// Each row is a layer of its own, whose painted pixels do not change while the row scrolls.
    func items(_ focus: WidgetFocus, at moment: Moment) -> [SceneItem] {
        guard let panel = frame(at: moment), let list = list(at: moment) else { return [] }
        let theme = layout.theme
        var ground = panel
        // At the bottom of the surface the lower corners are square.
        if isNarrow { ground.rect.height += Theme.largeRadius }
        var bottom = ground.layer(theme, focus)
        bottom.clip = panel.rect
        var layers = [bottom]
        for widget in titleRow(at: moment) {
            var layer = widget.layer(theme, focus)
            layer.clip = panel.rect
            layers.append(layer)
        }
        for (row, translation) in rows(at: moment) {
            var layer = row.layer(theme, focus)
            layer.rect = row.rect + translation
            layer.clip = list
            layers.append(layer)
        }
        if let bar = scrollBar(at: moment) { layers.append(bar.layer(theme, focus)) }
        return layers.map { .layer($0) }
    }

    /// The panel without its content.
    private func frame(at moment: Moment) -> Widget? {
        rect(at: moment).map {
            Widget(
                Self.identifier, .panel, localized("Information"), rect: $0,
                face: .ground(radius: Theme.largeRadius, isDense: true))
        }
    }

    /// The title and the button that closes the panel.
    func titleRow(at moment: Moment) -> [Widget] {
        guard let rect = rect(at: moment).map(layout.oriented) else { return [] }
        let close = layout.button(
            Self.closeIdentifier, .close, localized("Close information"), .command(.information),
            at: rect.maxX - layout.target, y: rect.y)
        let padding = InformationLayout.padding
        let width = rect.width - layout.target - padding
        guard width > 0 else { return layout.oriented([close]) }
        let title = Widget(
            "information-title", .heading, localized("Information"),
            rect: Rect(x: rect.x + padding, y: rect.y, width: width, height: layout.target),
            face: .text(localized("Information"), .title, .leading))
        return layout.oriented([title, close])
    }

    /// The rows that are visible at least in part, and the translation of each to its place on the
    /// surface.
    private func rows(at moment: Moment) -> [(row: Widget, translation: Vector)] {
        guard let list = list(at: moment), let content else { return [] }
        let place: Vector = list.origin - Point.zero
        let translation = place - Vector(dx: 0, dy: offset(at: moment))
        return content.rows.filter { !($0.rect + translation).intersection(list).isEmpty }
            .map { ($0, translation) }
    }

    /// The visible parts of rows that a tap uses.
    func activeAreas(at moment: Moment) -> [Rect] {
        guard let list = list(at: moment) else { return [] }
        return rows(at: moment).filter { $0.row.action != nil }
            .map { ($0.row.rect + $0.translation).intersection(list) }
    }

    private func scrollBar(at moment: Moment) -> Widget? {
        guard let list = list(at: moment).map(layout.oriented),
            let bar = area.bar("information-scroll", of: list, margin: 4, at: moment)
        else { return nil }
        return layout.oriented([bar])[0]
    }
}
