/// A value of a TOML document.
package enum TOMLValue: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    /// A date, a time or both, as it is written: no setting computes with it.
    case date(String)
    case array([TOMLValue])
    /// A table inside an array.
    case table([String: TOMLValue])

    /// Reads a single value, such as `[0.4, 0.8]`; nil if `text` is anything else.
    package init?(_ text: String) {
        var reader = TOMLReader(Array(text.utf8))
        do throws(TOMLReader.Fault) {
            self = try reader.readOnlyValue()
        } catch { return nil }
    }
}

// MARK: Writing

extension TOMLValue {
    /// The value as a document has it; reading it gives the same value.
    package var text: String {
        switch self {
        case .string(let string): Self.quoted(string)
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .date(let date): date
        case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
        case .table(let members):
            "{"
                + members.sorted { $0.key < $1.key }
                .map { "\(Self.key($0.key)) = \($0.value.text)" }.joined(separator: ", ") + "}"
        }
    }

    /// The text for a reader: a string is without its quotes.
    package var plainText: String {
        if case .string(let string) = self { string } else { text }
    }

    /// A key, in quotes where it needs them.
    package static func key(_ name: String) -> String {
        !name.isEmpty && name.utf8.allSatisfy(\.isKeyByte) ? name : quoted(name)
    }

    /// A key of several parts, as a document has it.
    package static func key(_ path: some Sequence<String>) -> String {
        path.map { key($0) }.joined(separator: ".")
    }

    private static func quoted(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension UInt8 {
    /// Whether the byte may stand in a key without quotes.
    var isKeyByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Whether the byte may not stand in a comment or a string of one line.
    var isControl: Bool { self < 0x20 && self != UInt8(ascii: "\t") || self == 0x7F }
}
