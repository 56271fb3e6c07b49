import Commands
import Control

/// The completions for zsh and fish, made from the same tables as the one for Bash.
extension InstalledDocuments {
    package static var zshCompletion: String {
        let options = OptionTable.entries.flatMap { entry in
            entry.names.map { zshOption($0, entry) }
        }
        let messages = MessageTable.entries.map { entry in
            "        '\(entry.name):\(quoted(entry.help))'"
        }
        let words = messageWords.map { "        \($0.message)) compadd -- \($0.words) ;;" }
        return """
            #compdef vitrine
            # zsh completion for vitrine

            _vitrine_messages() {
                local -a messages
                messages=(
            \(messages.joined(separator: "\n"))
                )
                if ((CURRENT == 3)); then
                    _describe message messages
                    compadd -- --socket --pid --output --help
                    return
                fi
                case ${words[CURRENT - 1]} in
            \(words.joined(separator: "\n"))
                    *) _files ;;
                esac
            }

            _vitrine() {
                if ((CURRENT > 2)) && [[ ${words[2]} == msg ]]; then
                    _vitrine_messages
                    return
                fi
                _arguments \\
            \(options.map { "        \($0) \\" }.joined(separator: "\n"))
                    '1: :_alternative "subcommands:subcommand:(msg formats)" "files:picture:_files"' \\
                    '*:picture:_files'
            }

            _vitrine "$@"

            """
    }

    package static var fishCompletion: String {
        var lines = ["# fish completion for vitrine"]
        let outside = "complete -c vitrine -n 'not __fish_seen_subcommand_from msg'"
        for entry in OptionTable.entries {
            let names = entry.names.map {
                $0.hasPrefix("--") ? "-l \($0.dropFirst(2))" : "-s \($0.dropFirst())"
            }
            let value: String
            if let words = words(of: entry) {
                value = " -x -a '\(words)'"
            } else {
                value = entry.argument.isEmpty ? "" : takesFile(entry) ? " -r" : " -x"
            }
            let name = names.joined(separator: " ")
            lines.append("\(outside) \(name)\(value) -d '\(quoted(entry.documentation))'")
        }
        lines.append("complete -c vitrine -n __fish_use_subcommand -a 'msg formats'")
        let first = "__fish_seen_subcommand_from msg; and test (count (commandline -opc)) -eq 2"
        for entry in MessageTable.entries {
            lines.append(
                "complete -c vitrine -f -n '\(first)' -a \(entry.name) -d '\(quoted(entry.help))'")
        }
        for (message, words) in messageWords {
            let isNext =
                "__fish_seen_subcommand_from msg; and test (commandline -opc)[-1] = \(message)"
            lines.append("complete -c vitrine -f -n '\(isNext)' -a '\(words)'")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The words that may follow a message, in the order of the table.
    private static var messageWords: [(message: String, words: String)] {
        let fixed = MessageTable.entries.filter { !$0.words.isEmpty }.map {
            ($0.name, $0.words.joined(separator: " "))
        }
        let commands = CommandTable.entries.map(\.command.rawValue).joined(separator: " ")
        let keys = SettingValues.descriptions.map(\.name).joined(separator: " ")
        return fixed + [("do", commands), ("set", keys)]
    }

    /// The words that the argument of an option may be; nil if there is no list of them.
    private static func words(of entry: OptionEntry) -> String? {
        switch entry.argument {
        case "KEY=VALUE": SettingValues.descriptions.map { $0.name + "=" }.joined(separator: " ")
        case "LEVEL": Diagnostics.Level.names(separator: " ")
        default: nil
        }
    }

    private static func takesFile(_ entry: OptionEntry) -> Bool { entry.argument.contains("FILE") }

    private static func zshOption(_ name: String, _ entry: OptionEntry) -> String {
        // Brackets end a description, and colons separate the parts.
        let text = quoted(entry.documentation).replacing("[", with: "(").replacing("]", with: ")")
        let argument = entry.argument.replacing(":", with: "\\:")
        let action: String
        if let words = words(of: entry) {
            action = ":\(argument):{compadd -S \"\" -- \(words)}"
        } else {
            action =
                entry.argument.isEmpty ? "" : ":\(argument):" + (takesFile(entry) ? "_files" : " ")
        }
        return "'*\(name)[\(text)]\(action)'"
    }

    /// A text between single quotes, for both shells: none of the tables has one.
    private static func quoted(_ text: String) -> String { text.replacing("'", with: "’") }
}
