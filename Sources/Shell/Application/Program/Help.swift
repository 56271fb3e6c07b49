import Commands
import Control
import Glibc
import ImageTypes
import Interface
import Localization

/// The version and the help text of the program.
enum Help {
    static let version = ProgramFacts.version

    static let text: String = {
        // Translators: lines have at most 80 characters; words in capitals are translated, too.
        var text = localized(
            """
            Usage: vitrine [OPTIONS] [PATH…]
                   vitrine msg COMMAND [ARGUMENT…]
                   vitrine formats

            Shows pictures. A folder is shown as a grid of its pictures; - reads a picture from
            standard input. Without a path the user's pictures folder is shown.

            """)
        for section in OptionEntry.Section.allCases {
            text += heading(section.title)
            for entry in OptionTable.entries where entry.section == section {
                let names = entry.names.joined(separator: ", ")
                text += row(
                    entry.argument.isEmpty ? names : names + " " + entry.argument,
                    entry.documentation)
            }
        }
        text += heading(localized("Messages to a viewer that runs, by vitrine msg"))
        for entry in MessageTable.entries { text += row(entry.usage, entry.help) }
        text += heading(localized("Settings"))
        for setting in SettingValues.descriptions {
            text += "  \(setting.name)=\(setting.values)\n"
        }
        for (mode, title) in [
            (CommandMode.viewer, localized("Keys")), (.grid, localized("Keys of the grid")),
        ] {
            text += heading(title)
            for entry in CommandTable.entries {
                guard let keys = entry.keys[mode] else { continue }
                let names = InstalledDocuments.names(of: keys).joined(separator: ", ")
                text += row(names, entry.summary(in: mode))
            }
        }
        return text
    }()

    private static func heading(_ title: String) -> String { "\n\(title):\n" }

    private static let column = 27
    private static let width = 96

    /// A name and what it means, in two columns; the second one is wrapped.
    static func row(_ name: String, _ meaning: String) -> String {
        let indent = String(repeating: " ", count: column + 2)
        let nameWidth = TerminalText.width(of: name)
        var text = "  " + name
        text +=
            nameWidth < column ? String(repeating: " ", count: column - nameWidth) : "\n" + indent
        // The spaces at the end of a part appear only before another part of the same line.
        var (used, spaces) = (column + 2, "")
        for part in TerminalText.parts(of: meaning) {
            let word = part.prefix { $0 != " " }
            let wordWidth = TerminalText.width(of: word)
            if used > column + 2, used + spaces.count + wordWidth > width {
                text += "\n" + indent
                (used, spaces) = (column + 2, "")
            }
            text += spaces + word
            used += spaces.count + wordWidth
            spaces = part.count > word.count ? " " : ""
        }
        return text + "\n"
    }

    /// Writes to standard output; returns false if the write failed.
    static func print(_ text: String) -> Bool {
        var output = OutputFile(standardOutput: ())
        return output.write(text) && output.flush()
    }
}
