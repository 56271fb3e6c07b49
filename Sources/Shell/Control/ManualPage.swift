/// Text of the man pages of both programs, in the macros of man(7).
package enum ManualPage {
    /// A paragraph about a name; `argument` is empty for a name without one.
    package static func entry(_ name: String, _ argument: String, _ help: String) -> [String] {
        let argument = argument.isEmpty ? "" : " \"\(escaped(argument))\""
        return [".TP", ".BI \"\(escaped(name)) \"" + argument, sentence(help)]
    }

    package static func sentence(_ text: String) -> String {
        escaped(text.prefix(1).uppercased() + text.dropFirst() + ".")
    }

    /// Escapes the characters that are special in roff; a quotation mark would end an argument.
    package static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("\"", with: "\\(dq")
    }
}
