/// Reads a text of JSON (RFC 8259) from an untrusted peer, with limits.
///
/// Stricter than the RFC where it leaves the choice: a name occurs once in an object, and half of a
/// surrogate pair is an error.
package struct JSONReader {
    /// The longest text, in bytes.
    package static let longest = 1 << 20
    /// How many arrays and objects may be inside of one another.
    package static let deepest = 32

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// The value of the whole text.
    package static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        guard bytes.count <= longest else {
            throw JSONError(problem: .tooLarge, offset: longest)
        }
        var reader = JSONReader(bytes: bytes)
        reader.skipSpace()
        let value = try reader.value()
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.error(.unexpected) }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func error(_ problem: JSONError.Problem) -> JSONError {
        JSONError(problem: problem, offset: position)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    /// Consumes one character; throws if another one or none follows.
    private mutating func expect(_ character: Unicode.Scalar) throws(JSONError) {
        guard let byte = next else { throw error(.incomplete) }
        guard byte == UInt8(ascii: character) else { throw error(.unexpected) }
        position += 1
    }

    /// Consumes one character if it follows.
    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    // MARK: Values

    private mutating func value() throws(JSONError) -> JSONValue {
        switch next {
        case nil: throw error(.incomplete)
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(
        _ text: StaticString, _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        for scalar in text.description.unicodeScalars { try expect(scalar) }
        return value
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        guard depth <= Self.deepest else { throw error(.tooDeep) }
        position += 1
        skipSpace()
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        try enter()
        defer { depth -= 1 }
        var values: [JSONValue] = []
        if consume("]") { return values }
        while true {
            values.append(try value())
            skipSpace()
            if consume("]") { return values }
            try expect(",")
            skipSpace()
        }
    }

    private mutating func object() throws(JSONError) -> [String: JSONValue] {
        try enter()
        defer { depth -= 1 }
        var members: [String: JSONValue] = [:]
        if consume("}") { return members }
        while true {
            guard next == nil || next == UInt8(ascii: "\"") else { throw error(.unexpected) }
            let name = try string()
            guard members[name] == nil else { throw error(.duplicate) }
            skipSpace()
            try expect(":")
            skipSpace()
            members[name] = try value()
            skipSpace()
            if consume("}") { return members }
            try expect(",")
            skipSpace()
        }
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> Double {
        let start = position
        _ = consume("-")
        guard let first = next, Self.isDigit(first) else {
            throw error(position == bytes.count ? .incomplete : .unexpected)
        }
        position += 1
        // No number begins with 0 before another digit.
        if first != UInt8(ascii: "0") { skipDigits() }
        if consume(".") { try digits() }
        if consume("e") || consume("E") {
            if !consume("+") { _ = consume("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            position = start
            throw error(.number)
        }
        return value
    }

    private mutating func digits() throws(JSONError) {
        guard let byte = next else { throw error(.incomplete) }
        guard Self.isDigit(byte) else { throw error(.unexpected) }
        skipDigits()
    }

    private mutating func skipDigits() {
        while let byte = next, Self.isDigit(byte) { position += 1 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        try expect("\"")
        let start = position
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let valid = String(validating: text, as: UTF8.self) else {
                    position = start
                    throw error(.encoding)
                }
                return valid
            case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
            case 0..<0x20:
                position -= 1
                throw error(.unexpected)
            default: text.append(byte)
            }
        }
        throw error(.incomplete)
    }

    /// The character of an escape, after the backslash.
    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        guard let byte = next else { throw error(.incomplete) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try codePoint()
        default:
            position -= 1
            throw error(.escape)
        }
    }

    /// The character of `\u` and four digits, or of two of them that are a surrogate pair.
    private mutating func codePoint() throws(JSONError) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), consume("\\"), consume("u") else {
            throw error(.escape)
        }
        let second = try codeUnit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw error(.escape) }
        return scalar
    }

    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        guard position + 4 <= bytes.count else { throw error(.incomplete) }
        let text = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        // The initializer of integers takes a sign, too.
        guard text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16) else {
            throw error(.escape)
        }
        position += 4
        return value
    }
}
