import Commands
import Interface
import Localization
import Settings
import TOML

/// The table `keys` of the settings: a person's own keys, by the identifiers of the commands.
struct KeySettings: Hashable, Sendable {
    private(set) var map = KeyMap()

    private static let table = "keys"
    /// The most keys of a command.
    private static let most = 16

    /// The value that stands for the keys of the command table.
    static let standard = TOMLValue.string("default")

    /// The row of the documentation.
    static let descriptions = [
        SettingDescription(
            name: "keys.COMMAND", values: "[\"KEY\", …]",
            documentation:
                "The keys of a command, in place of those that it has: XKB keysym names such as F5, with "
                + "Ctrl+ or Shift+ before them; vitrine msg commands lists all commands. A single key is a "
                + "text, an empty list leaves the command without a key, and default stands for the keys "
                + "that the command has without this setting. A key of another command is taken from it, "
                + "unless this table gives it to that one.")
    ]

    static func has(_ name: String) -> Bool { name.hasPrefix(table + ".") }

    mutating func set(_ setting: Setting) throws(SettingRefusal) {
        let name = String(setting.name.dropFirst(Self.table.utf8.count + 1))
        guard let command = Command(rawValue: name) else {
            throw SettingRefusal(
                name: setting.name,
                problem: localized("is no command; vitrine msg commands lists all"))
        }
        guard setting.value != Self.standard else { return map.reset(command) }
        let keys = try Self.keys(setting)
        do throws(KeyMap.Conflict) { try map.set(keys, of: command) } catch {
            throw SettingRefusal(
                name: setting.name,
                problem: localized("is “\(error.key.text)”, the key of \(error.owner.rawValue)"))
        }
    }

    /// The value that gives a command its present keys.
    func value(of command: Command) -> TOMLValue {
        map.ownKeys(of: command).map(SettingsPage.value) ?? Self.standard
    }

    private static func keys(_ setting: Setting) throws(SettingRefusal) -> [KeyBinding] {
        let expected = localized("a key such as F5 or Ctrl+1, or a list of at most \(most) keys")
        var texts: [String] = []
        if case .array(let values) = setting.value {
            for value in values {
                guard case .string(let text) = value else { throw setting.refusal(expected) }
                texts.append(text)
            }
        } else {
            texts = [try setting.text(expected)]
        }
        let keys = texts.map { KeyBinding(stringLiteral: $0) }
        guard keys.count <= most, keys.allSatisfy(\.isNamed) else {
            throw setting.refusal(expected)
        }
        return keys
    }
}
