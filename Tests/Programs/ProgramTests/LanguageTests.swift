import Geometry
import Glibc
import TestKit
import Testing

/// The program in the languages of its catalogues, and in the two languages for tests.
@Suite(.enabled(if: TestLocale.isAvailable))
struct LanguageTests {
    private let folder = TemporaryFolder()

    private func run(
        _ language: String, _ arguments: [String], catalogues: String? = nil
    ) throws -> ChildProcess {
        let environment: [String] = try #require(
            TestCatalogues.environment(language, folder: catalogues))
        return Binaries.vitrine(arguments, environment: environment)
    }

    /// The template has all texts of the source, each catalogue is complete, has the same values in
    /// each text, and its plural forms.
    @Test func theCataloguesAreComplete() {
        let result = TestCatalogues.script("check")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    /// The desktop shows the program's purpose and actions in the language of the person.
    @Test func theDesktopEntryHasEveryLanguage() throws {
        let result = TestCatalogues.script("entry")
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        let path = Binaries.package + "/Sources/Distribution/po/LINGUAS"
        let languages = try #require(TestFile.text(path)).split { " \n".contains($0) }
        #expect(languages.count >= 14)
        for language in languages + ["pt", "zh_HK", "zh_MO", "zh_SG"] {
            for (key, count) in [("GenericName", 1), ("Comment", 1), ("Keywords", 1), ("Name", 3)] {
                let found = lines.filter { $0.hasPrefix("\(key)[\(language)]=") }
                #expect(found.count == count, "\(key)[\(language)]")
                #expect(key != "Keywords" || found.allSatisfy { $0.hasSuffix(";") })
            }
        }
        #expect(lines.contains("Comment[de]=Bildbetrachter für Touchscreens"))
        #expect(lines.contains("Name[fr]=Diaporama du dossier d’images"))
    }

    @Test(
        arguments: [
            ("de_DE", "Aufruf: vitrine"), ("fr_FR", "Utilisation : vitrine"),
            ("ar_EG", "الاستخدام: vitrine"), ("ja_JP", "使い方: vitrine"), ("zh_TW", "用法：vitrine"),
            // Regions that share a catalogue.
            ("zh_HK", "用法：vitrine"), ("zh_SG", "用法：vitrine"), ("pt_PT", "Uso: vitrine"),
        ])
    func theHelpIsInTheLanguage(language: String, beginning: String) throws {
        let result = try run(language, ["--help"])
        #expect(result.status == 0 && result.output.hasPrefix(beginning), "\(result.output)")
    }

    @Test func messagesAreInTheLanguage() throws {
        let broken = folder.file("broken.png", "no picture at all")
        let result = try run("de_DE", ["--headless", "64x64", broken, folder / "missing.png"])
        #expect(result.errors.contains("broken.png: dies ist eine Textdatei, kein Bild"))
        #expect(result.errors.contains("missing.png: es gibt keine solche Datei"))
        #expect(try run("de_DE", ["--wrong"]).errors.contains("unbekannte Option --wrong"))
    }

    /// Russian has three forms.
    @Test(arguments: [(1, "1 изображение"), (3, "3 изображения"), (5, "5 изображений")])
    func numbersHaveTheirPluralForms(count: Int, text: String) throws {
        let album = TemporaryFolder()
        for number in 0..<count {
            _ = album.file("\(number).png", TestPicture.card(20, 10).png())
        }
        let tree = folder / "grid.json"
        let result = try run(
            "ru_RU",
            [
                "--headless", "800x600", "--script", folder.file("s.txt", "900 end\n"), "--ui-at",
                "800:\(tree)", album.path,
            ])
        #expect(result.errors == "")
        #expect(TestFile.text(tree)?.contains("\"\(text)\"") == true)
    }

    // MARK: Bad catalogues and locales

    @Test func aDamagedCatalogueIsNamedOnce() throws {
        let catalogues = TemporaryFolder()
        let path = catalogues.path + "/de/LC_MESSAGES"
        #expect(ChildProcess.run(["mkdir", "-p", path]).status == 0)
        let whole = try #require(TestCatalogues.folder) + "/de/LC_MESSAGES/vitrine.mo"
        let bytes = try #require(TestFile.read(whole))
        let english = Binaries.vitrine(["--help"], environment: ["LC_ALL=C"])
        let damaged = [[], Array("no catalogue".utf8), Array(bytes[..<(bytes.count / 2)])]
        for contents in damaged {
            _ = catalogues.file("de/LC_MESSAGES/vitrine.mo", contents)
            let result = try run("de_DE", ["--help"], catalogues: catalogues.path)
            #expect(result.status == 0 && result.output == english.output)
            #expect(result.errors.split(separator: "\n").count == 1)
            #expect(result.errors.contains("vitrine.mo: the catalogue is damaged"))
        }
    }

    /// Neither a locale that is not installed nor one without a catalogue changes a text.
    @Test(arguments: ["xx_YY.UTF-8", "de_XX", "sv_SE.UTF-8", "C.UTF-8", "/etc/passwd"])
    func anotherLocaleIsEnglish(locale: String) throws {
        var environment: [String] = try #require(TestCatalogues.environment("de_DE"))
        environment[0] = "LC_ALL=\(locale)"
        let result = Binaries.vitrine(["--help"], environment: environment)
        #expect(result.errors == "")
        #expect(result.output == Binaries.vitrine(["--help"], environment: ["LC_ALL=C"]).output)
    }

    // MARK: From right to left

    /// Two languages have the same texts: one runs from left to right, one from right to left.
    @Test(arguments: ["key Return", "key Menu", "key F1", "key c"])
    func theInterfaceMirrors(event: String) throws {
        let picture = folder.file("card.png", TestPicture.card(400, 300).png())
        let script = folder.file("s.txt", "0 \(event)\n900 end\n")
        var rects: [[[Double]]] = []
        for language in ["en_XA", "ar_XB"] {
            let tree = folder / "\(language).json"
            let result = try run(
                language,
                [
                    "--headless", "640x480", "--script", script, "--ui-at", "800:\(tree)",
                    "--viewer", picture,
                ])
            #expect(result.errors == "")
            let text = try #require(TestFile.text(tree))
            #expect(text.contains("⟦"))
            rects.append(Self.rects(text))
        }
        #expect(rects[0].count == rects[1].count && rects[0].count > 4)
        let mirrored = rects[0].map { [640 - $0[0] - $0[2], $0[1], $0[2], $0[3]] }
        // The picture itself does not mirror, and is in the middle. The fonts of the two languages differ
        // a little.
        for (rect, other) in zip(mirrored, rects[1]) {
            #expect(zip(rect, other).allSatisfy { abs($0 - $1) < 14 }, "\(rect) \(other)")
        }
    }

    private static func rects(_ tree: String) -> [[Double]] {
        tree.split(separator: "\"rect\":[").dropFirst().map { part in
            part.prefix { $0 != "]" }.split(separator: ",").compactMap { Double($0) }
        }
    }

    /// The next page lies to the left.
    @Test(arguments: [("en_XA", "Right"), ("ar_XB", "Left")])
    func keysTurnThePages(language: String, key: String) throws {
        let script = folder.file("s.txt", "100 key \(key)\n900 end\n")
        let album = album()
        let result = try run(
            language,
            [
                "--headless", "300x200", "--script", script, "--trace", "-", "--viewer",
                album.path,
            ])
        #expect(TraceFrame.all(result.output).last?.numbers("image") == [20, 10])
    }

    /// A finger that goes to the right brings in the page at the left, which is the next one.
    @Test(arguments: [("en_XA", -1.0), ("ar_XB", 1)])
    func swipesTurnThePages(language: String, side: Double) throws {
        var lines = ["0 touch down 0 150 100", "0 touch frame"]
        for step in 1...10 {
            let x = 150 + side * Double(step * 12)
            lines += ["\(step * 16) touch move 0 \(x) 100", "\(step * 16) touch frame"]
        }
        lines += ["170 touch up 0", "170 touch frame", "1500 end"]
        let script = folder.file("s.txt", lines.joined(separator: "\n"))
        let album = album()
        let result = try run(
            language,
            [
                "--headless", "300x200", "--script", script, "--trace", "-", "--viewer",
                album.path,
            ])
        let last = try #require(TraceFrame.all(result.output).last)
        #expect(last.numbers("image") == [20, 10] && last.text("phase") == "idle")
    }

    private func album() -> TemporaryFolder {
        let album = TemporaryFolder()
        for (name, width) in [("1.png", 10), ("2.png", 20), ("3.png", 30)] {
            _ = album.file(name, TestPicture.card(width, 10).png())
        }
        return album
    }
}
