import Localization
package import TOML

/// The settings that a person can change on the page of settings, with their values.
package struct SettingsPage: Hashable, Sendable {
    /// How a setting is changed.
    package enum Control: Hashable, Sendable {
        case flag
        case choice([Choice])
        /// A number that goes through these steps, the smallest first.
        case number([Double], SettingUnit)
    }

    package struct Choice: Hashable, Sendable {
        package let value: TOMLValue
        package let title: String

        package init(_ value: TOMLValue, _ title: String) {
            (self.value, self.title) = (value, title)
        }
    }

    /// A setting as the page shows it.
    package struct Row: Hashable, Sendable {
        package let entry: Entry
        package let value: TOMLValue
        package let standard: TOMLValue
        /// Why the setting cannot be changed; nil if it can.
        package let obstacle: String?

        package init(
            _ entry: Entry, value: TOMLValue, standard: TOMLValue, obstacle: String? = nil
        ) {
            self.entry = entry
            self.value = value
            self.standard = standard
            self.obstacle = obstacle
        }

        /// Whether the setting can be set back to its default.
        var canReset: Bool { value != standard && obstacle == nil }

        /// The value as a person reads it.
        var valueText: String {
            switch entry.control {
            case .flag: value.plainText
            case .choice(let choices):
                choices.first { $0.value == value }?.title ?? value.plainText
            case .number(_, let unit): number.map(unit.text) ?? value.plainText
            }
        }

        var number: Double? {
            switch value {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        }

        /// The value of the step above (1) or below (−1) the present one; nil at the limit.
        func step(_ direction: Int) -> TOMLValue? {
            guard case .number(let steps, _) = entry.control, let number else { return nil }
            let next = direction > 0 ? steps.first { $0 > number } : steps.last { $0 < number }
            return next.map { next in
                if case .integer = standard { .integer(Int(next)) } else { .number(next) }
            }
        }
    }

    package struct Section: Hashable, Sendable {
        package let title: String
        package let rows: [Row]

        package init(_ title: String, _ rows: [Row]) { (self.title, self.rows) = (title, rows) }
    }

    package let sections: [Section]
    /// A sentence about all settings, at the top; empty for none.
    package let note: String

    package init(_ sections: [Section], note: String = "") {
        (self.sections, self.note) = (sections, note)
    }

    var rows: [Row] { sections.flatMap(\.rows) }

    func row(_ name: String) -> Row? { rows.first { $0.entry.name == name } }

    /// The names of the settings that a reset of all settings changes.
    package var changedNames: [String] { rows.filter(\.canReset).map(\.entry.name) }
}

/// What a person changes on the page of settings.
package enum SettingChange: Hashable, Sendable {
    /// Sets a setting, by its name.
    case set(String, TOMLValue)
    /// Sets settings back to their defaults, by their names.
    case reset([String])
}

/// What a widget of the page of settings does.
package enum SettingsAction: Hashable, Sendable {
    case change(SettingChange)
    /// Shows or hides the choices of a setting, by its name.
    case toggleChoices(String)
    /// Asks whether all settings are to be reset.
    case askReset
}

/// The unit of a number on the page of settings.
package enum SettingUnit: Hashable, Sendable {
    case seconds, milliseconds

    /// The number with its unit.
    func text(_ number: Double) -> String {
        func plain(_ number: Double) -> String {
            Int(exactly: number).map { "\($0)" } ?? "\(number)"
        }
        switch self {
        case .milliseconds: return localized("\(plain(number)) ms")
        case .seconds:
            if let hours = Int(exactly: number / 3600), hours > 0 { return localized("\(hours) h") }
            if let minutes = Int(exactly: number / 60), minutes > 0 {
                return localized("\(minutes) min")
            }
            return localized("\(plain(number)) s")
        }
    }
}
