/// Cuts XML into tags and texts.
struct XMLScanner {
    enum Token {
        case start(name: String, attributes: [(name: String, value: String)], isEmpty: Bool)
        case end(name: String)
        case text(String)
    }

    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    private static let mostAttributes = 256
    /// Of a name, in bytes.
    private static let longestName = 256
    /// Texts and values are cut here, in bytes.
    private static let longestText = 8192

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next tag or text; nil at the end.
    mutating func next() throws(XMPReader.Problem) -> Token? {
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "<") else { return .text(text(until: "<")) }
            if skips("<?", "?>") || skips("<!--", "-->") { continue }
            if bytes[place...].starts(with: "<![CDATA[".utf8) {
                let start = place + 9
                guard skips("<![CDATA[", "]]>") else { throw .damaged }
                return .text(Self.string(bytes[start..<(place - 3)]))
            }
            // What else begins so declares something: a document type, entities.
            guard !bytes[place...].starts(with: "<!".utf8) else { throw .declarations }
            return try tag()
        }
        return nil
    }

    /// Goes past what begins with `start` and ends with `end`, if it is here.
    private mutating func skips(_ start: String, _ end: String) -> Bool {
        guard bytes[place...].starts(with: start.utf8) else { return false }
        var search = place + start.utf8.count
        let last = Array(end.utf8)
        while search + last.count <= bytes.count {
            if bytes[search..<(search + last.count)].elementsEqual(last) {
                place = search + last.count
                return true
            }
            search += 1
        }
        // It never ends: nothing else comes.
        if start != "<![CDATA[" { place = bytes.count }
        return start != "<![CDATA["
    }

    private mutating func tag() throws(XMPReader.Problem) -> Token {
        place += 1
        if peek == UInt8(ascii: "/") {
            place += 1
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
                place += 1
                try expect(">")
                return .start(name: name, attributes: attributes, isEmpty: true)
            }
            if peek == UInt8(ascii: ">") {
                place += 1
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
        place += 1
        let value = text(until: Unicode.Scalar(quote))
        guard peek == quote else { throw .damaged }
        place += 1
        return (name, value)
    }

    private mutating func name() throws(XMPReader.Problem) -> String {
        let ends = Set(" \t\r\n=/>\"'<".utf8)
        let start = place
        while let byte = peek, !ends.contains(byte) { place += 1 }
        guard place > start, place - start <= Self.longestName else { throw .damaged }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(XMPReader.Problem) {
        guard let byte = peek, byte == UInt8(ascii: character) else { throw .damaged }
        place += 1
    }

    /// Everything up to `end` or the end of all.
    private mutating func text(until end: Unicode.Scalar) -> String {
        let start = place
        let last = UInt8(ascii: end)
        while let byte = peek, byte != last { place += 1 }
        return Self.resolved(Self.string(bytes[start..<place]))
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
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[rest.index(after: start)...]
            guard let end = rest.prefix(longestReference).firstIndex(of: ";") else {
                result += "\u{FFFD}"
                continue
            }
            result.unicodeScalars.append(scalar(rest[..<end]))
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
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
