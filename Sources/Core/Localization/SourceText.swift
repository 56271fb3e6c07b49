/// A text in English for a person, with the values that stand in it.
///
/// The English text with `%s` for each value is the key of the translation: a `\(name)` in the source
/// is a `%s` in the catalogue.
package struct SourceText: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text between the values: one part more than there are values.
    private let parts: [String]
    /// The values as text.
    let values: [String]

    package init(stringLiteral text: String) {
        parts = [text]
        values = []
    }

    package init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
        values = stringInterpolation.values
    }

    private init(_ parts: [String], _ values: [String]) {
        self.parts = parts
        self.values = values
    }

    /// Joins the lines of a long text.
    package static func + (first: SourceText, second: SourceText) -> SourceText {
        let joined = first.parts[first.parts.count - 1] + second.parts[0]
        return SourceText(
            first.parts.dropLast() + [joined] + second.parts.dropFirst(),
            first.values + second.values)
    }

    /// The key of the translation, in which a percent sign is doubled if there are values.
    var key: String {
        values.isEmpty
            ? parts[0] : parts.map { $0.replacing("%", with: "%%") }.joined(separator: "%s")
    }

    /// The text with another value in place of `value`.
    func replacing(_ value: String, with other: String) -> SourceText {
        value == other ? self : SourceText(parts, values.map { $0 == value ? other : $0 })
    }

    /// The text in English.
    var english: String {
        var text = parts[0]
        for (value, part) in zip(values, parts.dropFirst()) { text += value + part }
        return text
    }

    /// The text in the form of a translation, with `%s`, `%2$s` and `%%`; nil where the form names a
    /// value that the message does not have, or is otherwise wrong.
    func text(in form: String) -> String? {
        if values.isEmpty { return form }
        var (text, rest, next) = ("", form[...], 0)
        while let start = rest.firstIndex(of: "%") {
            text += rest[..<start]
            rest = rest[start...].dropFirst()
            if rest.first == "%" {
                text += "%"
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            if !digits.isEmpty {
                guard rest.first == "$", let number = Int(digits) else { return nil }
                rest = rest.dropFirst()
                next = number - 1
            }
            guard rest.first == "s", values.indices.contains(next) else { return nil }
            text += values[next]
            next += 1
            rest = rest.dropFirst()
        }
        return text + rest
    }

    /// Collects the parts and the values of a text.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts = [""]
        fileprivate var values: [String] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(interpolationCount + 1)
        }

        package mutating func appendLiteral(_ literal: String) { parts[parts.count - 1] += literal }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            values.append(value.description)
            parts.append("")
        }
    }
}
