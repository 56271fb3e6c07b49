import Glibc
import Synchronization

/// Locales that tests compile from the system's sources.
package enum TestLocale {
    /// Swedish sorts å, ä and ö after z; German sorts ä as a.
    ///
    /// In English hours count to 12.
    private static let names = ["sv_SE", "de_DE", "en_US"]

    /// Whether the machine has what tests need: Debian's package `locales`.
    package static let isAvailable = folder != nil

    /// The folder of the compiled locales, for LOCPATH; nil where the machine has no sources.
    package static let folder: String? = names.allSatisfy { compile($0) } ? target : nil

    /// The folder of the compiled locales with one more of them; nil where the machine has no sources.
    ///
    /// The test languages en_XA and ar_XB have the rules of English and of Arabic.
    package static func folder(with name: String) -> String? {
        guard let folder else { return nil }
        let source = ["en_XA": "en_US", "ar_XB": "ar_EG"][name] ?? name
        return lock.withLock { _ in compile(name, from: source) ? folder : nil }
    }

    /// Compiles a locale unless that is done; returns false where the machine has no sources.
    ///
    /// Several processes may compile the same locale: each one renames a draft of its own.
    private static func compile(_ name: String, from source: String? = nil) -> Bool {
        let locale = "\(target)/\(name).UTF-8"
        if access(locale, F_OK) == 0 { return true }
        let draft = "\(locale).\(getpid())"
        mkdir(target, 0o755)
        let result = ChildProcess.run([
            "localedef", "--no-archive", "-i", source ?? name, "-f", "UTF-8", draft,
        ])
        return result.status == 0 && (rename(draft, locale) == 0 || access(locale, F_OK) == 0)
    }

    private static let lock = Mutex(())
    /// A folder that later processes use again, from VITRINE_LOCALES, or a temporary one.
    private static let target =
        getenv("VITRINE_LOCALES").map { String(cString: $0) } ?? keptFolder.path
    private static let keptFolder = TemporaryFolder()

    /// Lets this process find the compiled locales.
    ///
    /// Called once, before the first use of a locale: the environment is changed a single time, and
    /// readers on other threads see the old or the new one.
    package static let isInstalled: Bool = {
        guard let folder else { return false }
        return setenv("LOCPATH", folder, 1) == 0
    }()
}
