/// Texts in the columns of a terminal.
enum TerminalText {
    /// The columns that a text takes: letters of Chinese, Japanese and Korean take two.
    static func width(of text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
    }

    /// The parts of a text between which a line may end, with their spaces at the end.
    ///
    /// A line ends at spaces, and beside letters of Chinese and Japanese, which are written without spaces.
    static func parts(of text: String) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        for (index, next) in zip(text.indices, text.indices.dropFirst()) {
            let (last, first) = (text[index], text[next])
            let isBreak =
                last == " "
                ? first != " "
                : first != " " && (isIdeographic(last) || isIdeographic(first))
                    && !opening.contains(last) && !closing.contains(first)
            guard isBreak else { continue }
            parts.append(text[start..<next])
            start = next
        }
        if start < text.endIndex { parts.append(text[start...]) }
        return parts
    }

    /// No line ends after these signs.
    private static let opening: Set<Character> = ["（", "「", "『", "《", "〈", "【", "“", "‘", "(", "["]
    /// No line begins with these signs and small letters.
    private static let closing: Set<Character> = [
        "、", "。", "，", "．", "；", "：", "！", "？", "）", "」", "』", "》", "〉", "】", "”", "’", ")", "]",
        ",",
        ".", ";", ":", "!", "?", "…", "%", "ー", "々", "ゝ", "ぁ", "ぃ", "ぅ", "ぇ", "ぉ", "っ", "ゃ", "ゅ",
        "ょ",
        "ァ", "ィ", "ゥ", "ェ", "ォ", "ッ", "ャ", "ュ", "ョ", "・",
    ]

    /// The blocks of Unicode whose letters are wide (Unicode Standard Annex 11) and stand without spaces.
    private static let ideographic: [ClosedRange<UInt32>] = [
        0x2E80...0x303E, 0x3041...0xA4CF, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
    /// The other blocks whose letters are wide: Hangul, and emoji.
    private static let otherWide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0xA960...0xA97F, 0xAC00...0xD7A3, 0x1F300...0x1FAFF,
    ]

    private static func isWide(_ character: Character) -> Bool {
        isIdeographic(character) || isIn(otherWide, character)
    }

    private static func isIdeographic(_ character: Character) -> Bool {
        isIn(ideographic, character)
    }

    private static func isIn(_ blocks: [ClosedRange<UInt32>], _ character: Character) -> Bool {
        let value = character.unicodeScalars.first?.value ?? 0
        return blocks.contains { $0.contains(value) }
    }
}
