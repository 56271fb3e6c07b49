import Localization
package import TOML

/// A setting as the user wrote it: a line of a settings file, or `--set name=text`.
package struct Setting: Hashable, Sendable {
    package let name: String
    /// Texts are without their quotes.
    package let value: TOMLValue
    /// The value as it is written on the command line, where texts need no quotes; nil in a file.
    package let written: String?

    /// A line of a settings file.
    package init(_ name: String, _ value: TOMLValue) {
        (self.name, self.value, written) = (name, value, nil)
    }

    /// A setting of the command line.
    package init(_ name: String, written text: String) {
        self.name = name
        let value = TOMLValue(text) ?? .string(text)
        // Quotes are allowed around every value.
        if case .string(let inner) = value, let quoted = TOMLValue(inner) {
            self.value = quoted
            written = inner
        } else {
            self.value = value
            written = value.isString ? value.plainText : text
        }
    }

    package func flag() throws(SettingRefusal) -> Bool {
        switch (value, written) {
        case (.flag(let flag), _): return flag
        case (_, "on"), (_, "yes"), (_, "1"): return true
        case (_, "off"), (_, "no"), (_, "0"): return false
        default: throw refusal(localized("true or false"))
        }
    }

    /// A text, such as a name or the path of a file.
    package func text(
        _ expected: @autoclosure () -> String
    ) throws(SettingRefusal) -> String {
        if let written { return written }
        guard case .string(let text) = value else { throw refusal(expected()) }
        return text
    }

    package func choice<Choice: RawRepresentable & CaseIterable>() throws(SettingRefusal) -> Choice
    where Choice.RawValue == String {
        func expected() -> String {
            localized("one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if let choice = Choice(rawValue: try text(expected())) { return choice }
        throw refusal(expected())
    }

    /// A whole number; nil for anything else.
    package var integer: Int? {
        if case .integer(let number) = value { number } else { nil }
    }

    /// A number; nil for anything else.
    package var number: Double? { value.number }

    /// The error for a value that is not what is `expected`.
    package func refusal(_ expected: String) -> SettingRefusal {
        SettingRefusal(
            name: name, problem: localized("takes \(expected), not “\(written ?? value.text)”"))
    }

    /// The error for a name that none of the `known` settings has.
    package func unknown(_ known: [String]) -> SettingRefusal {
        let closest = known.map { (name: $0, distance: EditDistance.between(name, $0)) }
            .min { $0.distance < $1.distance }
        let hint =
            closest.flatMap { $0.distance <= 3 ? localized("did you mean \($0.name)?") : nil }
            ?? localized("vitrine --print-config prints all")
        return SettingRefusal(name: name, problem: localized("is not a setting; \(hint)"))
    }
}

extension TOMLValue {
    fileprivate var isString: Bool { if case .string = self { true } else { false } }

    /// A number with or without a fraction; nil for anything else.
    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .string, .flag, .date, .array, .table: nil
        }
    }
}

/// Why a setting was refused, as a message for people.
package struct SettingRefusal: Error, Hashable {
    package let name: String
    /// To be written after the name.
    package let problem: String

    package init(name: String, problem: String) { (self.name, self.problem) = (name, problem) }

    // Translators: the name of a setting, and what is wrong with it, such as "takes true or false".
    package var reason: String { localized("\(name) \(problem)") }
}
