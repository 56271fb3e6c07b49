package import Commands
import Interface

/// What a person may do.
extension ViewerModel {
    /// The commands that a person may use; buttons and menu items of others are left out.
    package internal(set) var policy: CommandPolicy {
        get { chrome.layout.policy }
        set {
            var layout = chrome.layout
            layout.policy = newValue
            chrome.set(layout)
        }
    }

    /// Sets the keys of the commands.
    package mutating func setKeys(_ keys: KeyMap) {
        var layout = chrome.layout
        layout.keys = keys
        chrome.set(layout)
    }

    /// Names the gestures of the settings in the help.
    mutating func nameGestures() {
        var layout = chrome.layout
        layout.gestures = settings.gestures
        chrome.set(layout)
    }

    package mutating func setPolicy(_ policy: CommandPolicy) { self.policy = policy }

    /// The settings of gestures, without those that lead to what is not allowed.
    ///
    /// A picture without a grid below cannot be dismissed where the program may not be left.
    var allowedSettings: ViewerSettings {
        var settings = settings
        if !policy.allowsLeaving, cell.exit == nil { settings.dismiss = .off }
        if !policy.allows(.information) { settings.swipeUp = .dismiss }
        return settings
    }
}
