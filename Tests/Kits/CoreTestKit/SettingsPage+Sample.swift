package import Commands
package import Interface
package import TOML

extension SettingsPage {
    /// A page with all settings and all keys; those without a value here have a default of their kind.
    package static func sample(
        values: [String: TOMLValue] = [:], obstacles: [String: String] = [:],
        ownCommands: [KeyBinding: String] = [:]
    ) -> SettingsPage {
        func sections(_ all: [(title: String, entries: [Entry])]) -> [Section] {
            all.map { section in
                Section(
                    section.title,
                    section.entries.map { entry in
                        Row(
                            entry, value: values[entry.name] ?? entry.standard,
                            standard: entry.standard, obstacle: obstacles[entry.name])
                    })
            }
        }
        return SettingsPage(
            sections(entries), keys: sections(keyEntries), ownCommands: ownCommands,
            note: obstacles.isEmpty ? "" : "A sentence about all settings.")
    }
}

extension SettingsPage.Entry {
    /// Off, the first choice, the fifth step, or the keys of the table.
    fileprivate var standard: TOMLValue {
        switch control {
        case .flag: .flag(false)
        case .choice(let choices): choices[0].value
        case .number(let steps, _): .number(steps[4])
        case .keys: .string("default")
        }
    }
}
