import Input

/// A text field as assistive technology sees it.
package struct TextFieldDescription: Hashable, Sendable {
    /// A place in the text, in the units that interfaces count in.
    package struct Offset: Hashable, Sendable {
        /// Bytes of UTF-8.
        package let bytes: Int
        /// Code points, as AT-SPI counts.
        package let scalars: Int
        /// Grapheme clusters.
        package let clusters: Int

        package init(bytes: Int, scalars: Int, clusters: Int) {
            self.bytes = bytes
            self.scalars = scalars
            self.clusters = clusters
        }
    }

    /// The displayed text, with the pre-edit text.
    package let text: String
    /// The cursor in `text`.
    package let caret: Offset
    /// The selected part of `text`; nil if nothing is selected.
    package let selection: Range<Offset>?
}

extension TextFieldDescription.Offset: Comparable {
    package static func < (a: Self, b: Self) -> Bool { a.bytes < b.bytes }
}

extension TextField {
    /// Moves cursor and anchor to places that count code points, or to the next ones between clusters.
    package mutating func select(fromScalar anchor: Int, toScalar cursor: Int) {
        func position(_ place: Int) -> Int {
            let before = text.unicodeScalars.prefix(min(max(place, 0), text.unicodeScalars.count))
            return self.position(atOrAfter: String(before).utf8.count)
        }
        select(from: position(anchor), to: position(cursor))
    }

    /// The field as assistive technology sees it.
    package var description: TextFieldDescription {
        let shown = displayText
        func offset(_ bytes: Int) -> TextFieldDescription.Offset {
            let bytes = shown.codePointOffset(atOrBefore: bytes)
            let end = shown.utf8.index(shown.startIndex, offsetBy: bytes)
            let before = String(shown.unicodeScalars[..<end])
            return .init(
                bytes: bytes, scalars: before.unicodeScalars.count, clusters: before.count)
        }
        let inner = preedit.map { $0.cursor?.upperBound ?? $0.text.utf8.count } ?? 0
        let range = byteOffset(of: selection.lowerBound)..<byteOffset(of: selection.upperBound)
        return TextFieldDescription(
            text: shown, caret: offset(byteOffset(of: cursor) + inner),
            selection: range.isEmpty || preedit != nil
                ? nil : offset(range.lowerBound)..<offset(range.upperBound))
    }
}
