/// A setting as the user wrote it: `name = text`, or `--set name=text`.
package struct Setting {
    package let name: String
    /// Without the quotes that a settings file has around it.
    package let text: Substring

    package init(_ name: String, _ value: String) {
        self.name = name
        var text = Substring(value)
        if text.count >= 2, text.first == "\"", text.last == "\"" {
            text = text.dropFirst().dropLast()
        }
        self.text = text
    }

    package func flag() throws(SettingRefusal) -> Bool {
        switch text {
        case "true", "on", "yes", "1": return true
        case "false", "off", "no", "0": return false
        default: throw refusal("true or false")
        }
    }

    package func choice<Choice: RawRepresentable & CaseIterable>() throws(SettingRefusal) -> Choice
    where Choice.RawValue == String {
        if let choice = Choice(rawValue: String(text)) { return choice }
        throw refusal("one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }

    /// The error for a value that is not what is `expected`.
    package func refusal(_ expected: String) -> SettingRefusal {
        SettingRefusal(reason: "\(name) takes \(expected), not “\(text)”")
    }

    /// The error for a name that none of the `known` settings has.
    package func unknown(_ known: [(name: String, values: String)]) -> SettingRefusal {
        let names = known.map(\.name).joined(separator: ", ")
        return SettingRefusal(reason: "there is no setting “\(name)”; the settings are: \(names)")
    }
}

/// Why a setting was refused, as a message for people.
package struct SettingRefusal: Error, Hashable {
    package var reason: String
}
