import Localization

/// The four kinds of strings.
extension TOMLReader {
    private static let quote = UInt8(ascii: "\"")
    private static let apostrophe = UInt8(ascii: "'")

    /// `"text"`, with escapes.
    mutating func readBasicString() throws(Fault) -> String {
        let start = position
        position += 1
        var content: [UInt8] = []
        while let byte = next, byte != Self.quote {
            guard !byte.isControl else { throw open(byte, from: start) }
            if byte == UInt8(ascii: "\\") {
                try readEscape(into: &content)
            } else {
                content.append(byte)
                position += 1
            }
        }
        return try finish(content, from: start, length: 1)
    }

    /// `'text'`, as it stands.
    mutating func readLiteralString() throws(Fault) -> String {
        let start = position
        position += 1
        while let byte = next, byte != Self.apostrophe {
            guard !byte.isControl else { throw open(byte, from: start) }
            position += 1
        }
        return try finish(Array(bytes[(start + 1)..<position]), from: start, length: 1)
    }

    /// `"""text"""`, with line breaks and escapes.
    mutating func readLongBasicString() throws(Fault) -> String {
        let start = position
        position += 3
        _ = skipLineBreak()
        var content: [UInt8] = []
        while let byte = next, !endLong(Self.quote, &content) {
            if byte == UInt8(ascii: "\\") {
                if !skipBrokenLine() { try readEscape(into: &content) }
            } else {
                try copy(byte, into: &content, from: start)
            }
        }
        return try finish(content, from: start, length: 3)
    }

    /// `'''text'''`, with line breaks.
    mutating func readLongLiteralString() throws(Fault) -> String {
        let start = position
        position += 3
        _ = skipLineBreak()
        var content: [UInt8] = []
        while let byte = next, !endLong(Self.apostrophe, &content) {
            try copy(byte, into: &content, from: start)
        }
        return try finish(content, from: start, length: 3)
    }

    /// Goes to the three quotes that end a string, if they follow; up to two more before them belong to
    /// the string.
    private mutating func endLong(_ quote: UInt8, _ content: inout [UInt8]) -> Bool {
        var count = 0
        while count < 5, byte(count) == quote { count += 1 }
        guard count >= 3 else { return false }
        content += [UInt8](repeating: quote, count: count - 3)
        position += count - 3
        return true
    }

    /// Copies a byte of a string of several lines; line breaks stay as they are.
    private mutating func copy(
        _ byte: UInt8, into content: inout [UInt8], from start: Int
    ) throws(Fault) {
        let isBreak =
            byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r") && self.byte(1) == UInt8(ascii: "\n")
        guard isBreak || !byte.isControl else {
            throw fault(localized("the text has a control character; write it as an escape"))
        }
        content.append(byte)
        position += 1
    }

    private func open(_ byte: UInt8, from start: Int) -> Fault {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            ? Fault(position: start, reason: localized("the quote that ends the text is missing"))
            : fault(localized("the text has a control character; write it as an escape"))
    }

    /// Ends a string at its last quotes.
    private mutating func finish(
        _ content: [UInt8], from start: Int, length: Int
    ) throws(Fault) -> String {
        guard position + length <= bytes.count else {
            throw Fault(
                position: start,
                reason: length == 1
                    ? localized("the quote that ends the text is missing")
                    : localized("the three quotes that end the text are missing"))
        }
        position += length
        guard let text = String(validating: content, as: UTF8.self) else {
            throw Fault(position: start, reason: localized("the text is not valid UTF-8"))
        }
        return text
    }

    /// Skips a backslash at the end of a line, and the blanks and line breaks after it.
    private mutating func skipBrokenLine() -> Bool {
        let start = position
        position += 1
        skipBlanks()
        guard skipLineBreak() else {
            position = start
            return false
        }
        repeat { skipBlanks() } while skipLineBreak()
        return true
    }

    private mutating func readEscape(into content: inout [UInt8]) throws(Fault) {
        guard let letter = byte(1) else {
            throw fault(localized("the quote that ends the text is missing"))
        }
        switch letter {
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): content.append(letter)
        case UInt8(ascii: "u"): return try readScalar(digits: 4, into: &content)
        case UInt8(ascii: "U"): return try readScalar(digits: 8, into: &content)
        default:
            throw fault(
                localized(
                    "there is no such escape; a backslash itself is \\\\, or use single quotes"))
        }
        position += 2
    }

    private mutating func readScalar(
        digits: Int, into content: inout [UInt8]
    ) throws(Fault) {
        let range = (position + 2)..<(position + 2 + digits)
        guard range.upperBound <= bytes.count,
            bytes[range].allSatisfy({ ($0 as UInt8).isHexDigit }),
            let number = UInt32(String(decoding: bytes[range], as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(number)
        else { throw fault(localized("the escape is not the number of a character")) }
        content += Array(String(Character(scalar)).utf8)
        position = range.upperBound
    }
}

extension UInt8 {
    var isHexDigit: Bool {
        isDigit || (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "f")
    }
}
