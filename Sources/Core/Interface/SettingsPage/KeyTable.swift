import Commands
import Localization

/// The settings of the keys, one for each command of the command table.
extension SettingsPage {
    /// The commands in the order of their table, by where they are available: a key can have one command
    /// for the picture and another one on the grid.
    package static let keyEntries: [(title: String, entries: [Entry])] = [
        (localized("Picture and grid"), keyEntries(of: [.viewer, .grid])),
        (localized("Picture"), keyEntries(of: [.viewer])),
        (localized("Grid"), keyEntries(of: [.grid])),
    ]

    private static func keyEntries(of modes: Set<CommandMode>) -> [Entry] {
        CommandTable.entries.filter { Set($0.keys.keys) == modes }.map { entry in
            Entry(keyName(of: entry.command), entry.title, "", .keys(entry.command))
        }
    }

    /// The name of the setting with the keys of a command.
    static func keyName(of command: Command) -> String { "keys." + command.rawValue }
}
