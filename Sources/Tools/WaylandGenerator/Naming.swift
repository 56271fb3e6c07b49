/// Converts names of a description to Swift names.
enum Naming {
    /// `wl_surface` → `WlSurface`, `zxdg_decoration_manager_v1` → `ZxdgDecorationManagerV1`.
    static func type(_ name: String) -> String {
        name.split(separator: "_").map { capitalized(String($0)) }.joined()
    }

    /// The nested type of an enumeration: `dnd_action` → `DndAction`.
    ///
    /// `Type` cannot be declared in Swift; the other two are nested types of the bindings.
    static func enumeration(_ name: String) -> String {
        let type = type(name)
        return ["Type", "Event", "Request"].contains(type) ? type + "Value" : type
    }

    /// `set_min_size` → `setMinSize`, escaped where Swift needs it.
    static func member(_ name: String) -> String {
        let words = name.split(separator: "_").map(String.init)
        let camel = (words.first ?? "") + words.dropFirst().map(capitalized).joined()
        if let first = camel.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) {
            return "_" + camel
        }
        return keywords.contains(camel) ? "`\(camel)`" : camel
    }

    private static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    /// The reserved words of Swift that a protocol might use.
    private static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "operator", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
        "typealias", "var", "where", "while",
    ]
}
