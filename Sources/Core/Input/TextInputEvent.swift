/// A change by an input method: all events up to one `done` of `zwp_text_input_v3`.
///
/// A text field removes its previous pre-edit text, deletes `deletionBefore` and `deletionAfter`,
/// inserts `commit`, and then shows `preedit`, in this order. An event without content only removes
/// the pre-edit text. Lengths and positions are bytes of UTF-8.
package struct TextInputEvent: Hashable, Sendable {
    /// The text that is being composed, shown at the cursor but not part of the field's text.
    package struct Preedit: Hashable, Sendable {
        package var text: String
        /// The cursor in `text`: a highlighted part, or one place; nil if it is hidden.
        ///
        /// The bounds lie on code points of `text`.
        package var cursor: Range<Int>?

        /// A pre-edit text with its cursor, as the compositor sends them.
        ///
        /// Two negative numbers hide the cursor; bounds that are not valid become the nearest valid
        /// ones.
        package init(_ text: String, cursorBegin: Int, cursorEnd: Int) {
            self.text = text
            guard cursorBegin >= 0 || cursorEnd >= 0 else { return }
            let begin = text.codePointOffset(atOrBefore: cursorBegin)
            let end = text.codePointOffset(atOrBefore: cursorEnd)
            cursor = min(begin, end)..<max(begin, end)
        }
    }

    /// Nil if there is none, and never empty.
    package var preedit: Preedit? {
        didSet { if preedit?.text.isEmpty == true { preedit = nil } }
    }
    /// The text to insert; it replaces the selection.
    package var commit: String
    /// How much is deleted before the selection or the cursor, in bytes; not negative.
    package var deletionBefore: Int
    /// How much is deleted after the selection or the cursor, in bytes; not negative.
    package var deletionAfter: Int

    package init(
        commit: String = "", preedit: Preedit? = nil, deletionBefore: Int = 0,
        deletionAfter: Int = 0
    ) {
        self.commit = commit
        self.preedit = preedit?.text.isEmpty == true ? nil : preedit
        self.deletionBefore = max(deletionBefore, 0)
        self.deletionAfter = max(deletionAfter, 0)
    }

    /// Whether the event only removes the pre-edit text.
    package var isEmpty: Bool { self == TextInputEvent() }
}

extension String {
    /// The greatest offset in bytes of UTF-8 that is at most `offset` and begins a code point or ends
    /// the text.
    package func codePointOffset(atOrBefore offset: Int) -> Int {
        var offset = Swift.min(Swift.max(offset, 0), utf8.count)
        while offset > 0, !isCodePoint(at: offset) { offset -= 1 }
        return offset
    }

    /// The least offset in bytes of UTF-8 that is at least `offset` and begins a code point or ends
    /// the text.
    package func codePointOffset(atOrAfter offset: Int) -> Int {
        var offset = Swift.min(Swift.max(offset, 0), utf8.count)
        while offset < utf8.count, !isCodePoint(at: offset) { offset += 1 }
        return offset
    }

    /// Whether a byte does not continue a code point; the end of the text is such a place, too.
    private func isCodePoint(at offset: Int) -> Bool {
        offset == utf8.count || utf8[utf8.index(utf8.startIndex, offsetBy: offset)] & 0xC0 != 0x80
    }
}
