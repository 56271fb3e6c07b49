package import Geometry
import Localization
import SceneModel

/// The field of a search, in place of the folder's name.
extension GridBars {
    /// The least width that is kept for the bar, in logical pixels: on a narrow surface all but the place of
    /// one button.
    func searchWidth(in room: Double) -> Double {
        room < Self.mostSearchWidth ? room - layout.target : Self.leastSearchWidth
    }

    private static let leastSearchWidth = 240.0
    private static let mostSearchWidth = 560.0
    private static let fieldInset = Theme.Space.part

    /// The bar with the field; nil without a search, and where pictures are being selected.
    func searchBar(from start: Double, to right: Double) -> Widget? {
        guard let search = facts.search, !facts.isInSelection, right >= start + 2 * layout.target
        else { return nil }
        let bar = Rect(
            x: start, y: BarLayout.margin, width: min(right - start, Self.mostSearchWidth),
            height: layout.target)
        // The cross is not where the folders above come back under the finger.
        var rest = bar
        rest.width -= layout.target
        let number =
            bar.width < Self.mostSearchWidth ? "\(facts.count)" : facts.places.last ?? ""
        let numberWidth = layout.text(number, layout.theme.small).width.rounded(.up) + 1
        rest.width -= numberWidth + 2 * Self.fieldInset
        var children = [
            fieldWidget(search, in: rest),
            Widget(
                "count", .label, facts.found,
                rect: Rect(
                    x: rest.maxX + Self.fieldInset, y: bar.y, width: numberWidth,
                    height: layout.target),
                face: .text(number, .small, .trailing)),
            layout.button(
                "find-end", .close, localized("End the search"), .endSearch,
                at: bar.maxX - layout.target, y: bar.y),
        ]
        children[1].announced = facts.found
        return layout.bar("header", localized("Header"), bar, children)
    }

    private func fieldWidget(_ search: SearchBar, in rect: Rect) -> Widget {
        let field = search.field
        let laidOut = TextFieldLayout(
            field, in: rect.inset(by: Self.fieldInset), layout.theme.field(height: rect.height),
            measure: layout.text)
        let isEmpty = field.displayText.isEmpty
        let area = rect.inset(by: Self.fieldInset)
        return Widget(
            SearchBar.field, .entry, localized("Find"), description: field.displayText, rect: rect,
            states: [.focusable, .editable], action: .edit,
            face: search.isEdited || !isEmpty
                ? .field(
                    .init(
                        text: field.displayText,
                        textRect: Rect(
                            x: laidOut.origin.x, y: rect.y, width: max(laidOut.size.width + 1, 1),
                            height: rect.height),
                        caret: search.isEdited ? laidOut.cursor : nil,
                        selection: search.isEdited ? laidOut.selection : nil,
                        preedit: search.isEdited ? laidOut.preedit : nil,
                        edited: search.isEdited ? field.description : nil))
                : .none,
            children: isEmpty
                ? [
                    Widget(
                        "find-hint", .label, "", rect: area,
                        face: .text(hint(in: area.width), .small, .leading))
                ] : [])
    }

    /// What can be looked for, in a text that fits.
    private func hint(in width: Double) -> String {
        let hint = localized("Name, date or camera")
        return layout.text(hint, layout.theme.small).width <= width ? hint : localized("Name")
    }

    /// The caret of the field that is being edited, on the surface in logical pixels.
    package var searchCaret: Rect? {
        guard
            case .field(let field)? = widgets.lazy.compactMap({ $0.widget(SearchBar.field) }).first?
                .face
        else { return nil }
        return field.caret
    }
}
