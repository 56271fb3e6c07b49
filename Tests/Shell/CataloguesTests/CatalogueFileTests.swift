import Glibc
import Localization
import TestKit
import Testing

@testable import Catalogues

/// Compiled catalogues, whole and damaged, and the names under which they are looked for.
@Suite struct CatalogueFileTests {
    /// A catalogue of two texts, as msgfmt writes it.
    private func catalogue() throws -> [UInt8] {
        let folder = TemporaryFolder()
        let source = folder.file(
            "de.po",
            #"""
            msgid ""
            msgstr ""
            "Content-Type: text/plain; charset=UTF-8\n"
            "Plural-Forms: nplurals=2; plural=n != 1;\n"

            msgid "Open"
            msgstr "Öffnen"

            msgid "%s picture"
            msgid_plural "%s pictures"
            msgstr[0] "%s Bild"
            msgstr[1] "%s Bilder"

            """#)
        let result = ChildProcess.run(["msgfmt", "-o", folder / "de.mo", source])
        #expect(result.status == 0, "\(result.errors)")
        return try #require(TestFile.read(folder / "de.mo"))
    }

    @Test func aCatalogueOfMsgfmtIsSound() throws {
        #expect(CatalogueFile.isSound(try catalogue()))
    }

    @Test func aShortenedCatalogueIsNotSound() throws {
        let bytes = try catalogue()
        for count in 0..<bytes.count { #expect(!CatalogueFile.isSound(Array(bytes[..<count]))) }
    }

    /// Each number of the header and of the tables that lies outside of the file is noticed.
    @Test func wildNumbersAreNoticed() throws {
        let bytes = try catalogue()
        for place in stride(from: 0, to: 28, by: 4) {
            for value: UInt8 in [0x7F, 0xFF] {
                var damaged = bytes
                damaged.replaceSubrange(place..<place + 4, with: [value, value, value, value])
                #expect(!CatalogueFile.isSound(damaged), "\(place)")
            }
        }
    }

    /// No damage ends the process.
    @Test func everyByteMayBeAnyOther() throws {
        let bytes = try catalogue()
        for place in bytes.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var damaged = bytes
                damaged[place] = value
                _ = CatalogueFile.isSound(damaged)
            }
        }
    }

    @Test(
        arguments: [
            ("C", nil, nil), ("POSIX", "de", nil), ("de_DE.UTF-8", nil, ["de_DE", "de"]),
            ("pt_BR", nil, ["pt_BR", "pt"]), ("ca_ES@valencia", nil, ["ca_ES", "ca"]),
            ("de_DE.UTF-8", "fr:pt_BR", ["fr", "pt_BR", "pt"]), ("de_DE", "C", nil),
            ("../../etc", nil, nil),
        ] as [(String, String?, [String]?)])
    func theEnvironmentNamesTheLanguages(locale: String, list: String?, names: [String]?) {
        #expect(Languages.catalogues(locale: locale, list: list) == names)
    }

    @Test(arguments: [("ar", true), ("he_IL", true), ("fa", true), ("de", false), ("pt_BR", false)])
    func languagesHaveADirection(name: String, isRightToLeft: Bool) {
        #expect(Languages.isRightToLeft(name) == isRightToLeft)
    }

    /// English texts are not mirrored because the environment names a language from right to left that
    /// has no catalogue, or a locale that is not installed.
    @Test func englishIsWrittenFromLeftToRight() async {
        await #expect(processExitsWith: .success) {
            setenv("LOCPATH", "/nonexistent", 1)
            setenv("TEXTDOMAINDIR", "/nonexistent", 1)
            for (locale, list) in [("ar_EG.UTF-8", ""), ("C.UTF-8", "fa"), ("fa_IR", "fa:he")] {
                setenv("LC_ALL", locale, 1)
                setenv("LANGUAGE", list, 1)
                #expect(Catalogues.start() == nil)
                #expect(Translation.isEnglish && !Translation.isRightToLeft)
            }
        }
    }
}
