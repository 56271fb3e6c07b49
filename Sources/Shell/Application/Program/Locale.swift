import Folders
import SystemCalls
import Threads

/// The locale of the environment.
enum Locale {
    /// The language tag, such as "pt-br"; nil for the locales C and POSIX.
    static var language: String? {
        EnvironmentLocale.name(of: "LC_CTYPE").flatMap(language(of:))
    }

    /// The name of the locale for dates and times.
    static let ofTimes = EnvironmentLocale.name(of: "LC_TIME")

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

    /// The language tag of a locale such as "pt_BR.UTF-8"; nil for the locales C and POSIX.
    static func language(of name: String) -> String? {
        let locale = name.prefix { $0 != "." && $0 != "@" }
        guard locale != "C", locale != "POSIX" else { return nil }
        return locale.lowercased().replacing("_", with: "-")
    }
}
