package import Settings

/// What a person may choose of the viewer's behaviour, by the names of the settings file.
package struct ViewerSettings: Hashable, Sendable {
    package enum Dismiss: String, Hashable, Sendable, CaseIterable {
        case quit
        case grid
        case off
    }

    package enum DoubleTap: String, Hashable, Sendable, CaseIterable {
        /// Every step of the ladder in turn.
        case ladder
        /// Between fit and the first step.
        case toggle
    }

    package enum Wheel: String, Hashable, Sendable, CaseIterable {
        case page
        case zoom
    }

    /// Whether fit enlarges a picture that is smaller than the surface.
    package var enlarge = false
    /// What a dismissal does; unset, it goes back to where the picture was opened from.
    package var dismiss: Dismiss?
    /// Whether a drag that went far enough dismisses too, without speed.
    package var dismissByDistance = false
    package var doubleTap = DoubleTap.ladder
    package var wheel = Wheel.page
    /// Whether scrolling by touchpad can dismiss a picture, as a finger does.
    package var scrollDismisses = false
    /// Whether a twist turns the picture.
    package var rotate = true
    package var reducedMotion = false
    /// Whether clear parts of a picture show a checkerboard instead of the backdrop.
    package var checkerboard = false

    package init() {}
}

extension ViewerSettings {
    /// Every setting's name with the values it takes.
    package static let names: [(name: String, values: String)] = [
        ("viewer.enlarge", "true|false"),
        ("viewer.dismiss", "quit|grid|off"),
        ("viewer.dismiss_by_distance", "true|false"),
        ("viewer.scroll_dismisses", "true|false"),
        ("viewer.wheel", "page|zoom"),
        ("viewer.checkerboard", "true|false"),
        ("gestures.double_tap", "ladder|toggle"),
        ("gestures.rotate", "true|false"),
    ]

    /// Takes `value`, as written in a settings file or after `--set KEY=`; quotes are allowed.
    package mutating func set(_ name: String, to value: String) throws(SettingRefusal) {
        let setting = Setting(name, value)
        switch name {
        case "viewer.enlarge": enlarge = try setting.flag()
        case "viewer.dismiss": dismiss = try setting.choice()
        case "viewer.dismiss_by_distance": dismissByDistance = try setting.flag()
        case "viewer.scroll_dismisses": scrollDismisses = try setting.flag()
        case "viewer.wheel": wheel = try setting.choice()
        case "viewer.checkerboard": checkerboard = try setting.flag()
        case "gestures.double_tap": doubleTap = try setting.choice()
        case "gestures.rotate": rotate = try setting.flag()
        default: throw setting.unknown(Self.names)
        }
    }
}
