/// Resolves references to characters and to the five predefined entities.
enum XMLReferences {
    private static let predefined: [Substring: Unicode.Scalar] = [
        "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]
    /// Maximum length of a reference in characters, with its semicolon.
    private static let longest = 12

    /// The text with its references resolved; unknown references become U+FFFD.
    static func resolve(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var remaining = text[...]
        while let start = remaining.firstIndex(of: "&") {
            result += remaining[..<start]
            remaining = remaining[remaining.index(after: start)...]
            guard let end = remaining.prefix(longest).firstIndex(of: ";") else {
                result += "\u{FFFD}"
                continue
            }
            result.unicodeScalars.append(scalar(remaining[..<end]))
            remaining = remaining[remaining.index(after: end)...]
        }
        return result + remaining
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar {
        if let known = predefined[name] { return known }
        guard name.first == "#" else { return "\u{FFFD}" }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x"
        let number = UInt32(
            isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10)
        return number.flatMap { Unicode.Scalar($0) } ?? "\u{FFFD}"
    }
}
