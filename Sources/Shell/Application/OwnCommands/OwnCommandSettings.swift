import Commands
import Input
import Localization
import Settings
import TOML

/// The tables `commands` and `command_keys` of the settings: commands of a person's own, by names that
/// the person chooses.
struct OwnCommandSettings: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        let name: String
        let template: CommandTemplate
    }

    /// The commands, in the order of the settings.
    private(set) var entries: [Entry] = []
    private(set) var keys: [String: KeyBinding] = [:]

    /// The most commands; further ones are refused.
    private static let most = 100
    private static let (commandTable, keyTable) = ("commands", "command_keys")

    /// The rows of the documentation.
    static let descriptions = [
        SettingDescription(
            name: "commands.NAME", values: "[\"PROGRAM\", \"ARGUMENT\", …]",
            documentation:
                "A command of your own, which the prompt of run-command offers by its name. "
                + "In the arguments %f is the path of a picture (the program is started once for each), "
                + "%u its URI, %d its folder, %% a percent sign; %F and %U as whole arguments are all "
                + "paths or URIs. No shell reads the command. An empty list removes it."),
        SettingDescription(
            name: "command_keys.NAME", values: "KEY",
            documentation:
                "The key of the command of that name: an XKB keysym name such as F5, with "
                + "Ctrl+ or Shift+ before it. Keys of the viewer's own commands are refused."),
    ]

    /// The name of a command, if a setting belongs to these tables.
    private static func name(_ setting: Setting, in table: String) -> String? {
        guard setting.name.hasPrefix(table + ".") else { return nil }
        let key = String(setting.name.dropFirst(table.utf8.count + 1))
        // A key in quotes is written as a text.
        return TOMLValue(key).flatMap { if case .string(let text) = $0 { text } else { nil } }
            ?? key
    }

    static func has(_ setting: Setting) -> Bool {
        name(setting, in: commandTable) != nil || name(setting, in: keyTable) != nil
    }

    mutating func set(_ setting: Setting) throws(SettingRefusal) {
        if let name = Self.name(setting, in: Self.commandTable) {
            try checkName(name, setting)
            try setCommand(name, setting)
        } else if let name = Self.name(setting, in: Self.keyTable) {
            try checkName(name, setting)
            try setKey(name, setting)
        }
    }

    private func checkName(_ name: String, _ setting: Setting) throws(SettingRefusal) {
        let isControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard !name.isEmpty, name.count <= 60, !isControl else {
            throw SettingRefusal(
                name: setting.name,
                problem: localized("needs a name of 1 to 60 characters in a line"))
        }
    }

    private mutating func setCommand(_ name: String, _ setting: Setting) throws(SettingRefusal) {
        if setting.value == .array([]) {
            entries.removeAll { $0.name == name }
            return
        }
        let entry = Entry(name: name, template: try CommandTemplate(setting))
        if let index = entries.firstIndex(where: { $0.name == name }) {
            entries[index] = entry
        } else if entries.count < Self.most {
            entries.append(entry)
        } else {
            throw SettingRefusal(
                name: setting.name,
                problem: localized("is one command too many: \(Self.most) are allowed"))
        }
    }

    private mutating func setKey(_ name: String, _ setting: Setting) throws(SettingRefusal) {
        let expected = localized("a key such as F5 or Ctrl+1")
        let text = try setting.text(expected)
        let key = KeyBinding(stringLiteral: text)
        guard key.isNamed else { throw setting.refusal(expected) }
        if let owner = CommandTable.entries.first(where: { $0.hasKey(key) }) {
            throw SettingRefusal(
                name: setting.name,
                problem: localized("is “\(text)”, the key of \(owner.command.rawValue)"))
        }
        if let owner = keys.first(where: { $0.value == key && $0.key != name })?.key {
            throw SettingRefusal(
                name: setting.name, problem: localized("is “\(text)”, the key of \(owner)"))
        }
        keys[name] = key
    }

    /// The command of a key that went down; nil where the key has none.
    func command(for key: KeyEvent) -> Entry? {
        guard key.action == .down || key.action == .click, let binding = KeyBinding(key) else {
            return nil
        }
        let bindings = [KeyBinding(local: key), binding].compactMap(\.self)
        return entries.first { keys[$0.name].map(bindings.contains) ?? false }
    }

    /// The names of the commands with keys, by these keys.
    var namesByKey: [KeyBinding: String] {
        Dictionary(
            entries.compactMap { entry in keys[entry.name].map { ($0, entry.name) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The key of a command as a help text writes it; nil without one.
    func keyLabel(of name: String) -> String? { keys[name]?.label }
}

extension CommandEntry {
    fileprivate func hasKey(_ key: KeyBinding) -> Bool {
        keys.values.contains { $0.contains(key) }
    }
}
