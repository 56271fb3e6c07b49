import Glibc
import SystemCalls

/// The languages of the environment's messages, by the rules of gettext(3).
package enum Languages {
    /// The names of catalogues to look for, such as "pt_BR" and "pt"; nil for the locales C and POSIX.
    package static var ofEnvironment: [String]? {
        let list = getenv("LANGUAGE").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        return catalogues(
            locale: EnvironmentLocale.name(of: "LC_MESSAGES") ?? "C", list: list)
    }

    /// The names for a locale and the value of LANGUAGE.
    static func catalogues(locale: String, list: String?) -> [String]? {
        guard locale != "C", locale != "POSIX" else { return nil }
        let languages = list.map { $0.split(separator: ":").map(String.init) } ?? [locale]
        let names = languages.flatMap { language in
            let name = String(language.prefix { $0 != "." && $0 != "@" })
            return name.contains("_") ? [name, String(name.prefix { $0 != "_" })] : [name]
        }
        let known = names.filter { $0 != "C" && $0 != "POSIX" && !$0.contains("/") && !$0.isEmpty }
        return known.isEmpty ? nil : known
    }

    /// Whether the language of a catalogue such as "ar_EG" is written from right to left.
    static func isRightToLeft(_ name: String) -> Bool {
        let primary = name.prefix { $0.isLetter }.lowercased()
        return ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"].contains(
            primary)
    }
}
