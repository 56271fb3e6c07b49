/// A value of JSON that was read.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The member of an object; nil for other values.
    package subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var number: Double? {
        if case .number(let value) = self { value } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }
}

/// Why a text is not JSON, or is too large.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    package enum Problem: String, Sendable {
        case unexpected = "unexpected character"
        case incomplete = "the text ends in the middle of a value"
        case tooLarge = "the text is too long"
        case tooDeep = "too many values inside of one another"
        case encoding = "not UTF-8"
        case number = "not a number"
        case escape = "not an escape of JSON"
        case duplicate = "a name is there twice"
    }

    package let problem: Problem
    /// The number of bytes before the place.
    package let offset: Int

    package var description: String { "\(problem.rawValue), at byte \(offset + 1)" }
}
