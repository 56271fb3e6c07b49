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
}
