import Glibc

/// The locale that the variables of the environment name.
package enum EnvironmentLocale {
    /// The name of the locale for a category such as "LC_TIME", by the rules of setlocale(3); nil where
    /// no variable names one.
    package static func name(of category: String) -> String? {
        let names = ["LC_ALL", category, "LANG"]
        return names.lazy.compactMap { getenv($0) }.first { $0.pointee != 0 }
            .map { String(cString: $0) }
    }
}
