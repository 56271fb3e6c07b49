package import Input

/// The keys of all commands: those of the command table, or a person's own in place of them.
///
/// A key that a person has given to a command is taken from the command that has it in the table.
package struct KeyMap: Hashable, Sendable {
    /// A key that cannot be given to a command, because a person has given it to another one.
    package struct Conflict: Error, Hashable {
        package let key: KeyBinding
        package let owner: Command
    }

    private var own: [Command: [KeyBinding]] = [:]

    package init() {}

    /// Gives a command these keys and no others, wherever the command is available.
    package mutating func set(_ keys: [KeyBinding], of command: Command) throws(Conflict) {
        let modes = CommandTable.entry(of: command).keys.keys
        for other in Command.allCases where other != command {
            guard let taken = own[other],
                modes.contains(where: { CommandTable.entry(of: other).keys[$0] != nil })
            else { continue }
            if let key = keys.first(where: taken.contains) {
                throw Conflict(key: key, owner: other)
            }
        }
        own[command] = keys
    }

    /// Gives a command the keys of the table again.
    package mutating func reset(_ command: Command) { own[command] = nil }

    /// The keys that a person has given to a command; nil where the command has those of the table.
    package func ownKeys(of command: Command) -> [KeyBinding]? { own[command] }

    /// The other commands that have a key where a command is available.
    package func owners(of key: KeyBinding, besides command: Command) -> [Command] {
        var owners: [Command] = []
        for mode in CommandMode.allCases where CommandTable.entry(of: command).keys[mode] != nil {
            guard let owner = self.command(of: key, in: mode), owner != command,
                !owners.contains(owner)
            else { continue }
            owners.append(owner)
        }
        return owners
    }

    /// The keys of a command; the first key is the one that menus name.
    package func keys(of entry: CommandEntry, in mode: CommandMode) -> [KeyBinding] {
        let standard = entry.keys[mode] ?? []
        guard !own.isEmpty, !standard.isEmpty else { return standard }
        return own[entry.command] ?? standard.filter { owner(of: $0, in: mode) == nil }
    }

    /// The first key as menus name it; empty for a command without keys.
    package func label(of command: Command, in mode: CommandMode) -> String {
        keys(of: CommandTable.entry(of: command), in: mode).first?.label ?? ""
    }

    /// Whether a key of a command belongs to another one where this command has other keys.
    ///
    /// Own keys count wherever a command is available, so such keys cannot be changed one by one.
    package func sharesKeys(of command: Command) -> Bool {
        keys(of: command).contains { !owners(of: $0, besides: command).isEmpty }
    }

    /// The keys as a help text shows them: at most two.
    package func shownKeys(of entry: CommandEntry, in mode: CommandMode) -> [String] {
        CommandEntry.shown(keys(of: entry, in: mode))
    }

    /// The keys of all modes.
    package func keys(of command: Command) -> [KeyBinding] {
        let entry = CommandTable.entry(of: command)
        var keys: [KeyBinding] = []
        for mode in CommandMode.allCases {
            keys += self.keys(of: entry, in: mode).filter { !keys.contains($0) }
        }
        return keys
    }

    /// The keys of all modes as the settings page shows them.
    package func shownKeys(of command: Command) -> [String] {
        CommandEntry.shown(keys(of: command), atMost: .max)
    }

    /// The command of a key that went down or repeats; nil where the key has none.
    package func command(for key: KeyEvent, in mode: CommandMode) -> Command? {
        guard !own.isEmpty else { return CommandTable.command(for: key, in: mode) }
        guard key.action != .up, let binding = KeyBinding(key),
            let command = owner(ofLocal: key, in: mode) ?? command(of: binding, in: mode)
                ?? command(of: binding.withoutShift, in: mode)
                ?? KeyBinding(latin: key).flatMap({
                    command(of: $0, in: mode) ?? command(of: $0.withoutShift, in: mode)
                }),
            key.action != .repeated || CommandTable.entry(of: command).repeats
        else { return nil }
        return command
    }

    private func command(of key: KeyBinding, in mode: CommandMode) -> Command? {
        if let owner = owner(of: key, in: mode) { return owner }
        let standard = CommandTable.command(of: key, in: mode)
        return standard.flatMap { own[$0] == nil ? $0 : nil }
    }

    /// The command that a person has given a key by its name in the active keyboard layout, such as
    /// "Cyrillic_es".
    private func owner(ofLocal key: KeyEvent, in mode: CommandMode) -> Command? {
        KeyBinding(local: key).flatMap {
            owner(of: $0, in: mode) ?? owner(of: $0.withoutShift, in: mode)
        }
    }

    /// The command that a person has given a key.
    private func owner(of key: KeyBinding, in mode: CommandMode) -> Command? {
        own.first { command, keys in
            keys.contains(key) && CommandTable.entry(of: command).keys[mode] != nil
        }?.key
    }
}
