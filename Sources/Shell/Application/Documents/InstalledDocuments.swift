import Commands
import TOML
import Control

/// The man page and the bash completion, made from the tables of options, settings and commands.
package enum InstalledDocuments {
    /// The lines of `vitrine.1` between the introduction and the notes: OPTIONS, MESSAGES, KEYS and SETTINGS.
    package static var manualSections: String {
        var lines = [".SH OPTIONS"]
        for entry in OptionTable.entries {
            let names = entry.names.joined(separator: ", ")
            lines += ManualPage.entry(names, entry.argument, entry.documentation)
        }
        lines += [
            ".SH MESSAGES",
            ".B vitrine msg", ".RI [ \"\\-\\-socket FILE\" | \"\\-\\-pid PID\" ]",
            ".RI [ \"\\-\\-output NAME\" ]",
            ".I COMMAND", ".RI [ ARGUMENT ...]",
            "sends a message to the viewer that runs, and prints its reply, a line of JSON.",
            "The exit code is 1 if the reply is an error.",
        ]
        for entry in MessageTable.entries {
            lines += ManualPage.entry(entry.name, entry.arguments, entry.help)
        }
        for (mode, title) in [(CommandMode.viewer, "KEYS"), (.grid, "KEYS OF THE GRID")] {
            lines.append(".SH \(title)")
            for entry in CommandTable.entries {
                guard let keys = entry.keys[mode] else { continue }
                let labels = ManualPage.escaped(names(of: keys).joined(separator: ", "))
                lines += [".TP", ".B \"\(labels)\"", ManualPage.sentence(entry.summary(in: mode))]
            }
        }
        lines.append(".SH SETTINGS")
        for setting in SettingValues.descriptions {
            let byDefault = setting.value.map { "; default \($0.plainText)" } ?? ""
            let values = ManualPage.escaped("(\(setting.values)\(byDefault))")
            lines += [
                ".TP", ".BR \"\(ManualPage.escaped(setting.name)) \" \"\(values)\"",
                ManualPage.escaped(setting.documentation),
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
        let settings = SettingValues.descriptions.map { $0.name + "=" }.joined(separator: " ")
        let messages = MessageTable.entries.map(\.name).joined(separator: " ")
        let words = MessageTable.entries.filter { !$0.words.isEmpty }.map { entry in
            "            \(entry.name)) words=\"\(entry.words.joined(separator: " "))\" ;;"
        }.joined(separator: "\n")
        let commands = CommandTable.entries.map(\.command.rawValue).joined(separator: " ")
        let keys = SettingValues.descriptions.map(\.name).joined(separator: " ")
        let levels = Diagnostics.Level.names(separator: " ")
        return """
            # bash completion for vitrine
            _vitrine() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                if [[ ${COMP_WORDS[1]} == msg ]] && ((COMP_CWORD > 1)); then
                    local words=
                    if ((COMP_CWORD == 2)); then words="--socket --pid --output --help \(messages)"; fi
                    case $previous in
            \(words)
                    do) words="\(commands)" ;;
                    set) words="\(keys)" ;;
                    esac
                    if [[ $words ]]; then
                        COMPREPLY=($(compgen -W "$words" -- "$current"))
                    else
                        compopt -o filenames
                        COMPREPLY=($(compgen -f -- "$current"))
                    fi
                    return
                fi
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
                    if ((COMP_CWORD == 1)); then
                        COMPREPLY+=($(compgen -W "msg formats" -- "$current"))
                    fi
                fi
            }
            complete -F _vitrine vitrine

            """
    }
}
