import Glibc
import Synchronization

/// Locales that tests compile from the system's sources into a temporary folder.
package enum TestLocale {
    /// Swedish sorts å, ä and ö after z; German sorts ä as a.
    ///
    /// In English hours count to 12.
    private static let names = ["sv_SE", "de_DE", "en_US"]

    /// Whether the machine has what tests need: Debian's package `locales`.
    package static let isAvailable = folder != nil

    /// The folder of the compiled locales, for LOCPATH; nil where the machine has no sources.
    package static let folder: String? = {
        let target = keptFolder.path
        let results = names.map { name in
            ChildProcess.run([
                "localedef", "--no-archive", "-i", name, "-f", "UTF-8", "\(target)/\(name).UTF-8",
            ])
        }
        return results.allSatisfy { $0.status == 0 } ? target : nil
    }()

    /// The folder of the compiled locales with one more of them; nil where the machine has no sources.
    ///
    /// The test languages en_XA and ar_XB have the rules of English and of Arabic.
    package static func folder(with name: String) -> String? {
        guard let folder else { return nil }
        return lock.withLock { _ in
            let target = "\(folder)/\(name).UTF-8"
            if access(target, F_OK) == 0 { return folder }
            let source = ["en_XA": "en_US", "ar_XB": "ar_EG"][name] ?? name
            let result = ChildProcess.run([
                "localedef", "--no-archive", "-i", source, "-f", "UTF-8", target,
            ])
            return result.status == 0 ? folder : nil
        }
    }

    private static let lock = Mutex(())
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
