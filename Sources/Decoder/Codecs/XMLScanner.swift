/// Splits XML into tags and texts.
struct XMLScanner {
    enum Token {
        case start(name: String, attributes: [(name: String, value: String)], isEmpty: Bool)
        case end(name: String)
        case text(String)
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    private static let mostAttributes = 256
    /// Maximum length of a name in bytes.
    private static let longestName = 256
    /// Maximum length of a text or a value in bytes; longer ones are cut.
    private static let longestText = 8192

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next tag or text; nil at the end.
    mutating func next() throws(XMPReader.Problem) -> Token? {
        while offset < bytes.count {
            guard bytes[offset] == UInt8(ascii: "<") else { return .text(text(until: "<")) }
            if skip("<?", "?>") || skip("<!--", "-->") { continue }
            if bytes[offset...].starts(with: "<![CDATA[".utf8) {
                let start = offset + 9
                guard skip("<![CDATA[", "]]>") else { throw .damaged }
                return .text(Self.string(bytes[start..<(offset - 3)]))
            }
            // All else that begins with "<!" is a declaration: a document type or entities.
            guard !bytes[offset...].starts(with: "<!".utf8) else { throw .declarations }
            return try tag()
        }
        return nil
    }

    /// Skips a construct from `start` to `end`; false if the input does not go on with `start`.
    ///
    /// Also false for CDATA without an end.
    private mutating func skip(_ start: String, _ end: String) -> Bool {
        guard bytes[offset...].starts(with: start.utf8) else { return false }
        var search = offset + start.utf8.count
        let last = Array(end.utf8)
        while search + last.count <= bytes.count {
            if bytes[search..<(search + last.count)].elementsEqual(last) {
                offset = search + last.count
                return true
            }
            search += 1
        }
        // Without an end the rest of the input is skipped.
        if start != "<![CDATA[" { offset = bytes.count }
        return start != "<![CDATA["
    }

    private mutating func tag() throws(XMPReader.Problem) -> Token {
        offset += 1
        if peek == UInt8(ascii: "/") {
            offset += 1
            let name = try name()
            skipSpace()
            try expect(">")
            return .end(name: name)
        }
        let name = try name()
        var attributes: [(name: String, value: String)] = []
        while true {
            skipSpace()
            if peek == UInt8(ascii: "/") {
                offset += 1
                try expect(">")
                return .start(name: name, attributes: attributes, isEmpty: true)
            }
            if peek == UInt8(ascii: ">") {
                offset += 1
                return .start(name: name, attributes: attributes, isEmpty: false)
            }
            guard attributes.count < Self.mostAttributes else { throw .tooMuch }
            attributes.append(try attribute())
        }
    }

    private mutating func attribute() throws(XMPReader.Problem) -> (name: String, value: String) {
        let name = try name()
        skipSpace()
        try expect("=")
        skipSpace()
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw .damaged
        }
        offset += 1
        let value = text(until: Unicode.Scalar(quote))
        guard peek == quote else { throw .damaged }
        offset += 1
        return (name, value)
    }

    private mutating func name() throws(XMPReader.Problem) -> String {
        let ends = Set(" \t\r\n=/>\"'<".utf8)
        let start = offset
        while let byte = peek, !ends.contains(byte) { offset += 1 }
        guard offset > start, offset - start <= Self.longestName else { throw .damaged }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(XMPReader.Problem) {
        guard let byte = peek, byte == UInt8(ascii: character) else { throw .damaged }
        offset += 1
    }

    /// The text up to `end` or to the end of the input, with its references resolved.
    private mutating func text(until end: Unicode.Scalar) -> String {
        let start = offset
        let last = UInt8(ascii: end)
        while let byte = peek, byte != last { offset += 1 }
        return Self.resolved(Self.string(bytes[start..<offset]))
    }

    private static func string(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: bytes.prefix(longestText), as: UTF8.self)
    }

    // MARK: References

    private static let references: [Substring: Unicode.Scalar] = [
        "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]
    private static let longestReference = 12

    /// The text with its references resolved; unknown ones become U+FFFD.
    private static func resolved(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var remaining = text[...]
        while let start = remaining.firstIndex(of: "&") {
            result += remaining[..<start]
            remaining = remaining[remaining.index(after: start)...]
            guard let end = remaining.prefix(longestReference).firstIndex(of: ";") else {
                result += "\u{FFFD}"
                continue
            }
            result.unicodeScalars.append(scalar(remaining[..<end]))
            remaining = remaining[remaining.index(after: end)...]
        }
        return result + remaining
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar {
        if let known = references[name] { return known }
        guard name.first == "#" else { return "\u{FFFD}" }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x"
        let number = UInt32(
            isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10)
        return number.flatMap { Unicode.Scalar($0) } ?? "\u{FFFD}"
    }
}
