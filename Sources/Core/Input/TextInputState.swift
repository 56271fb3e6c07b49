package import Geometry

/// The state of the focused text field, for an input method: what `zwp_text_input_v3` is told.
package struct TextInputState: Hashable, Sendable {
    /// What the field is for; an on-screen keyboard chooses its keys by it.
    package enum Purpose: Hashable, Sendable {
        case normal
        /// A number with its sign and its decimal separator.
        case number
        case digits
        case url
        case email
        case pin
    }

    /// What changed the text or the cursor last.
    package enum ChangeCause: Hashable, Sendable {
        case inputMethod
        /// Keys, pointer, touch or the program.
        case other
    }

    /// Identifies the field.
    ///
    /// Another number enables text input anew, which also brings back an on-screen keyboard that the
    /// user has closed.
    package var field: Int
    package var purpose: Purpose
    /// The text of the field without the pre-edit text.
    package var text: String
    /// The cursor in `text`, in bytes of UTF-8.
    package var cursor: Int
    /// The end of the selection that is not the cursor, in bytes of UTF-8; the cursor if nothing is
    /// selected.
    package var anchor: Int
    /// The cursor on the surface, in logical pixels.
    package var cursorRect: Rect
    package var changeCause: ChangeCause

    package init(
        field: Int = 0, purpose: Purpose = .normal, text: String, cursor: Int,
        anchor: Int? = nil, cursorRect: Rect, changeCause: ChangeCause = .other
    ) {
        self.field = field
        self.purpose = purpose
        self.text = text
        self.cursor = cursor
        self.anchor = anchor ?? cursor
        self.cursorRect = cursorRect
        self.changeCause = changeCause
    }

    /// The state with the text around the cursor alone: at most `limit` bytes of it.
    ///
    /// Positions become valid ones, and U+0000, which would end the text on the wire, a space. A
    /// selection that is too long is cut at its anchor.
    package func excerpt(limit: Int = 4000) -> TextInputState {
        var result = self
        let cursor = text.codePointOffset(atOrBefore: cursor)
        let anchor = text.codePointOffset(atOrBefore: anchor)
        let count = text.utf8.count
        var (low, high) = (0, count)
        if count > limit {
            // The whole selection if it fits, else the part at the cursor; equal margins around it.
            let begin = max(min(cursor, anchor), cursor - limit)
            let end = min(max(cursor, anchor), begin + limit)
            let margin = (limit - (end - begin)) / 2
            low = min(max(begin - margin, 0), count - limit)
            high = text.codePointOffset(atOrBefore: low + limit)
            low = text.codePointOffset(atOrAfter: low)
        }
        let bytes = text.utf8.dropFirst(low).prefix(high - low).map { $0 == 0 ? 0x20 : $0 }
        result.text = String(decoding: bytes, as: UTF8.self)
        result.cursor = min(max(cursor, low), high) - low
        result.anchor = min(max(anchor, low), high) - low
        return result
    }
}
