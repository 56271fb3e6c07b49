import Localization

/// A gesture on the picture that performs a command, which a person can choose.
///
/// The name is that of the setting below `gestures`.
package enum CommandGesture: String, CaseIterable, Sendable {
    /// A finger that rests on the picture.
    case longPress = "long_press"
    case twoFingerTap = "two_finger_tap"
    /// A tap with the eraser of a pen.
    case penEraser = "pen_eraser"
    /// The button of a pen that is next to the tip.
    case firstPenButton = "pen_button"
    case secondPenButton = "pen_button_2"
    case thirdPenButton = "pen_button_3"

    /// The name of the setting.
    package var setting: String { "gestures." + rawValue }

    /// The command unless a person has chosen another one.
    package var initialCommand: Command {
        switch self {
        case .longPress, .firstPenButton: .menu
        case .twoFingerTap, .secondPenButton: .zoomOut
        case .penEraser: .delete
        case .thirdPenButton: .information
        }
    }

    /// The title on the settings page.
    package var title: String {
        switch self {
        case .longPress: localized("Long press")
        case .twoFingerTap: localized("Tap with two fingers")
        case .penEraser: localized("Tap with the eraser of a pen")
        case .firstPenButton: localized("First button of a pen")
        case .secondPenButton: localized("Second button of a pen")
        case .thirdPenButton: localized("Third button of a pen")
        }
    }

    /// The name in the help; nil for gestures that the help does not show.
    var helpName: String? {
        switch self {
        case .longPress: localized("long press")
        case .twoFingerTap: localized("tap with two fingers")
        case .penEraser, .firstPenButton, .secondPenButton, .thirdPenButton: nil
        }
    }

    /// The text of the manual.
    package var documentation: String {
        switch self {
        case .longPress:
            "The command of a finger that rests on the picture; the menu is in the bar, too."
        case .twoFingerTap:
            "The command of a tap with two fingers on the picture; zoom-out goes down the steps of "
                + "the double tap."
        case .penEraser: "The command of a tap with the eraser of a pen."
        case .firstPenButton:
            "The command of the button of a pen that is next to the tip, while the pen hovers."
        case .secondPenButton:
            "The command of the second button of a pen; zoom-out goes down the steps of the double "
                + "tap."
        case .thirdPenButton: "The command of the third button of a pen."
        }
    }
}
