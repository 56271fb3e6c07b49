import Geometry
package import SceneModel

/// What widgets look like.
extension Widget {
    /// The widget and its children as one layer.
    package func layer(_ theme: Theme, _ focus: WidgetFocus, opacity: Double = 1) -> LayerItem {
        var elements: [LayerItem.Element] = []
        let painter = WidgetFace(theme: theme, focus: focus, corner: rect.origin)
        painter.append(self, to: &elements)
        return LayerItem(rect: rect, elements: elements, opacity: opacity)
    }
}

extension Theme {
    func style(_ role: Widget.TextRole) -> TextStyle {
        switch role {
        case .title: title
        case .name: title.ofContent
        case .body, .disabled: body
        case .value: body.ofContent
        case .small, .key, .problem: small
        case .number: number
        }
    }
}

/// Makes the elements of widgets, relative to the corner of their layer.
private struct WidgetFace {
    let theme: Theme
    let focus: WidgetFocus
    let corner: Point

    private static let fieldRadius = 8.0
    /// The space between a bar and a button in the bar's shape, in logical pixels.
    private static let barInset = Theme.Space.row

    func append(_ widget: Widget, to elements: inout [LayerItem.Element]) {
        let rect = widget.rect + (Point.zero - corner)
        switch widget.face {
        case .none: break
        case .clip:
            var inner: [LayerItem.Element] = []
            for child in widget.children { append(child, to: &inner) }
            elements.append(.group(clip: rect, inner))
            return
        case .paragraph(let text, let role, let lines, let alignment):
            var style = theme.style(role)
            style.lines = lines
            style.isCentered = alignment == .center
            elements.append(.text(.init(rect, text, style, color(role), alignment)))
        case .ground(let radius, let isDense):
            elements.append(
                .box(
                    .init(
                        rect, isDense ? theme.denseGround : theme.ground, cornerRadius: radius,
                        border: theme.border)))
        case .icon(let icon), .mark(let icon): append(icon, widget, rect, to: &elements)
        case .largeIcon(let icon):
            elements.append(
                .paths(
                    .init(
                        rect, paths(icon), grid: Icon.side, stroke: Icon.stroke / 2,
                        theme.dimText)))
        case .countdown(let icon, let share):
            elements.append(countdown(share, rect))
            append(icon, widget, rect, to: &elements)
        case .text(let text, let role, let alignment):
            elements.append(
                .text(.init(rect, text, theme.style(role), color(role), alignment)))
        case .button(let title, let isProminent):
            append(
                title, isProminent ? theme.accent : nil, widget, rect, to: &elements)
        case .barButton(let title, let isProminent):
            append(barButton: title, isProminent, widget, rect, to: &elements)
        case .destructiveButton(let title):
            append(title, theme.danger, widget, rect, to: &elements)
        case .row(let row): append(row, widget, rect, to: &elements)
        case .plainRow, .value:
            append(stateOf: widget, rect.inset(by: 2), radius: Theme.radius - 2, to: &elements)
        case .toggle(let isOn):
            elements +=
                ToggleFace(
                    theme: theme, rect: rect, isOn: isOn,
                    isDisabled: widget.states.contains(.disabled)
                ).elements
        case .field(let field): append(field, rect, to: &elements)
        case .progress(let fraction):
            let track = LayerItem.Box(
                rect, theme.separator, cornerRadius: rect.height / 2)
            var filled = rect
            filled.width *= min(max(fraction, 0), 1)
            if theme.isRightToLeft { filled.x = rect.maxX - filled.width }
            elements += [
                .box(track), .box(.init(filled, theme.accent, cornerRadius: rect.height / 2)),
            ]
        case .dial(let degrees):
            elements += DialFace(theme: theme, rect: rect, degrees: degrees).elements
        case .outline(let radius):
            elements += outline(rect, radius: radius)
        case .separator: elements.append(.box(.init(rect, theme.separator)))
        }
        for child in widget.children { append(child, to: &elements) }
        if focus.focused == widget.id, !isEdited(widget) {
            elements.append(ring(rect, widget.face))
        }
    }

    // MARK: Parts

    /// A ring from the top on, which ends where the time that is left does.
    private func countdown(_ share: Double, _ rect: Rect) -> LayerItem.Element {
        let side = min(rect.width, rect.height) - 8
        let center = Point(x: Icon.side / 2, y: Icon.side / 2)
        let turn = 2 * Double.pi * min(max(share, 0), 1)
        let arc = VectorPath([
            .arc(
                center: center, radius: Icon.side / 2 - 1, from: -Double.pi / 2,
                to: turn - Double.pi / 2)
        ])
        return .paths(
            .init(
                Rect(center: rect.center, size: Size(width: side, height: side)), [arc],
                grid: Icon.side, stroke: 1.4, theme.accentOnGround))
    }

    private func append(
        _ icon: Icon, _ widget: Widget, _ rect: Rect, to elements: inout [LayerItem.Element]
    ) {
        let circle = Rect(
            center: rect.center,
            size: Size(
                width: min(rect.width, rect.height) - 4,
                height: min(rect.width, rect.height) - 4))
        var color = theme.icon
        if widget.states.contains(.checked), widget.face == .icon(icon) {
            elements.append(.box(.init(circle, color, cornerRadius: circle.width / 2)))
            color = theme.denseGround
            color.alpha = 1
        }
        append(stateOf: widget, circle, radius: circle.width / 2, to: &elements)
        // As large as in a usual button, and half of a larger one.
        let half = (min(rect.width, rect.height) / 2).rounded()
        let side = min(max(Theme.icon, half), rect.width, rect.height)
        if widget.states.contains(.disabled) { color = color.faded(0.4) }
        elements.append(
            .paths(
                .init(
                    Rect(center: rect.center, size: Size(width: side, height: side)),
                    paths(icon), grid: Icon.side, stroke: Icon.stroke, color)))
    }

    /// Appends a button on a ground of its own colour, or of that of usual buttons.
    private func append(
        _ title: String, _ color: Color?, _ widget: Widget, _ rect: Rect,
        to elements: inout [LayerItem.Element]
    ) {
        let isDisabled = widget.states.contains(.disabled)
        let color = isDisabled ? nil : color
        let radius = Theme.radius
        let shape = rect.inset(by: Theme.Space.row)
        elements.append(
            .box(
                .init(
                    shape, color ?? theme.hovered, cornerRadius: radius,
                    border: theme.border)))
        append(stateOf: widget, shape, radius: radius, to: &elements)
        elements.append(
            .text(
                .init(
                    rect.inset(by: 6), title, theme.title,
                    color?.legible ?? (isDisabled ? theme.text.faded(0.4) : theme.text),
                    .center)))
    }

    private func append(
        barButton title: String, _ isProminent: Bool, _ widget: Widget, _ rect: Rect,
        to elements: inout [LayerItem.Element]
    ) {
        let shape = rect.inset(by: Self.barInset)
        let radius = shape.height / 2
        if isProminent {
            elements.append(.box(.init(shape, theme.accent, cornerRadius: radius)))
        }
        append(stateOf: widget, shape, radius: radius, to: &elements)
        elements.append(
            .text(
                .init(
                    rect.inset(by: 6), title, theme.title,
                    isProminent ? theme.onAccent : theme.text, .center)))
    }

    private func append(
        _ row: Widget.Row, _ widget: Widget, _ rect: Rect, to elements: inout [LayerItem.Element]
    ) {
        append(stateOf: widget, rect.inset(by: 2), radius: Theme.radius - 2, to: &elements)
        let isChecked = widget.states.contains(.checked)
        let isDisabled = widget.states.contains(.disabled)
        // The check mark takes the place of the icon that a row lacks.
        let icon = row.icon ?? (isChecked ? .check : nil)
        let endIcon: Icon? = row.opensMenu ? .submenu : isChecked && row.icon != nil ? .check : nil
        let side = min(Widget.Row.iconSide(theme), rect.height)
        let start = Widget.Row.indent
        if let icon {
            let place = Rect(x: 0, y: 0, width: side, height: side)
            elements.append(
                .paths(
                    .init(
                        placed(place, from: start, in: rect), paths(icon), grid: Icon.side,
                        stroke: Icon.stroke, theme.icon.faded(isDisabled ? 0.4 : 1))))
        }
        if let endIcon {
            let place = Rect(x: 0, y: 0, width: side, height: side)
            elements.append(
                .paths(
                    .init(
                        placed(place, from: rect.width - start - side, in: rect), paths(endIcon),
                        grid: Icon.side, stroke: Icon.stroke,
                        row.opensMenu ? theme.dimText : theme.icon)))
        }
        let left = start + side + Widget.Row.indent
        let end = Widget.Row.indent + (endIcon == nil ? 0 : side + Widget.Row.indent)
        let inner = max(rect.width - left - end, 0)
        let detail = min(row.detailWidth, inner)
        let title = max(inner - (detail > 0 ? detail + Widget.Row.gap : 0), 0)
        let trailing: LayerItem.Label.Alignment = theme.isRightToLeft ? .leading : .trailing
        let leading: LayerItem.Label.Alignment = theme.isRightToLeft ? .trailing : .leading
        if !row.title.isEmpty {
            elements.append(
                .text(
                    .init(
                        placed(
                            Rect(x: 0, y: 0, width: title, height: rect.height), from: left,
                            in: rect), row.title, theme.body,
                        isDisabled ? theme.text.faded(0.4) : theme.text, leading)))
        }
        guard detail > 0 else { return }
        elements.append(
            .text(
                .init(
                    placed(
                        Rect(x: 0, y: 0, width: detail, height: rect.height),
                        from: left + inner - detail, in: rect), row.detail, theme.small,
                    theme.dimText, trailing)))
    }

    private func append(
        _ field: Widget.Field, _ rect: Rect, to elements: inout [LayerItem.Element]
    ) {
        let toLayer = Point.zero - corner
        let isEdited = field.caret != nil || field.selection != nil || field.preedit != nil
        elements.append(
            .box(
                .init(
                    rect.inset(by: Widget.Field.inset), theme.hovered,
                    cornerRadius: Self.fieldRadius,
                    border: isEdited ? theme.accent : theme.border,
                    borderWidth: Theme.focusWidth)))
        var inner: [LayerItem.Element] = []
        func text(_ color: Color) -> LayerItem.Element {
            .text(
                .init(
                    field.textRect + toLayer, field.text,
                    theme.field(height: rect.height).ofContent,
                    color))
        }
        inner.append(text(theme.text))
        if let selection = field.selection {
            inner += [
                .box(.init(selection + toLayer, theme.accent)),
                .group(clip: selection + toLayer, [text(theme.onAccent)]),
            ]
        }
        if let preedit = field.preedit {
            let line = Rect(
                x: preedit.x, y: preedit.maxY - Theme.focusWidth, width: preedit.width,
                height: Theme.focusWidth)
            inner.append(.box(.init(line + toLayer, theme.text)))
        }
        if let caret = field.caret, field.selection == nil {
            inner.append(
                .box(
                    .init(
                        Rect(
                            x: caret.x, y: caret.y, width: Theme.focusWidth,
                            height: caret.height) + toLayer, theme.text)))
        }
        elements.append(.group(clip: rect.inset(by: 6), inner))
    }

    /// The highlight of a widget that is hovered or pressed.
    private func append(
        stateOf widget: Widget, _ rect: Rect, radius: Double,
        to elements: inout [LayerItem.Element]
    ) {
        guard !widget.states.contains(.disabled) else { return }
        if focus.pressed == widget.id {
            elements.append(.box(.init(rect, theme.pressed, cornerRadius: radius)))
        } else if focus.hovered == widget.id || widget.states.contains(.selected) {
            elements.append(.box(.init(rect, theme.hovered, cornerRadius: radius)))
        }
    }

    /// A line between two thin lines of the opposite colour, so that it shows on every picture.
    private func outline(_ rect: Rect, radius: Double) -> [LayerItem.Element] {
        var edge = theme.ground
        edge.alpha = 1
        return [
            .box(
                .init(
                    rect, edge.faded(0), cornerRadius: radius, border: edge,
                    borderWidth: Theme.focusWidth + 2)),
            .box(
                .init(
                    rect.inset(by: 1), theme.focus.faded(0), cornerRadius: radius - 1,
                    border: theme.focus, borderWidth: Theme.focusWidth)),
        ]
    }

    /// Whether a widget is a field with a caret, whose edge says that keys are for the field.
    private func isEdited(_ widget: Widget) -> Bool {
        if case .field(let field) = widget.face { field.caret != nil } else { false }
    }

    /// The line around the widget with the focus; inside of buttons with a ground of their own.
    private func ring(_ rect: Rect, _ face: Widget.Face) -> LayerItem.Element {
        let ground: Color? =
            switch face {
            case .button(_, isProminent: true), .barButton(_, isProminent: true): theme.accent
            case .destructiveButton: theme.danger
            default: nil
            }
        let color = ground?.legible ?? theme.focus
        var radius = Theme.radius - (ground == nil ? 0 : 3)
        if case .barButton = face { radius = rect.height / 2 - (ground == nil ? 2 : 6) }
        return .box(
            .init(
                rect.inset(by: ground == nil ? 2 : 6), color.faded(0),
                cornerRadius: radius, border: color,
                borderWidth: Theme.focusWidth))
    }

    /// A part of a row `start` logical pixels from the row's beginning, vertically centred.
    private func placed(_ part: Rect, from start: Double, in row: Rect) -> Rect {
        let x = theme.isRightToLeft ? row.maxX - start - part.width : row.x + start
        return Rect(
            x: x, y: row.y + (row.height - part.height) / 2, width: part.width,
            height: part.height)
    }

    private func paths(_ icon: Icon) -> [VectorPath] {
        guard theme.isRightToLeft, icon.isDirectional else { return icon.paths }
        return icon.paths.map { $0.mirrored(onWidth: Icon.side) }
    }

    private func color(_ role: Widget.TextRole) -> Color {
        switch role {
        case .title, .name, .body, .value, .number: theme.text
        case .small, .key: theme.dimText
        case .problem: theme.problem
        case .disabled: theme.text.faded(0.4)
        }
    }
}
