import Commands
package import Geometry
import Localization
import SceneModel

/// The zoom control with its field, and the arrows at the sides.
extension ViewerBars {
    /// Whether the control has a button for the list of zoom steps.
    private var hasSteps: Bool {
        surface.width >= Self.narrowestForSteps && layout.policy.allows(.menu)
            && layout.policy.allows(.zoomIn)
    }

    var zoomWidth: Double { (hasSteps ? 5 : 4) * target + percentWidth }

    /// The zoom control beside the action bar, or above where the surface is too narrow.
    var zoomBar: Widget? {
        guard facts.percent != nil, surface.height >= Self.lowest, !facts.coversBottom,
            freeWidth >= zoomWidth + 2 * Self.margin
        else { return nil }
        let x = freeWidth - Self.margin - zoomWidth
        let isBeside = actionBar.map { $0.rect.maxX + Self.margin <= x } ?? true
        guard isBeside || layout.usesPointer else { return nil }
        let y = isBeside ? bottom : bottom - target - Self.margin
        let rect = Rect(x: x, y: y, width: zoomWidth, height: target)
        let list = x + target + percentWidth
        let after = hasSteps ? list + target : list
        let steps = layout.button(
            "zoom-steps", .collapse, localized("Zoom level"), .openMenu(.zoom), at: list, y: y)
        return layout.bar(
            "zoom-bar", localized("Zoom"), rect,
            [
                layout.button(.zoomOut, .zoomOut, at: x, y: y),
                hasSteps ? steps : nil,
                layout.button(.zoomIn, .zoomIn, at: after, y: y),
                layout.button(.fit, .fit, at: after + target, y: y),
                layout.button(.oneToOne, .oneToOne, at: after + 2 * target, y: y),
            ].compactMap(\.self))
    }

    /// The percentage over the zoom control: a widget of its own, because it changes with every frame
    /// of a pinch, and the control does not.
    var zoomField: Widget? {
        guard let percent = facts.percent, let bar = zoomBar else { return nil }
        let rect = Rect(
            x: bar.rect.x + target, y: bar.rect.y, width: percentWidth,
            height: target)
        var widget = Widget(
            "zoom", .entry, localized("Zoom"), description: percentage(percent), rect: rect,
            states: [.focusable, .editable], action: .edit,
            face: fieldFace(in: rect) ?? .text(percentage(percent), .number, .center))
        widget.value = facts.percentRange.map { range in
            let current = Double(percent)
            return .init(
                current: current,
                range: min(range.lowerBound, current)...max(range.upperBound, current))
        }
        return widget
    }

    func fieldFace(in rect: Rect) -> Widget.Face? {
        guard let field = facts.zoomField else { return nil }
        let laidOut = TextFieldLayout(
            field, in: rect.inset(by: Self.fieldInset), layout.theme.field(height: rect.height),
            measure: layout.text)
        return .field(
            .init(
                text: laidOut.text,
                textRect: Rect(
                    x: laidOut.origin.x, y: rect.y, width: max(laidOut.size.width + 1, 1),
                    height: rect.height), caret: laidOut.cursor, selection: laidOut.selection,
                edited: field.description))
    }

    /// The caret of the percentage that is being edited, on the surface in logical pixels.
    package var caret: Rect? {
        guard let widget = zoomField, case .field(let field) = layout.oriented([widget])[0].face
        else { return nil }
        return field.caret
    }

    /// The arrows at the sides that turn the page, before they are mirrored for right-to-left
    /// languages as the pages are.
    var arrows: [Widget] {
        guard layout.usesPointer, facts.count > 1, surface.height >= Self.lowestForArrows,
            surface.width - facts.panelWidth >= Self.narrowestForArrows, !facts.coversBottom
        else { return [] }
        let y = ((surface.height - target) / 2).rounded()
        var arrows: [Widget] = []
        if facts.index > 0 {
            arrows.append(
                row(
                    "page-back", localized("Page"), [Button(.previous, .previous)],
                    at: Point(x: Self.margin, y: y)))
        }
        if facts.index + 1 < facts.count {
            let x = surface.width - facts.panelWidth - Self.margin - target
            arrows.append(
                row("page-on", localized("Page"), [Button(.next, .next)], at: Point(x: x, y: y)))
        }
        return arrows
    }
}
