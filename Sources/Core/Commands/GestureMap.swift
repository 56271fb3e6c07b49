/// The commands of the gestures on the picture that can have other commands.
package struct GestureMap: Hashable, Sendable {
    /// The commands that a person has chosen.
    private var chosen: [CommandGesture: Command] = [:]

    package init() {}

    package subscript(gesture: CommandGesture) -> Command {
        get { chosen[gesture] ?? gesture.initialCommand }
        set { chosen[gesture] = newValue == gesture.initialCommand ? nil : newValue }
    }

    /// Whether a gesture can have a command: the commands for the picture.
    package static func allows(_ command: Command) -> Bool {
        CommandTable.entry(of: command).keys[.viewer] != nil
    }

    /// The gestures of a finger that do what a command does, as a help text shows them; empty for none.
    package func text(of entry: CommandEntry, in mode: CommandMode) -> String {
        var gestures = [entry.gesture(in: mode)].compactMap(\.self)
        if mode == .viewer {
            gestures += CommandGesture.allCases.filter { self[$0] == entry.command }
                .compactMap(\.helpName)
        }
        let text = gestures.joined(separator: ", ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
