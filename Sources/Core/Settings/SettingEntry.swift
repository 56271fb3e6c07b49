import Localization
package import TOML

/// One row of a table of settings: a name, the values it takes, and where a value of `Root` stores it.
///
/// Every module declares a table of the settings that it understands. Command line, help text, man page
/// and completions are made from these tables.
package struct SettingEntry<Root>: Sendable {
    package let name: String
    /// The values as a help text writes them: "true|false", "1…20".
    package let values: String
    /// Sentences for the man page.
    package let documentation: String
    /// The value of the setting in a settings file; nil where there is none.
    package let value: @Sendable (Root) -> TOMLValue?
    /// Whether a running viewer applies a change of the setting; see `atStart`.
    package private(set) var isLive = true
    private let store: @Sendable (inout Root, Setting) throws(SettingRefusal) -> Void

    package init(
        _ name: String, values: String, _ documentation: String,
        value: @escaping @Sendable (Root) -> TOMLValue?,
        store: @escaping @Sendable (inout Root, Setting) throws(SettingRefusal) -> Void
    ) {
        self.name = name
        self.values = values
        self.documentation = documentation
        self.value = value
        self.store = store
    }

    /// The same row for a setting that counts from the start of the program on.
    package var atStart: SettingEntry {
        var row = self
        row.isLive = false
        return row
    }

    /// The same row in the table of a value that has the `Root` as a part.
    package func inside<Whole>(
        _ part: any WritableKeyPath<Whole, Root> & Sendable
    ) -> SettingEntry<Whole> {
        let (value, store) = (value, store)
        let row = SettingEntry<Whole>(
            name, values: values, documentation, value: { value($0[keyPath: part]) }
        ) { (whole, setting) throws(SettingRefusal) in
            try store(&whole[keyPath: part], setting)
        }
        return isLive ? row : row.atStart
    }

    package typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable

    /// True or false.
    package static func flag(
        _ name: String, _ path: Path<Bool>, _ documentation: String
    ) -> SettingEntry {
        SettingEntry(
            name, values: "true|false", documentation, value: { .flag($0[keyPath: path]) }
        ) { (root, setting) throws(SettingRefusal) in root[keyPath: path] = try setting.flag() }
    }

    /// One of the cases of an enumeration.
    package static func choice<Choice: RawRepresentable & CaseIterable & SendableMetatype>(
        _ name: String, _ path: Path<Choice>, _ documentation: String
    ) -> SettingEntry where Choice.RawValue == String {
        SettingEntry(
            name, values: Choice.allCases.map(\.rawValue).joined(separator: "|"), documentation,
            value: { .string($0[keyPath: path].rawValue) }
        ) { (root, setting) throws(SettingRefusal) in root[keyPath: path] = try setting.choice() }
    }

    /// One of the cases of an enumeration, or nothing by default.
    package static func choice<Choice: RawRepresentable & CaseIterable & SendableMetatype>(
        _ name: String, _ path: Path<Choice?>, _ documentation: String
    ) -> SettingEntry where Choice.RawValue == String {
        SettingEntry(
            name, values: Choice.allCases.map(\.rawValue).joined(separator: "|"), documentation,
            value: { $0[keyPath: path].map { .string($0.rawValue) } }
        ) { (root, setting) throws(SettingRefusal) in
            let choice: Choice = try setting.choice()
            root[keyPath: path] = choice
        }
    }

    /// One of the `accepted` cases of an enumeration with too many cases for a help text.
    ///
    /// `values` stands for the cases in the help text, and `expected` in errors.
    package static func choice<Choice: RawRepresentable & SendableMetatype>(
        _ name: String, _ path: Path<Choice>, values: String,
        expected: @autoclosure @escaping @Sendable () -> String, _ documentation: String,
        accepted: @escaping @Sendable (Choice) -> Bool
    ) -> SettingEntry where Choice.RawValue == String {
        SettingEntry(
            name, values: values, documentation, value: { .string($0[keyPath: path].rawValue) }
        ) { (root, setting) throws(SettingRefusal) in
            guard let choice = Choice(rawValue: try setting.text(expected())), accepted(choice)
            else {
                throw setting.refusal(expected())
            }
            root[keyPath: path] = choice
        }
    }

    /// A whole number in a range.
    package static func integer(
        _ name: String, _ range: ClosedRange<Int>, _ path: Path<Int>, _ documentation: String,
        values: String? = nil
    ) -> SettingEntry {
        SettingEntry(
            name, values: values ?? "\(range.lowerBound)…\(range.upperBound)", documentation,
            value: { .integer($0[keyPath: path]) }
        ) { (root, setting) throws(SettingRefusal) in
            guard let number = setting.integer, range.contains(number) else {
                throw setting.refusal(
                    localized("a whole number from \(range.lowerBound) to \(range.upperBound)"))
            }
            root[keyPath: path] = number
        }
    }

    /// A number in a range, with or without a fraction.
    package static func number(
        _ name: String, _ range: ClosedRange<Double>, _ path: Path<Double>, _ documentation: String
    ) -> SettingEntry {
        let (low, high) = (Self.text(range.lowerBound), Self.text(range.upperBound))
        return SettingEntry(
            name, values: "\(low)…\(high)", documentation, value: { .number($0[keyPath: path]) }
        ) { (root, setting) throws(SettingRefusal) in
            guard let number = setting.number, range.contains(number) else {
                throw setting.refusal(localized("a number from \(low) to \(high)"))
            }
            root[keyPath: path] = number
        }
    }

    private static func text(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}

extension SettingEntry {
    /// Stores a setting with the name of this row; throws where the setting does not take the value.
    package func parse(_ setting: Setting, into root: inout Root) throws(SettingRefusal) {
        try store(&root, setting)
    }
}
