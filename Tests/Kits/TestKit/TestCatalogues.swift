import Glibc

/// The catalogues of translations, compiled into a temporary folder, and two more for tests.
package enum TestCatalogues {
    /// Runs `meson-helpers/install/translations`.
    package static func script(_ arguments: String...) -> ChildProcess {
        ChildProcess.run([Binaries.package + "/meson-helpers/install/translations"] + arguments)
    }

    /// The folder for TEXTDOMAINDIR, with all languages, en_XA and ar_XB; nil without msgfmt.
    package static let folder: String? = {
        let path = kept.path
        let results = [script("build", path), script("pseudo", path)]
        return results.allSatisfy { $0.status == 0 } ? path : nil
    }()

    private static let kept = TemporaryFolder()

    /// The environment of a program in a language such as "de_DE"; a `folder` has other catalogues.
    ///
    /// Nil where the machine has no sources of locales.
    package static func environment(_ language: String, folder: String? = nil) -> [String]? {
        guard let locales = TestLocale.folder(with: language),
            let catalogues = folder ?? Self.folder
        else { return nil }
        return [
            "LC_ALL=\(language).UTF-8", "LOCPATH=\(locales)", "TEXTDOMAINDIR=\(catalogues)",
            "XDG_CACHE_HOME=\(kept.path)/cache", "PATH=/usr/bin:/bin",
        ]
    }
}
