/// Splits a document into tags and texts, and checks that its elements are nested correctly.
///
/// Made for hostile input: every size is limited, document types are rejected and entities are never
/// expanded, so that a small document cannot become a large text. Supported are elements,
/// attributes, comments, CDATA sections, processing instructions (skipped), references to characters
/// and to the five predefined entities. Sources: XML 1.0, chapters 2 and 3.
package struct XMLScanner {
    /// Maximum length of a document in bytes.
    package static let mostBytes = 1 << 20
    package static let mostElements = 20_000
    package static let mostOpenElements = 64
    /// Maximum number of attributes of one element.
    package static let mostAttributes = 256
    /// Maximum length of a name in bytes.
    package static let longestName = 256
    /// Maximum length of a text or a value in bytes; longer ones are cut.
    package static let longestText = 8192

    /// Line of the next byte, from 1.
    package private(set) var line = 1

    private let bytes: [UInt8]
    private let isTooLong: Bool
    private var offset = 0
    private var elements = 0
    /// Names of the open elements, outermost first.
    private var open: [String] = []
    /// Whether the last tag was an empty element, whose end is the next token.
    private var isEndDue = false
    /// The construct that the end of the document interrupts.
    private var unterminated: String?

    /// Reads a copy of `bytes`, which are UTF-8.
    package init(_ bytes: some Collection<UInt8>) {
        isTooLong = bytes.count > Self.mostBytes
        self.bytes = isTooLong ? [] : Array(bytes)
    }

    /// The next tag or text; nil at the end of a document without an open element.
    ///
    /// A comment or processing instruction without an end lasts to the end of the document.
    package mutating func next() throws(XMLError) -> XMLToken? {
        if isEndDue {
            isEndDue = false
            return try endElement(open[open.count - 1])
        }
        if offset == 0 { try checkDocument() }
        while offset < bytes.count {
            guard peek == UInt8(ascii: "<") else { return .text(text(until: UInt8(ascii: "<"))) }
            if skip(.instruction) || skip(.comment) { continue }
            if isNext(Construct.section.start) { return try section() }
            // All else that begins with "<!" is a declaration: a document type or entities.
            guard !isNext(Array("<!".utf8)) else { throw error(.declarations) }
            return try tag()
        }
        guard open.isEmpty else {
            throw malformed(unterminated.map { "unterminated " + $0 } ?? Self.unexpectedEnd)
        }
        return nil
    }

    /// The message for a document that ends too early.
    package static let unexpectedEnd = "unexpected end of the document"

    private func checkDocument() throws(XMLError) {
        guard !isTooLong else { throw error(.tooLong) }
        // UTF-16 and UTF-32 contain zeros, or begin with a byte order mark.
        guard bytes.first != 0xFE, bytes.first != 0xFF, !bytes.prefix(2).contains(0) else {
            throw error(.encoding)
        }
    }

    // MARK: Markup

    /// Skips a construct; false if the document does not go on with its start.
    private mutating func skip(_ construct: Construct) -> Bool {
        guard isNext(construct.start) else { return false }
        if let end = firstOffset(of: construct.end, from: offset + construct.start.count) {
            advance(to: end + construct.end.count)
        } else {
            advance(to: bytes.count)
            unterminated = construct.name
        }
        return true
    }

    private mutating func section() throws(XMLError) -> XMLToken {
        let construct = Construct.section
        let start = offset + construct.start.count
        guard let end = firstOffset(of: construct.end, from: start) else {
            throw malformed("unterminated \(construct.name)")
        }
        advance(to: end + construct.end.count)
        return .text(Self.string(bytes[start..<end]))
    }

    private mutating func tag() throws(XMLError) -> XMLToken {
        let line = line
        offset += 1
        if consume(UInt8(ascii: "/")) {
            let name = try name()
            skipSpace()
            try require(consume(UInt8(ascii: ">")), "unterminated end tag")
            return try endElement(name)
        }
        let name = try name()
        var attributes: [XMLToken.Attribute] = []
        skipSpace()
        while let byte = peek, byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") {
            guard attributes.count < Self.mostAttributes else { throw error(.tooMuch) }
            attributes.append(try attribute())
            skipSpace()
        }
        let isEmpty = consume(UInt8(ascii: "/"))
        try require(consume(UInt8(ascii: ">")), "unterminated start tag")
        try startElement(name)
        isEndDue = isEmpty
        return .start(XMLToken.StartTag(name: name, attributes: attributes, line: line))
    }

    private mutating func startElement(_ name: String) throws(XMLError) {
        elements += 1
        guard elements <= Self.mostElements else { throw error(.tooMuch) }
        guard open.count < Self.mostOpenElements else { throw error(.tooDeep) }
        open.append(name)
    }

    private mutating func endElement(_ name: String) throws(XMLError) -> XMLToken {
        try require(open.last == name, "end tag without a matching start tag")
        open.removeLast()
        return .end(name: name)
    }

    private mutating func attribute() throws(XMLError) -> XMLToken.Attribute {
        let name = try name()
        skipSpace()
        try require(consume(UInt8(ascii: "=")), "missing '=' after '\(name)'")
        skipSpace()
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw malformed("missing quoted value")
        }
        offset += 1
        let value = text(until: quote)
        try require(consume(quote), "unterminated value")
        return XMLToken.Attribute(name: name, value: value)
    }

    private mutating func name() throws(XMLError) -> String {
        let start = offset
        while let byte = peek, !Self.nameEnds.contains(byte) { offset += 1 }
        try require(offset > start, "missing name")
        try require(offset - start <= Self.longestName, "name too long")
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private static let nameEnds = Array(" \t\r\n=/>\"'<".utf8)

    /// The text up to the byte `end` or to the end of the document, with its references resolved.
    private mutating func text(until end: UInt8) -> String {
        let start = offset
        advance(to: bytes[offset...].firstIndex(of: end) ?? bytes.count)
        return XMLReferences.resolve(Self.string(bytes[start..<offset]))
    }

    private static func string(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix(longestText), as: UTF8.self)
    }

    // MARK: The cursor

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func isNext(_ text: [UInt8]) -> Bool { bytes[offset...].starts(with: text) }

    private func firstOffset(of text: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        return (start..<bytes.count).first {
            bytes[$0] == text[0] && bytes[$0...].starts(with: text)
        }
    }

    private mutating func advance(to end: Int) {
        for byte in bytes[offset..<end] where byte == UInt8(ascii: "\n") { line += 1 }
        offset = end
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        advance(to: bytes[offset...].firstIndex { !space.contains($0) } ?? bytes.count)
    }

    // MARK: Errors

    private func require(_ holds: Bool, _ message: @autoclosure () -> String) throws(XMLError) {
        guard holds else { throw malformed(message()) }
    }

    private func malformed(_ message: String) -> XMLError { error(.malformed(message)) }

    private func error(_ problem: XMLError.Problem) -> XMLError {
        XMLError(problem, line: line)
    }
}

/// Markup with a fixed start and end.
private struct Construct {
    let start: [UInt8]
    let end: [UInt8]
    let name: String

    private init(_ start: String, _ end: String, _ name: String) {
        self.start = Array(start.utf8)
        self.end = Array(end.utf8)
        self.name = name
    }

    static let instruction = Self("<?", "?>", "declaration")
    static let comment = Self("<!--", "-->", "comment")
    static let section = Self("<![CDATA[", "]]>", "CDATA section")
}
