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
    /// Whether a twist turns the picture.
    package var rotate = true
    package var reducedMotion = false

    package init() {}
}

extension ViewerSettings {
    /// Why a setting was refused, in words for a person.
    package struct Refusal: Error, Hashable {
        package var reason: String
    }

    /// Every setting's name with the values it takes.
    package static let names: [(name: String, values: String)] = [
        ("viewer.enlarge", "true|false"),
        ("viewer.dismiss", "quit|grid|off"),
        ("viewer.dismiss_by_distance", "true|false"),
        ("viewer.wheel", "page|zoom"),
        ("gestures.double_tap", "ladder|toggle"),
        ("gestures.rotate", "true|false"),
    ]

    /// Takes `value`, as written in a settings file or after `--set KEY=`; quotes are allowed.
    package mutating func set(_ name: String, to value: String) throws(Refusal) {
        var text = Substring(value)
        if text.count >= 2, text.first == "\"", text.last == "\"" {
            text = text.dropFirst().dropLast()
        }
        switch name {
        case "viewer.enlarge": enlarge = try Self.flag(text, name)
        case "viewer.dismiss": dismiss = try Self.choice(text, name)
        case "viewer.dismiss_by_distance": dismissByDistance = try Self.flag(text, name)
        case "viewer.wheel": wheel = try Self.choice(text, name)
        case "gestures.double_tap": doubleTap = try Self.choice(text, name)
        case "gestures.rotate": rotate = try Self.flag(text, name)
        default:
            let known = Self.names.map(\.name).joined(separator: ", ")
            throw Refusal(reason: "there is no setting “\(name)”; there are: \(known)")
        }
    }

    private static func flag(_ text: Substring, _ name: String) throws(Refusal) -> Bool {
        switch text {
        case "true", "on", "yes", "1": return true
        case "false", "off", "no", "0": return false
        default: throw Refusal(reason: "\(name) takes true or false, not “\(text)”")
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: Substring, _ name: String
    ) throws(Refusal) -> Choice where Choice.RawValue == String {
        if let choice = Choice(rawValue: String(text)) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw Refusal(reason: "\(name) takes one of \(known), not “\(text)”")
    }
}
