package import Commands
import Localization
package import TOML

/// The settings that a person can change on the settings page, with their values.
package struct SettingsPage: Hashable, Sendable {
    /// How a setting is changed.
    package enum Control: Hashable, Sendable {
        case flag
        case choice([Choice])
        /// A number that goes through these steps, the smallest first.
        case number([Double], SettingUnit)
        /// The keys of a command: the next key that is pressed.
        case keys(Command)
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

        /// The command whose keys the setting has; nil for other settings.
        var command: Command? { entry.command }

        /// The value as a person reads it, where commands have these keys.
        func valueText(_ keys: KeyMap) -> String {
            switch entry.control {
            case .flag: value.plainText
            case .choice(let choices):
                choices.first { $0.value == value }?.title ?? value.plainText
            case .number(_, let unit): number.map(unit.text) ?? value.plainText
            case .keys(let command):
                keys.shownKeys(of: command).joined(separator: ", ").nonEmpty
                    ?? localized("No key")
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
            return next.map(value)
        }

        /// The value of the step nearest to a number; nil for a setting that has no number.
        func step(nearestTo number: Double) -> TOMLValue? {
            guard case .number(let steps, _) = entry.control else { return nil }
            return steps.min { abs($0 - number) < abs($1 - number) }.map(value)
        }

        private func value(_ step: Double) -> TOMLValue {
            if case .integer = standard { .integer(Int(step)) } else { .number(step) }
        }
    }

    package struct Section: Hashable, Sendable {
        package let title: String
        package let rows: [Row]

        package init(_ title: String, _ rows: [Row]) { (self.title, self.rows) = (title, rows) }
    }

    /// What of the settings is shown.
    package enum Part: Hashable, Sendable {
        case settings
        /// The keys of the commands.
        case keys
    }

    package let sections: [Section]
    /// The keys of the commands; empty where they cannot be changed.
    package private(set) var keys: [Section]
    /// The names of the person's own commands, by their keys.
    package let ownCommands: [KeyBinding: String]
    /// A sentence about all settings, at the top; empty for none.
    package let note: String

    package init(
        _ sections: [Section], keys: [Section] = [], ownCommands: [KeyBinding: String] = [:],
        note: String = ""
    ) {
        self.sections = sections
        self.keys = keys
        self.ownCommands = ownCommands
        self.note = note
    }

    func sections(of part: Part) -> [Section] { part == .keys ? keys : sections }

    func rows(of part: Part) -> [Row] { sections(of: part).flatMap(\.rows) }

    func row(_ name: String) -> Row? {
        (rows(of: .settings) + rows(of: .keys)).first { $0.entry.name == name }
    }

    /// The row of the keys of a command; nil where they cannot be changed.
    func row(of command: Command) -> Row? { rows(of: .keys).first { $0.command == command } }

    /// The page with the keys of the commands that a person may use, and no others.
    func limited(to policy: CommandPolicy) -> SettingsPage {
        var page = self
        page.keys = []
        for section in keys {
            let rows = section.rows.filter { row in
                guard let command = row.entry.command else { return true }
                return policy.allows(command)
            }
            if !rows.isEmpty { page.keys.append(Section(section.title, rows)) }
        }
        return page
    }

    /// The names of the settings that a reset of all settings of a part changes.
    package func changedNames(of part: Part) -> [String] {
        rows(of: part).filter(\.canReset).map(\.entry.name)
    }

    /// The value of a setting that gives a command these keys.
    package static func value(of keys: [KeyBinding]) -> TOMLValue {
        let values = keys.map { TOMLValue.string($0.text) }
        return values.count == 1 ? values[0] : .array(values)
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

/// What a person changes on the settings page.
package enum SettingChange: Hashable, Sendable {
    /// Sets a setting, by its name.
    case set(String, TOMLValue)
    /// Sets settings back to their defaults, by their names.
    case reset([String])
}

/// What a widget of the settings page does.
package enum SettingsAction: Hashable, Sendable {
    case change(SettingChange)
    /// Gives keys to commands, and takes them from others: in this order.
    case giveKeys([SettingChange])
    /// Waits for the next key, which the command of this setting gets; stops waiting if it waits.
    case awaitKey(String)
    /// Waits for the next key, which the command of this setting gets beside the keys that it has.
    case awaitAnotherKey(String)
    case show(SettingsPage.Part)
    /// Shows or hides the choices of a setting, by its name.
    case toggleChoices(String)
    /// Asks whether all settings are to be reset.
    case askReset
}

/// The unit of a number on the settings page.
package enum SettingUnit: Hashable, Sendable {
    case seconds, milliseconds

    /// The number with its unit.
    func text(_ number: Double) -> String {
        func plain(_ number: Double) -> String {
            Int(exactly: number).map { "\($0)" } ?? Translation.decimal("\(number)")
        }
        switch self {
        case .milliseconds: return localized("\(plain(number / 1000)) s")
        case .seconds:
            if let hours = Int(exactly: number / 3600), hours > 0 { return localized("\(hours) h") }
            if let minutes = Int(exactly: number / 60), minutes > 0 {
                return localized("\(minutes) min")
            }
            return localized("\(plain(number)) s")
        }
    }
}
