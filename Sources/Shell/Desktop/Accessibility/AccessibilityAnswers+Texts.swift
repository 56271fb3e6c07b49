import Interface

/// The interfaces `Text` and `EditableText` of fields.
extension AccessibilityAnswers {
    /// Offsets count code points; −1 is the end.
    func text(
        _ method: String, _ node: AccessibleTree.Node, _ arguments: [BusValue]
    ) -> [BusValue]? {
        let scalars = Array((node.text ?? "").withoutNull.unicodeScalars)
        if (method, arguments.count) == ("GetNSelections", 0) {
            return [.short(node.selection == nil ? 0 : 1)]
        }
        guard let offset = arguments.first?.integer else { return nil }
        switch method {
        case "GetText":
            guard arguments.count == 2, let end = arguments[1].integer else { return nil }
            let last = end < 0 ? scalars.count : min(end, scalars.count)
            return [.text(Self.text(scalars[min(max(offset, 0), last)..<last]))]
        case "GetStringAtOffset", "GetTextAtOffset":
            guard arguments.count == 2, let code = arguments[1].integer else { return nil }
            let unit =
                method == "GetTextAtOffset" ? TextUnit(boundary: code) : TextUnit(granularity: code)
            let part = Self.part(of: scalars, at: offset, unit)
            return [
                .text(Self.text(scalars[part])), .short(Int32(clamping: part.lowerBound)),
                .short(Int32(clamping: part.upperBound)),
            ]
        case "GetCharacterAtOffset":
            guard scalars.indices.contains(offset) else { return [.short(0)] }
            return [.short(Int32(clamping: scalars[offset].value))]
        case "GetSelection":
            let part = offset == 0 ? node.selection ?? 0..<0 : 0..<0
            return [
                .short(Int32(clamping: part.lowerBound)), .short(Int32(clamping: part.upperBound)),
            ]
        default: return nil
        }
    }

    /// The parts of a line of text that a call can ask for.
    private enum TextUnit {
        case character, word, line

        /// By `Atspi.TextGranularity`; a sentence and a paragraph are the line.
        init(granularity code: Int) {
            switch code {
            case ...0: self = .character
            case 1: self = .word
            default: self = .line
            }
        }

        /// By `Atspi.TextBoundaryType`, which has the start and the end of a word apart.
        init(boundary code: Int) { self = code == 2 ? .word : TextUnit(granularity: code) }
    }

    /// The part about an offset; a word has the spaces after it.
    private static func part(
        of scalars: [Unicode.Scalar], at offset: Int, _ unit: TextUnit
    ) -> Range<Int> {
        if unit == .line { return 0..<scalars.count }
        guard scalars.indices.contains(offset) else { return scalars.count..<scalars.count }
        if unit == .character { return cluster(of: scalars, at: offset) }
        func isSpace(_ index: Int) -> Bool { scalars[index].properties.isWhitespace }
        func begins(_ index: Int) -> Bool {
            index == 0 || isSpace(index - 1) && !isSpace(index)
        }
        let start = (0...offset).last(where: begins) ?? 0
        let end = ((offset + 1)..<scalars.count).first(where: begins)
        return start..<(end ?? scalars.count)
    }

    /// The code points of what a person sees as one character.
    private static func cluster(of scalars: [Unicode.Scalar], at offset: Int) -> Range<Int> {
        var start = 0
        for character in text(scalars[...]) {
            let end = start + character.unicodeScalars.count
            if offset < end { return start..<end }
            start = end
        }
        return offset..<(offset + 1)
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    // MARK: Caret

    /// The answer to a call that moves the caret or selects a part; nil for other calls.
    func changeText(
        _ method: String, _ node: AccessibleTree.Node, _ arguments: [BusValue]
    ) -> Answer? {
        let numbers = arguments.map(\.integer)
        func select(_ anchor: Int?, _ caret: Int?) -> Answer? {
            guard let anchor, let caret else { return nil }
            guard node.caret != nil else { return Answer(value: .tuple([.bool(false)])) }
            return Answer(
                value: .tuple([.bool(true)]),
                request: .setSelection(anchor: anchor, caret: caret, node.id))
        }
        switch (method, numbers.count) {
        case ("SetCaretOffset", 1): return select(numbers[0], numbers[0])
        case ("AddSelection", 2): return select(numbers[0], numbers[1])
        case ("SetSelection", 3):
            return numbers[0] == 0 ? select(numbers[1], numbers[2]) : nil
        case ("RemoveSelection", 1):
            return numbers[0] == 0 && node.selection != nil ? select(node.caret, node.caret) : nil
        default: return nil
        }
    }

    // MARK: Changes

    func edit(
        _ method: String, _ node: AccessibleTree.Node, _ arguments: [BusValue]
    ) -> Answer? {
        let scalars = Array((node.text ?? "").unicodeScalars)
        func place(_ index: Int) -> Int? {
            guard index < arguments.count else { return nil }
            return arguments[index].integer.map { min(max($0, 0), scalars.count) }
        }
        let new: String
        switch method {
        case "SetTextContents":
            guard arguments.count == 1, let text = arguments[0].text else { return nil }
            new = text
        case "InsertText":
            guard let at = place(0), arguments.count == 3, let text = arguments[1].text else {
                return nil
            }
            new = Self.text(scalars[..<at]) + text + Self.text(scalars[at...])
        case "DeleteText":
            guard let start = place(0), let end = place(1), start <= end else { return nil }
            new = Self.text(scalars[..<start]) + Self.text(scalars[end...])
        default: return nil
        }
        guard new.utf8.count <= Self.longestText else { return nil }
        return Answer(value: .tuple([.bool(true)]), request: .setText(new, node.id))
    }
}
