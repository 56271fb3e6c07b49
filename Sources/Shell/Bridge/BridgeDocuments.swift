import Control

/// The help text, and the generated parts of the man page and of the completion.
package enum BridgeDocuments {
    package static let help: String = {
        var text = """
            Usage: vitrine-mqtt --broker HOST[:PORT] [OPTION…]

            Connects a vitrine that runs with an MQTT broker, and with Home Assistant by its
            discovery. The user name and the password come from the file of --credentials, or from
            VITRINE_MQTT_USER and VITRINE_MQTT_PASSWORD in the environment.

            Options:

            """
        for entry in BridgeOptionTable.entries {
            let name = usage(of: entry)
            let gap = max(0, 27 - name.count)
            text += "  " + name
            text += name.count < 27 ? String(repeating: " ", count: gap) : "\n" + indent
            text += wrapped(entry.help) + "\n"
        }
        return text
    }()

    private static let indent = String(repeating: " ", count: 29)

    private static func usage(of entry: BridgeOptionEntry) -> String {
        entry.argument.isEmpty ? entry.name : entry.name + " " + entry.argument
    }

    /// Wraps a text at spaces, in the second column.
    private static func wrapped(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.count + word.count + 1 > 96 - indent.count, !last.isEmpty { lines.append("") }
            let isStart = lines[lines.count - 1].isEmpty
            lines[lines.count - 1] += (isStart ? "" : " ") + word
        }
        return lines.joined(separator: "\n" + indent)
    }

    /// The section OPTIONS of `vitrine-mqtt.1`.
    package static var manualSections: String {
        var lines = [".SH OPTIONS"]
        for entry in BridgeOptionTable.entries {
            lines += ManualPage.entry(entry.name, entry.argument, entry.help)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    package static var bashCompletion: String {
        let entries = BridgeOptionTable.entries
        let options = entries.map(\.name).joined(separator: " ")
        let files = entries.filter(takesPath).map(\.name).joined(separator: " | ")
        return """
            # bash completion for vitrine-mqtt
            _vitrine_mqtt() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                case $previous in
                \(files))
                    compopt -o filenames
                    COMPREPLY=($(compgen -f -- "$current"))
                    return ;;
                esac
                COMPREPLY=($(compgen -W "\(options)" -- "$current"))
            }
            complete -F _vitrine_mqtt vitrine-mqtt

            """
    }

    package static var zshCompletion: String {
        let options = BridgeOptionTable.entries.map { entry in
            let value = takesPath(entry) ? "_files" : " "
            let action =
                entry.argument.isEmpty
                ? "" : ":\(entry.argument.replacing(":", with: "\\:")):\(value)"
            return "        '\(entry.name)[\(quoted(entry.help))]\(action)'"
        }
        return """
            #compdef vitrine-mqtt
            # zsh completion for vitrine-mqtt

            _vitrine_mqtt() {
                _arguments \\
            \(options.joined(separator: " \\\n"))
            }

            _vitrine_mqtt "$@"

            """
    }

    package static var fishCompletion: String {
        let options = BridgeOptionTable.entries.map { entry in
            let value = entry.argument.isEmpty ? "" : takesPath(entry) ? " -r -F" : " -x"
            let name = entry.name.dropFirst(2)
            return "complete -c vitrine-mqtt -f -l \(name)\(value) -d '\(quoted(entry.help))'"
        }
        return (["# fish completion for vitrine-mqtt"] + options).joined(separator: "\n") + "\n"
    }

    private static func takesPath(_ entry: BridgeOptionEntry) -> Bool {
        entry.argument == "FILE" || entry.argument == "FOLDER"
    }

    /// A text between single quotes, for zsh and fish.
    private static func quoted(_ text: String) -> String { text.replacing("'", with: "’") }
}
