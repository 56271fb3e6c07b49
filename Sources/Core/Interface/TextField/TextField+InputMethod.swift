package import Geometry
package import Input

extension TextField {
    /// Applies a change by an input method; returns whether text, cursor or pre-edit text changed.
    package mutating func handle(_ input: TextInputEvent) -> Bool {
        let before = self
        preedit = nil
        deleteSurroundings(input.deletionBefore, input.deletionAfter)
        if !input.commit.isEmpty { insert(input.commit) }
        if let composed = input.preedit, !composed.text.isEmpty {
            deleteSelection()
            preedit = shortened(composed)
        }
        changeCause = before.changeCause
        guard self != before else { return false }
        changeCause = .inputMethod
        return true
    }

    /// Deletes bytes of UTF-8 before and after the selection, which stays.
    ///
    /// A code point is deleted only as a whole.
    private mutating func deleteSurroundings(_ before: Int, _ after: Int) {
        guard before > 0 || after > 0 else { return }
        let low = byteOffset(of: selection.lowerBound)
        let high = byteOffset(of: selection.upperBound)
        let (cursorByte, anchorByte) = (byteOffset(of: cursor), byteOffset(of: anchor))
        let begin = text.codePointOffset(atOrAfter: low - min(before, low))
        let end = text.codePointOffset(atOrBefore: high + min(after, text.utf8.count - high))
        replace(high..<max(end, high), with: "")
        replace(min(begin, low)..<low, with: "")
        let deleted = low - min(begin, low)
        cursor = position(atOrAfter: cursorByte - deleted)
        anchor = position(atOrAfter: anchorByte - deleted)
    }

    /// The most grapheme clusters of a pre-edit text: a few sentences, which are measured with each change.
    private static let longestPreedit = 64

    /// The pre-edit text as the field shows it: one line of a limited length.
    private func shortened(_ composed: TextInputEvent.Preedit) -> Preedit? {
        let longest = min(limit, Self.longestPreedit)
        let mostScalars = longest * Self.scalarsPerCluster
        func line(_ text: Substring) -> String {
            String(Self.singleLine(text.unicodeScalars.prefix(mostScalars)).prefix(longest))
        }
        /// The place in the shown text; clearing and shortening do not depend on what follows.
        func place(_ offset: Int) -> Int {
            let offset = composed.text.codePointOffset(atOrBefore: offset)
            let end = composed.text.utf8.index(composed.text.startIndex, offsetBy: offset)
            return line(composed.text[..<end]).utf8.count
        }
        let cursor = composed.cursor.map { place($0.lowerBound)..<place($0.upperBound) }
        return Preedit(text: line(composed.text[...]), cursor: cursor)
    }

    /// The state of the field for an input method; `cursorRect` is the cursor on the surface, in
    /// logical pixels.
    package func inputState(
        field: Int, purpose: TextInputState.Purpose = .normal, cursorRect: Rect
    ) -> TextInputState {
        TextInputState(
            field: field, purpose: purpose, text: text, cursor: byteOffset(of: cursor),
            anchor: byteOffset(of: anchor), cursorRect: cursorRect, changeCause: changeCause)
    }
}
