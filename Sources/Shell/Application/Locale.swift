import Glibc

/// The locale of the environment.
enum Locale {
    /// The language tag, such as "pt-br"; nil for the locales C and POSIX.
    static var language: String? {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        guard let value = names.lazy.compactMap({ getenv($0) }).first(where: { $0.pointee != 0 })
        else { return nil }
        let locale = String(cString: value).prefix { $0 != "." && $0 != "@" }
        guard locale != "C", locale != "POSIX" else { return nil }
        return locale.lowercased().replacing("_", with: "-")
    }

    /// Whether the language is written from right to left.
    static var isRightToLeft: Bool {
        guard let language else { return false }
        let primary = String(language.prefix { $0 != "-" })
        return ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"].contains(
            primary)
    }
}
