package import Input

/// A line of text that a person edits: text, cursor, selection and the text that is being composed.
///
/// Positions count grapheme clusters of `text`, 0 is before the first one. Movement is logical: "left"
/// is towards the beginning, in right-to-left text too.
package struct TextField: Hashable, Sendable {
    /// What the owner of the field does after a key.
    package enum Response: Hashable, Sendable {
        /// The key is not for the field.
        case ignored
        /// The field has handled the key; text or cursor may have changed.
        case consumed
        /// The text is to be applied.
        case committed
        /// The field shows its original text again and is to be left.
        case cancelled
    }

    /// The text that an input method composes, shown at the cursor but not part of `text`.
    package struct Preedit: Hashable, Sendable {
        package let text: String
        /// The cursor in `text`, in bytes of UTF-8: a highlighted part, or one place; nil if the
        /// cursor is hidden.
        package let cursor: Range<Int>?
    }

    /// The largest limit: key presses take time in proportion to the text.
    private static let largestLimit = 4096
    /// Scalars for each cluster of the limit: a cluster may have any number of combining marks.
    static let scalarsPerCluster = 16

    package let filter: TextFieldFilter
    /// The most grapheme clusters; more are not inserted.
    package let limit: Int
    package internal(set) var text = ""
    package internal(set) var cursor = 0
    /// The end of the selection that is not the cursor.
    package internal(set) var anchor = 0
    package internal(set) var preedit: Preedit?
    /// What changed the text or the cursor last.
    package internal(set) var changeCause = TextInputState.ChangeCause.other
    private var original = ""

    /// A field with its whole text selected, so that typing replaces the text.
    package init(_ text: String = "", limit: Int = 256, filter: TextFieldFilter = .any) {
        self.limit = min(max(limit, 1), Self.largestLimit)
        self.filter = filter
        reset(to: text)
    }

    /// Shows another text, which `cancel` restores, and selects it.
    package mutating func reset(to text: String) {
        self.text = ""
        (cursor, anchor, preedit) = (0, 0, nil)
        insert(text)
        original = self.text
        selectAll()
    }

    /// The number of grapheme clusters.
    package var count: Int { text.count }

    /// The most scalars of the text.
    var mostScalars: Int { limit * Self.scalarsPerCluster }

    // MARK: Selection

    /// The selected clusters; empty at the cursor if nothing is selected.
    package var selection: Range<Int> { min(cursor, anchor)..<max(cursor, anchor) }

    package var selectedText: String {
        String(text[index(of: selection.lowerBound)..<index(of: selection.upperBound)])
    }

    package mutating func selectAll() {
        select(from: 0, to: count)
    }

    /// Moves cursor and anchor to valid positions near these; removes the pre-edit text.
    package mutating func select(from anchor: Int, to cursor: Int) {
        let most = count
        self.anchor = min(max(anchor, 0), most)
        self.cursor = min(max(cursor, 0), most)
        preedit = nil
        changeCause = .other
    }

    /// Moves the cursor; the anchor stays if `extendsSelection`, as while a pointer is dragged.
    package mutating func moveCursor(to position: Int, extendsSelection: Bool = false) {
        select(from: extendsSelection ? anchor : position, to: position)
    }

    // MARK: End

    /// Makes the pre-edit text a part of the text, and returns the text to apply.
    package mutating func commit() -> String {
        if let composed = preedit?.text {
            preedit = nil
            insert(composed)
        }
        original = text
        return text
    }

    /// Restores the text from before the editing.
    package mutating func cancel() { reset(to: original) }

    // MARK: What is shown

    /// The text with the pre-edit text at the cursor.
    package var displayText: String {
        guard let preedit else { return text }
        let place = index(of: cursor)
        return String(text[..<place]) + preedit.text + String(text[place...])
    }
}
