import ImageTypes
import Localization

/// The messages of the libraries, in words for a person.
///
/// What is understandable English stays; codes, addresses and the names of error domains go.
enum LibraryMessage {
    /// A damaged file; `text` is the message of the library that refuses the file.
    static func damaged(_ text: some StringProtocol) -> DecodeFailure {
        .damaged(reason: readable(text))
    }

    /// Beginnings of messages that say little or nothing, and what they mean.
    private static let meanings: [(start: String, meaning: String)] = [
        ("IDAT stream error", localized("the compressed pixels are corrupt")),
        ("non-recoverable state", localized("a part before the pixels is corrupt")),
        ("A marker ID was expected", localized("a marker is missing")),
        (
            "Error with SIZ marker: IHDR",
            localized("the size in the header contradicts the size of the data")
        ),
        (
            "Error with SIZ marker: negative or zero",
            localized("the size in the header is out of range")
        ),
        ("Error with SIZ marker", localized("the size in the header is invalid")),
        ("Decoder plugin generated an error", localized("the compressed pixels are corrupt")),
        ("Not a JPEG file", localized("the start of a JPEG is missing")),
        ("PCDATA invalid Char", localized("a character is invalid")),
        ("Input is not proper UTF-8", localized("the text is not UTF-8")),
    ]

    /// Words before a message that add nothing to "the file is damaged".
    private static let prefixes = [
        "XML parse error: ", "Invalid input: ", "Unspecified: ", "Invalid JPEG file structure: ",
        "Malformed JP2 file format: ", "Error: ",
    ]

    /// The message without codes; a general one if nothing readable is left.
    static func readable(_ text: some StringProtocol) -> String {
        var (message, place) = withoutDomain(firstLine(text))
        while let prefix = prefixes.first(where: { message.hasPrefix($0) }) {
            (message, place) = withoutDomain(
                String(message.dropFirst(prefix.count)), behind: place)
        }
        message = meanings.first { message.hasPrefix($0.start) }?.meaning ?? withoutCodes(message)
        while message.last == "." || message.last == " " || message.last == ":" {
            message.removeLast()
        }
        guard message.contains(where: \.isLetter) else {
            return place + localized("the data are invalid")
        }
        return place + lowercased(message)
    }

    /// Libraries end a message with a line feed, and go on with dumps of bytes.
    private static func firstLine(_ text: some StringProtocol) -> String {
        let lines = text.split { $0.isNewline }
        return lines.first.map { String($0) } ?? ""
    }

    /// Separates the place in the text of a drawing from a message of GLib or libxml2.
    ///
    /// "Error domain 1 code 5 on line 1 column 47 of data: …" and "error code=99 (3) in (null):1:40:
    /// …" become "line 1, column 47: ".
    private static func withoutDomain(
        _ message: String, behind place: String = ""
    ) -> (message: String, place: String) {
        guard message.hasPrefix("Error domain ") || message.hasPrefix("error code=") else {
            return (message, place)
        }
        let separator = message.hasPrefix("Error") ? " of data: " : "(null):"
        guard let range = firstRange(of: separator, in: message) else {
            return (message, place)
        }
        if separator == "(null):" {
            let parts = message[range.upperBound...].split(
                separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let line = Int(parts[0]), let column = Int(parts[1]) else {
                return (message, place)
            }
            let rest = parts[2].drop { $0 == " " }
            return (String(rest), "line \(line), column \(column): ")
        }
        let words = message[..<range.lowerBound].split(separator: " ")
        guard words.count >= 4, let column = Int(words[words.count - 1]),
            let line = Int(words[words.count - 3])
        else { return (message, place) }
        return (String(message[range.upperBound...]), "line \(line), column \(column): ")
    }

    private static func firstRange(of part: String, in text: String) -> Range<String.Index>? {
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].hasPrefix(part) {
                return start..<text.index(start, offsetBy: part.count)
            }
            start = text.index(after: start)
        }
        return nil
    }

    /// Drops hexadecimal numbers, null pointers and codes in parentheses.
    private static func withoutCodes(_ message: String) -> String {
        let words = message.split(separator: " ").filter { word in
            let bare = word.drop { "([<".contains($0) }
            return !bare.hasPrefix("0x") && !bare.hasPrefix("code=") && !bare.hasPrefix("(null)")
                && !bare.hasPrefix("null)")
        }
        return words.joined(separator: " ")
    }

    /// The message in lower case after "the file is damaged:", unless it begins with an abbreviation.
    private static func lowercased(_ message: String) -> String {
        let isWord = message.dropFirst().first.map { $0.isLowercase || $0 == " " } ?? false
        return isWord ? message.prefix(1).lowercased() + message.dropFirst() : message
    }
}
