import Folders
import Glibc
import Threads

/// The locale of the environment.
enum Locale {
    /// The language tag, such as "pt-br"; nil for the locales C and POSIX.
    static var language: String? { name(of: "LC_CTYPE").flatMap(language(of:)) }

    /// The name of the locale for dates and times.
    static let ofTimes = name(of: "LC_TIME")

    /// Reads the dates and the order of names of the locale on another thread, before the first picture
    /// needs them: together they take a millisecond.
    static func prepare() {
        // Variables are read here, because this thread removes some of them later.
        _ = (ofTimes, Collation.locale)
        Thread.start {
            _ = DateFormat.environment
            Collation.prepare()
        }
    }

    /// The name of the locale for a category such as "LC_TIME", by the rules of setlocale(3); nil
    /// where the environment names none.
    static func name(of category: String) -> String? {
        let names = ["LC_ALL", category, "LANG"]
        return names.lazy.compactMap { getenv($0) }.first { $0.pointee != 0 }
            .map { String(cString: $0) }
    }

    /// The language tag of a locale such as "pt_BR.UTF-8"; nil for the locales C and POSIX.
    static func language(of name: String) -> String? {
        let locale = name.prefix { $0 != "." && $0 != "@" }
        guard locale != "C", locale != "POSIX" else { return nil }
        return locale.lowercased().replacing("_", with: "-")
    }
}
