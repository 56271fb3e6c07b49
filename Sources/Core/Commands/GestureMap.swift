import Localization

/// The commands of the gestures on the picture that can have other commands.
package struct GestureMap: Hashable, Sendable {
    /// The command of a finger that rests on the picture.
    package var longPress = Command.menu
    /// The command of a tap with two fingers.
    package var twoFingerTap = Command.zoomOut
    /// The command of a tap with the eraser of a pen.
    package var eraser = Command.delete
    /// The commands of the buttons of a pen, the one next to the tip first.
    package var firstPenButton = Command.menu
    package var secondPenButton = Command.zoomOut
    package var thirdPenButton = Command.information

    package init() {}

    /// Whether a gesture can have a command: the commands for the picture.
    package static func allows(_ command: Command) -> Bool {
        CommandTable.entry(of: command).keys[.viewer] != nil
    }

    /// The gestures of a finger that do what a command does, as a help text shows them; empty for none.
    package func text(of entry: CommandEntry, in mode: CommandMode) -> String {
        var gestures = [entry.gesture(in: mode)].compactMap(\.self)
        if mode == .viewer {
            if longPress == entry.command { gestures.append(localized("long press")) }
            if twoFingerTap == entry.command { gestures.append(localized("tap with two fingers")) }
        }
        let text = gestures.joined(separator: ", ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
