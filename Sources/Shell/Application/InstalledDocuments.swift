import Commands
import TOML

/// The man page and the bash completion, made from the tables of options, settings and commands.
package enum InstalledDocuments {
    /// The lines of `vitrine.1` between the introduction and the notes: OPTIONS, KEYS and SETTINGS.
    package static var manualSections: String {
        var lines = [".SH OPTIONS"]
        for entry in OptionTable.entries {
            let names = escaped(entry.names.joined(separator: ", "))
            let argument = entry.argument.isEmpty ? "" : " \"\(escaped(entry.argument))\""
            lines += [".TP", ".BI \"\(names) \"" + argument, sentence(entry.documentation)]
        }
        for (mode, title) in [(CommandMode.viewer, "KEYS"), (.grid, "KEYS OF THE GRID")] {
            lines.append(".SH \(title)")
            for entry in CommandTable.entries {
                guard let keys = entry.keys[mode] else { continue }
                let labels = escaped(names(of: keys).joined(separator: ", "))
                lines += [".TP", ".B \"\(labels)\"", sentence(entry.summary(in: mode))]
            }
        }
        lines.append(".SH SETTINGS")
        for setting in Options.settingDescriptions {
            let byDefault = setting.value.map { "; default \($0.plainText)" } ?? ""
            let values = escaped("(\(setting.values)\(byDefault))")
            lines += [
                ".TP", ".BR \"\(escaped(setting.name)) \" \"\(values)\"",
                escaped(setting.documentation),
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The labels of distinct keys, without keypad keys and alternative names.
    static func names(of keys: [KeyBinding]) -> [String] {
        var names: [String] = []
        for key in keys where !key.name.hasPrefix("KP_") && !key.name.hasPrefix("Page_") {
            if key.hasControl, names.contains(KeyBinding(stringLiteral: key.name).label) {
                continue
            }
            if !names.contains(key.label) { names.append(key.label) }
        }
        return names
    }

    /// The bash completion: options, settings and log levels.
    package static var bashCompletion: String {
        let options = OptionTable.entries.flatMap(\.names).joined(separator: " ")
        let settings = Options.settingDescriptions.map { $0.name + "=" }.joined(separator: " ")
        let levels = Diagnostics.Level.names(separator: " ")
        return """
            # bash completion for vitrine
            _vitrine() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                case $previous in
                --set)
                    COMPREPLY=($(compgen -W "\(settings)" -- "$current"))
                    return ;;
                --config)
                    compopt -o filenames
                    COMPREPLY=($(compgen -f -- "$current"))
                    return ;;
                --log-level)
                    COMPREPLY=($(compgen -W "\(levels)" -- "$current"))
                    return ;;
                esac
                if [[ $current == -* ]]; then
                    COMPREPLY=($(compgen -W "\(options)" -- "$current"))
                else
                    compopt -o filenames
                    COMPREPLY=($(compgen -f -- "$current"))
                fi
            }
            complete -F _vitrine vitrine

            """
    }

    private static func sentence(_ text: String) -> String {
        escaped(text.prefix(1).uppercased() + text.dropFirst() + ".")
    }

    /// Escapes the characters that are special in roff.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "-": result += "\\-"
            case "\\": result += "\\e"
            default: result.append(character)
            }
        }
        return result
    }
}
