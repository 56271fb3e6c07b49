/// Reads the subset of XML that protocol descriptions use: elements, attributes, comments,
/// declarations and the predefined entities.
///
/// Text is skipped, since bindings do not need the prose of a description.
struct XMLReader {
    private let file: String
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    /// Parses `bytes` and returns the root element; `file` is the name in error messages.
    static func read(_ bytes: [UInt8], file: String) throws(GeneratorError) -> XMLElement {
        var reader = XMLReader(file: file, bytes: bytes)
        return try reader.readDocument()
    }

    private init(file: String, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
    }

    private mutating func readDocument() throws(GeneratorError) -> XMLElement {
        var open: [XMLElement] = []
        while skip(past: "<") {
            if starts(with: "!--") {
                try require(skip(past: "-->"), "unterminated comment")
            } else if starts(with: "![CDATA[") {
                try require(skip(past: "]]>"), "unterminated CDATA section")
            } else if starts(with: "?") || starts(with: "!") {
                try require(skip(past: ">"), "unterminated declaration")
            } else if starts(with: "/") {
                position += 1
                guard let element = open.popLast(), try readName() == element.name else {
                    throw error("end tag without a matching start tag")
                }
                try require(skip(past: ">"), "unterminated end tag")
                if open.isEmpty { return element }
                open[open.count - 1].children.append(element)
            } else {
                let (element, isEmpty) = try readStartTag()
                if !isEmpty {
                    open.append(element)
                } else if open.isEmpty {
                    return element
                } else {
                    open[open.count - 1].children.append(element)
                }
            }
        }
        throw error("unexpected end of the document")
    }

    /// Reads the start tag after its `<`; returns the element, and whether the tag ends with `/>`.
    private mutating func readStartTag() throws(GeneratorError) -> (XMLElement, isEmpty: Bool) {
        var element = XMLElement(name: try readName(), line: line)
        while true {
            skipSpace()
            if starts(with: "/>") {
                position += 2
                return (element, true)
            }
            if starts(with: ">") {
                position += 1
                return (element, false)
            }
            let name = try readName()
            skipSpace()
            try require(starts(with: "="), "missing '=' after '\(name)'")
            position += 1
            skipSpace()
            element.attributes[name] = try readValue()
        }
    }

    private mutating func readName() throws(GeneratorError) -> String {
        let start = position
        while let byte = current, !" \t\r\n=/<>\"'".utf8.contains(byte) { position += 1 }
        try require(position > start, "missing name")
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readValue() throws(GeneratorError) -> String {
        guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw error("missing quoted value")
        }
        position += 1
        let start = position
        while let byte = current, byte != quote { advance(over: byte) }
        try require(current == quote, "unterminated value")
        defer { position += 1 }
        return try decode(bytes[start..<position])
    }

    /// Resolves the predefined entities.
    private func decode(_ raw: ArraySlice<UInt8>) throws(GeneratorError) -> String {
        let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        let parts = raw.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var text = String(decoding: parts.first ?? [], as: UTF8.self)
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: UInt8(ascii: ";")),
                let value = entities[String(decoding: part[..<end], as: UTF8.self)]
            else { throw error("unknown entity") }
            text += value + String(decoding: part[(end + 1)...], as: UTF8.self)
        }
        return text
    }

    // MARK: The cursor

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func advance(over byte: UInt8) {
        if byte == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private mutating func skipSpace() {
        while let byte = current, " \t\r\n".utf8.contains(byte) { advance(over: byte) }
    }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    /// Moves behind the next `text`; without one, moves to the end of the input and returns false.
    private mutating func skip(past text: StaticString) -> Bool {
        while let byte = current {
            if starts(with: text) {
                position += text.utf8CodeUnitCount
                return true
            }
            advance(over: byte)
        }
        return false
    }

    private func require(_ holds: Bool, _ message: String) throws(GeneratorError) {
        guard holds else { throw error(message) }
    }

    private func error(_ message: String) -> GeneratorError {
        GeneratorError(message, file: file, line: line)
    }
}
