package import Input
package import Motion

/// The field of a search, in the header of the grid.
package struct SearchBar: Hashable, Sendable {
    package var field: TextField
    /// Whether keys are for the field.
    package var isEdited = true

    /// The identifier of the field.
    package static let field = "find-field"
    /// The longest text, in grapheme clusters.
    static let longest = 120
}

extension Chrome {
    /// Shows the field of a search, or goes on with its text.
    package mutating func editSearch(at moment: Moment) {
        var bar = search ?? SearchBar(field: TextField(limit: SearchBar.longest))
        bar.isEdited = true
        bar.field.moveCursor(to: bar.field.count)
        search = bar
        menu = nil
        fieldNumber += 1
        focus.focused = SearchBar.field
        bars.show(at: moment, isStill: reducesMotion)
    }

    /// Keys are for the grid again; the pictures that were found stay.
    package mutating func endSearchEditing() {
        guard search?.isEdited == true else { return }
        search?.isEdited = false
        if focus.focused == SearchBar.field { focus.focused = nil }
    }

    /// Hides the field; returns whether it was shown.
    package mutating func endSearch() -> Bool {
        endSearchEditing()
        defer { search = nil }
        return search != nil
    }

    /// Whether keys are for the field: nothing that covers the header does take them.
    package var editsSearch: Bool {
        search?.isEdited == true && !isModal && help == nil && menu == nil
    }

    /// Handles a key in the field.
    package mutating func handleInSearch(_ key: KeyEvent) -> TextField.Response {
        search?.field.handle(key) ?? .ignored
    }

    /// Handles what an input method sends to the field.
    package mutating func handleInSearch(_ input: TextInputEvent) {
        _ = search?.field.handle(input)
    }

    /// Replaces the text of the field.
    package mutating func setSearch(_ text: String) {
        search?.field.selectAll()
        handleInSearch(TextInputEvent(commit: text))
    }
}
