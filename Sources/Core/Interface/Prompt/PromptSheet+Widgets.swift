import Geometry
import Localization
package import Motion
import SceneModel

/// The sheet of a prompt as widgets.
extension PromptSheet {
    /// The identifiers of widgets that the chrome knows.
    static let identifier = "prompt"
    static let fieldIdentifier = "prompt-field"

    /// The identifier of the widget with the focus.
    var focusedWidget: String { Self.identifier(of: focus) }

    private static func identifier(of focus: Focus) -> String {
        switch focus {
        case .field: fieldIdentifier
        case .confirm: "prompt-confirm"
        case .cancel: "prompt-cancel"
        case .row(let number): "prompt/\(number)"
        case .stars(let number): "prompt-stars/\(number)"
        }
    }

    /// The sheet at `moment`, at the place where it rests.
    package func widget(at moment: Moment) -> Widget {
        layout.oriented([straightWidget(at: moment)])[0]
    }

    /// The areas in which touches press buttons or the field, and do not drag the scrolling content.
    func areas(at moment: Moment) -> [Rect] {
        let sheet = widget(at: moment)
        let body = layout.oriented(places.body)
        let ids =
            [.field, .confirm, .cancel].map(Self.identifier)
            + (0...Prompt.mostStars).map { Self.identifier(of: .stars($0)) }
        let fixed = places.buttons.values.filter { !$0.scrolls }.map { layout.oriented($0.rect) }
        return ids.compactMap { id in
            guard let rect = sheet.widget(id)?.rect else { return nil }
            let visible = fixed.contains(rect) ? rect : rect.intersection(body)
            return visible.isEmpty ? nil : visible
        }
    }

    private func straightWidget(at moment: Moment) -> Widget {
        let corner = Vector(dx: places.rect.x, dy: places.body.y - area.offset(at: moment))
        let role: Widget.Role = .dialog
        let body = Widget(
            "prompt-body", .panel, rect: places.body, face: .clip,
            children: content(corner)
                + (places.title.scrolls ? [] : area.edges("prompt-edge", of: places.body))
                + [area.bar("prompt-scroll", of: places.body, margin: 2, at: moment)]
                .compactMap(\.self))
        return Widget(
            Self.identifier, role, prompt.title, description: prompt.text, rect: places.rect,
            states: .modal, face: .ground(radius: Theme.largeRadius, isDense: true),
            children: (places.title.scrolls ? [] : [title(.zero)]) + [body]
                + (places.title.scrolls ? [] : buttons(.zero)))
    }

    private func title(_ corner: Vector) -> Widget {
        var rect = places.title.rect + corner
        let height = min(titleHeight, rect.height)
        rect.y += ((rect.height - height) / 2).rounded()
        rect.size.height = height
        return Widget(
            "prompt-title", .heading, prompt.title, rect: rect,
            face: .paragraph(prompt.title, .title, lines: PromptLayout.titleLines, .leading))
    }

    private var titleHeight: Double {
        var style = layout.theme.title
        style.lines = PromptLayout.titleLines
        return layout.text(prompt.title, style, width: places.title.rect.width).height.rounded(.up)
    }

    // MARK: Content

    /// The scrolling content; `corner` is the place of its beginning on the surface.
    private func content(_ corner: Vector) -> [Widget] {
        var widgets: [Widget] = []
        if places.title.scrolls { widgets.append(title(corner)) }
        if let part = places.field { widgets.append(fieldWidget(part.rect + corner)) }
        if let part = places.text, !prompt.text.isEmpty {
            widgets.append(
                Widget(
                    "prompt-text", .label, prompt.text, rect: part.rect + corner,
                    face: .paragraph(
                        prompt.text, places.textRole, lines: PromptLayout.textLines, .leading)))
        }
        if let part = places.progress, let progress = prompt.progress {
            let share = min(max(progress.isFinite ? progress : 0, 0), 1)
            widgets.append(
                Widget(
                    "prompt-progress", .progressBar, localized("Progress"),
                    description: percentage(Int(share * 100)), rect: part.rect + corner,
                    face: .progress(share)))
        }
        widgets += starWidgets(corner)
        if places.firstRow != nil { widgets.append(list(corner)) }
        if places.title.scrolls { widgets += buttons(corner) }
        return widgets
    }

    private func fieldWidget(_ rect: Rect) -> Widget {
        let isEdited = focus == .field && isShown
        let laidOut = fieldLayout(in: rect)
        let text = field?.displayText ?? ""
        return Widget(
            Self.fieldIdentifier, .entry, prompt.title, description: text, rect: rect,
            states: [.focusable, .editable], action: .edit,
            face: .field(
                .init(
                    text: text,
                    textRect: laidOut.map {
                        Rect(
                            x: $0.origin.x, y: rect.y, width: max($0.size.width + 1, 1),
                            height: rect.height)
                    } ?? rect, caret: isEdited ? laidOut?.cursor : nil,
                    selection: isEdited ? laidOut?.selection : nil,
                    preedit: isEdited ? laidOut?.preedit : nil,
                    edited: isEdited ? field?.description : nil)))
    }

    /// The space beside the text of the field, in logical pixels.
    private static let fieldInset = Theme.Space.part

    private func fieldLayout(in rect: Rect) -> TextFieldLayout? {
        field.map {
            TextFieldLayout(
                $0, in: rect.inset(by: Self.fieldInset), layout.theme.field(height: rect.height),
                measure: layout.text)
        }
    }

    /// The caret of the field on the surface; nil while the field is not edited or not visible.
    func caret(at moment: Moment) -> Rect? {
        guard focus == .field, isShown,
            case .field(let field)? = widget(at: moment).widget(Self.fieldIdentifier)?.face
        else { return nil }
        return field.caret ?? field.preedit
    }

    /// The position in the text that is nearest to a point of the surface.
    func fieldPosition(at point: Point, _ moment: Moment) -> Int? {
        let corner = Vector(dx: places.rect.x, dy: places.body.y - area.offset(at: moment))
        guard let rect = places.field.map({ $0.rect + corner }) else { return nil }
        let shift = layout.oriented(rect).x - rect.x
        return fieldLayout(in: rect)?.position(at: Point(x: point.x - shift, y: point.y))
    }

    private func starWidgets(_ corner: Vector) -> [Widget] {
        (1...Prompt.mostStars).compactMap { number in
            places.stars(number).map { star(number, $0.rect + corner) }
        }
    }

    /// The widget that gives a number of stars.
    private func star(_ number: Int, _ rect: Rect) -> Widget {
        let name =
            number == 0
            ? PromptLayout.noStars
            : localized("\(number) star", many: "\(number) stars", count: number)
        let isChosen = number == shownStars
        let isFilled = number <= shownStars ?? 0
        return Widget(
            Self.identifier(of: .stars(number)), .toggleButton, name, rect: rect,
            states: isChosen ? [.focusable, .checkable, .checked] : [.focusable, .checkable],
            action: .answer(.choice(number)),
            face: number == 0
                ? .button(name, isProminent: false)
                : .mark(isFilled ? .starFilled : .star))
    }

    /// The list of the choices, with the rows that are visible at least in part.
    private func list(_ corner: Vector) -> Widget {
        let first = (places.row(0) ?? places.body) + corner
        let rect = Rect(
            x: first.x, y: first.y, width: first.width,
            height: first.height * Double(prompt.choices.count))
        let above = Int(clamping: ((places.body.y - first.y) / first.height).rounded(.down))
        let below = Int(clamping: ((places.body.maxY - first.y) / first.height).rounded(.up))
        let last = prompt.choices.count
        let visible = min(max(above, 0), last)..<min(max(below, max(above, 0)), last)
        return Widget(
            "prompt-list", .list, localized("Choices"), rect: rect.intersection(places.body),
            children: visible.map { row($0, in: first) })
    }

    private func row(_ number: Int, in first: Rect) -> Widget {
        let choice = prompt.choices[number]
        var rect = first
        rect.y += Double(number) * rect.height
        let theme = layout.theme
        let hasIcons = prompt.choices.contains { $0.icon != nil }
        let indent =
            hasIcons
            ? 2 * Widget.Row.indent + Widget.Row.iconSide(layout.theme)
            : places.title.rect.x - rect.x + rectInset
        let width = max(rect.width - indent - Widget.Row.indent, 1)
        func line(
            _ id: String, _ text: String, _ role: Widget.TextRole, _ y: Double, _ height: Double
        )
            -> Widget
        {
            Widget(
                id, .label, rect: Rect(x: rect.x + indent, y: y, width: width, height: height),
                face: .text(text, role, .leading))
        }
        let (title, small) = (theme.body.size * 1.4, theme.small.size * 1.4)
        let id = Self.identifier(of: .row(number))
        let top = rect.y + (rect.height - title - small) / 2
        let lines =
            choice.detail.isEmpty
            ? [line(id + "/title", choice.title, .body, rect.y, rect.height)]
            : [
                line(id + "/title", choice.title, .body, top, title),
                line(id + "/detail", choice.detail, .small, top + title, small),
            ]
        return Widget(
            id, .listItem, choice.title, description: choice.detail, rect: rect,
            states: .focusable, action: .answer(.choice(number)),
            face: .row(.init("", icon: choice.icon)), children: lines)
    }

    /// The titles of the rows begin below the title of the sheet.
    private var rectInset: Double { places.title.scrolls ? places.rect.x : 0 }

    // MARK: Buttons

    private func buttons(_ corner: Vector) -> [Widget] {
        var widgets: [Widget] = []
        if let part = places.buttons[.noStars] { widgets.append(star(0, part.rect + corner)) }
        if let part = places.buttons[.cancel] {
            let title = isStopping ? localized("Stopping…") : places.cancelTitle
            widgets.append(
                Widget(
                    Self.identifier(of: .cancel), .pushButton, title, rect: part.rect + corner,
                    states: isStopping ? [.focusable, .disabled] : .focusable,
                    action: .answer(.cancelled), face: .button(title, isProminent: false)))
        }
        if let part = places.buttons[.confirm], let title = prompt.confirm {
            widgets.append(
                Widget(
                    Self.identifier(of: .confirm), .pushButton, title, rect: part.rect + corner,
                    states: canConfirm ? .focusable : [.focusable, .disabled],
                    action: .answer(.confirmed),
                    face: prompt.isDestructive
                        ? .destructiveButton(title) : .button(title, isProminent: true)))
        }
        return widgets
    }
}
