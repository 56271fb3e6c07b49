import Commands
import Input
import Localization
import SceneModel

/// A command on the settings page that waits for its new key.
///
/// The key takes the place of all keys of the command, or comes after them. A key of another command is
/// refused first, and taken from that command if the person presses the key again.
struct KeyCapture: Hashable, Sendable {
    /// Why a key was refused.
    enum Refusal: Hashable, Sendable {
        /// Alt or the logo key was held.
        case desktop
        /// The key starts a command of the person's own.
        case ownCommand(KeyBinding, String)
        case taken(KeyBinding, by: [Command])
        /// The key belongs to a command whose keys cannot be changed, for this reason.
        case fixed(KeyBinding, Command, String)
    }

    /// The result of a key.
    enum Outcome: Hashable, Sendable {
        /// The command still waits for a key.
        case waits
        case cancelled
        case changes([SettingChange])
    }

    let command: Command
    /// Whether the command keeps the keys that it has.
    let isAdding: Bool
    private(set) var refusal: Refusal?

    init(_ command: Command, isAdding: Bool = false) {
        self.command = command
        self.isAdding = isAdding
    }

    /// The keys of the commands, and the page with their settings.
    struct Context {
        let keys: KeyMap
        let page: SettingsPage
    }

    /// Receives a key that went down.
    mutating func receive(_ key: KeyEvent, _ context: Context) -> Outcome {
        if key.name == "Escape", key.modifiers.isEmpty { return .cancelled }
        guard let binding = KeyBinding(key) else {
            if !KeyBinding(stringLiteral: key.name).isModifier { refusal = .desktop }
            return .waits
        }
        guard binding.isNamed, !binding.isModifier else { return .waits }
        if case .taken(binding, _) = refusal { return .changes(takingChanges(context)) }
        refusal = refusal(of: binding, context)
        return refusal == nil ? .changes(changes(giving: binding, context)) : .waits
    }

    private func refusal(of key: KeyBinding, _ context: Context) -> Refusal? {
        if let name = context.page.ownCommands[key] { return .ownCommand(key, name) }
        let owners = context.keys.owners(of: key, besides: command)
        guard !owners.isEmpty else { return nil }
        for owner in owners where context.keys.ownKeys(of: owner) != nil {
            if let obstacle = context.page.row(of: owner)?.obstacle {
                return .fixed(key, owner, obstacle)
            }
        }
        return .taken(key, by: owners)
    }

    /// The changes that give the command the key that was refused because another command has the key;
    /// empty if no such key was refused.
    func takingChanges(_ context: Context) -> [SettingChange] {
        guard case .taken(let key, _) = refusal else { return [] }
        return changes(giving: key, context)
    }

    /// A key that the table gives to another command is taken by itself.
    private func changes(giving key: KeyBinding, _ context: Context) -> [SettingChange] {
        let kept = isAdding ? context.keys.keys(of: command) : []
        return context.keys.owners(of: key, besides: command).compactMap { owner in
            context.keys.ownKeys(of: owner).map { own in
                change(of: owner, to: own.filter { $0 != key })
            }
        } + [change(of: command, to: kept.filter { $0 != key } + [key])]
    }

    private func change(of command: Command, to keys: [KeyBinding]) -> SettingChange {
        .set(SettingsPage.keyName(of: command), SettingsPage.value(of: keys))
    }

    // MARK: Texts

    /// What the row of the command says while it waits.
    var message: String {
        switch refusal {
        case nil where isAdding: localized("Press another key, or Escape to cancel.")
        case nil: localized("Press a key, or Escape to cancel.")
        case .desktop: localized("Keys with Alt or the logo key belong to the desktop.")
        case .ownCommand(let key, let name):
            localized(
                "\(Self.label(key)) starts your command “\(name.shortName.isolated)”.")
        case .taken(let key, let owners):
            localized(
                "\(Self.label(key)) is the key of “\(Self.titles(owners))”. Press it again to take it."
            )
        case .fixed(let key, let owner, let reason):
            localized("\(Self.label(key)) is the key of “\(Self.titles([owner]))”. \(reason)")
        }
    }

    /// The text of the button that takes the refused key from another command; nil where there is none.
    var takeTitle: String? {
        guard case .taken(let key, let owners) = refusal else { return nil }
        return localized("Take \(Self.label(key)) from “\(Self.titles(owners))”")
    }

    /// The label for the inside of a sentence, where "Ctrl+," keeps its order from right to left, too.
    static func label(_ key: KeyBinding) -> String {
        let label = key.label
        guard label.count > 1, label.last?.isLetter == false, label.last?.isNumber == false else {
            return label
        }
        return "\u{2066}\(label)\u{2069}"
    }

    private static func titles(_ commands: [Command]) -> String {
        commands.map { CommandTable.entry(of: $0).title }.joined(separator: ", ")
    }
}
