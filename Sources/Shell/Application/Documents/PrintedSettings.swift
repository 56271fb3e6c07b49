import TOML

/// The output of `--print-config`: a settings file with all settings, their defaults and a comment each.
enum PrintedSettings {
    static var text: String {
        var lines = [
            "# All settings of vitrine with their defaults. Settings without a default are comments.",
            "# The file of the user is ~/.config/vitrine/config.toml.",
        ]
        var table = ""
        for setting in SettingValues.descriptions {
            let parts = setting.name.split(separator: ".").map(String.init)
            let (prefix, key) = (TOMLValue.key(parts.dropLast()), TOMLValue.key(parts.suffix(1)))
            if prefix != table {
                lines += ["", "[\(prefix)]"]
                table = prefix
            }
            lines += wrapped(setting.documentation + " Values: \(setting.values)")
            lines.append(setting.value.map { "\(key) = \($0.text)" } ?? "# \(key) =")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let width = 100

    /// The text as comments, wrapped at spaces.
    private static func wrapped(_ text: String) -> [String] {
        var lines = ["#"]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > width { lines.append("#") }
            lines[lines.count - 1] += " " + word
        }
        return lines
    }
}
