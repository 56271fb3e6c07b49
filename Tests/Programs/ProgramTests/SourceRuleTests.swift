import TestKit
import Testing

/// Rules that the compiler does not check: what documents name exists, and what is unchecked is proved.
@Suite struct SourceRuleTests {
    /// The Swift and C files of these folders, by their paths.
    private static func sources(_ folders: String...) -> [String: String] {
        let paths = ChildProcess.run(
            ["find"] + folders.map { Binaries.package + "/" + $0 } + [
                "-name", "*.swift", "-o", "-name", "*.c", "-o", "-name", "*.h",
            ]
        ).output.split(separator: "\n").map(String.init)
        return Dictionary(
            uniqueKeysWithValues: paths.map { ($0, TestFile.text($0) ?? "") })
    }

    /// The texts between backticks.
    private static func code(_ text: some StringProtocol) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    // MARK: SECURITY.md

    private static let security = TestFile.text(Binaries.package + "/SECURITY.md") ?? ""

    /// `Suite.test`, a test alone, a suite alone, an action of the hostile decoder, or a setting.
    @Test func everyNameInTheSecurityDocumentExists() {
        let tests = Self.sources("Tests")
        let sources = Self.sources("Sources")
        let names = Self.code(Self.security).filter { name in
            name.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
        }
        #expect(names.count > 40)
        for name in names
        where !["vitrine", "vitrine-decode", "vitrine-mqtt", "vitrine-thumbnailer"].contains(name)
            && !name.hasPrefix("--")
        {
            let parts = name.split(separator: ".").map(String.init)
            let exists =
                if parts.count == 2, parts[0].hasSuffix("Tests") {
                    tests.values.contains {
                        $0.contains(" \(parts[0]) ") && $0.contains("func \(parts[1])(")
                    }
                } else if name.hasSuffix("Tests") {
                    tests.values.contains { $0.contains("struct \(name) ") }
                } else if parts.count == 2 {
                    // A setting: the row of its table has its last part.
                    sources.values.contains { $0.contains("\"\(parts[1])\"") }
                } else {
                    tests.contains {
                        $0.value.contains("func \(name)(")
                            || $0.key.contains("HostileDecoder") && $0.value.contains("\"\(name)\"")
                    }
                }
            #expect(exists, "SECURITY.md names \(name), which does not exist")
        }
    }

    /// Each claim names its test; only what is not bounded at all has none.
    @Test func everyClaimOfTheSecurityDocumentHasATest() {
        let rows = Self.security.split(separator: "\n").filter { $0.hasPrefix("| ") }.map {
            $0.split(separator: "|").map { $0.drop { $0.isWhitespace } }
        }.filter { $0.count >= 3 && !$0[0].hasPrefix("-") && !$0[0].hasPrefix("it can") }
        #expect(rows.count > 20)
        for row in rows {
            let hasTest = Self.code(row[2]).contains { $0.contains("Tests.") }
            #expect(hasTest || row[1].hasPrefix("nothing"), "no test shows: \(row[0])")
        }
    }

    // MARK: The interface

    /// A padding, gap, margin or inset of the interface is one of `Theme.Space`.
    @Test func spacesComeFromTheTheme() {
        let sources = Self.sources(
            "Sources/Core/Interface", "Sources/Core/Browser", "Sources/Core/Kiosk")
        #expect(sources.values.contains { $0.contains("Theme.Space.text") })
        let own = /(?i)let [a-z]*(padding|gap|margin|inset) = -?[0-9]/
        for (path, source) in sources {
            for line in source.split(separator: "\n") where line.contains(own) {
                Issue.record("\(path): a space of its own: \(line)")
            }
        }
    }

    // MARK: Sources/README.md

    /// The folders, files, types and functions that the recipes name.
    @Test func everyNameInTheRecipesExists() throws {
        let map = try #require(TestFile.text(Binaries.package + "/Sources/README.md"))
        let recipes = try #require(
            map.split(separator: "\n## ").first { $0.hasPrefix("Where to put things") })
        let names = Self.code(recipes).filter { name in
            !name.contains { " …#".contains($0) } && name != "wayland.xml"
        }
        #expect(names.count > 200)
        let isPath = { (name: String) in
            name.contains("/")
                || [".swift", ".h", ".md", ".1"].contains { name.hasSuffix($0) }
        }
        let paths = ChildProcess.run(
            ["find"]
                + ["Sources", "Tests", "meson-helpers", "protocols", "."].map {
                    Binaries.package + "/" + $0
                } + ["-name", ".?*", "-prune", "-o", "-print"]
        ).output.split(separator: "\n")
        for name in names where isPath(name) {
            let exists = paths.contains { $0.hasSuffix("/" + name) }
            #expect(exists, "the recipes name \(name), which does not exist")
        }
        // Parts of names such as `Session.perform` or `inputState(at:)`.
        let words = Set(
            names.filter { !isPath($0) }.flatMap { name in
                name.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
            })
        let found = ChildProcess.run(
            ["grep", "-rohwE", words.joined(separator: "|")]
                + ["Sources", "Tests", "meson-helpers", "Package.swift"].map {
                    Binaries.package + "/" + $0
                } + [
                    "--include=*.swift", "--include=*.[ch]", "--include=lib.sh",
                    "--include=package",
                ]
        ).output.split(separator: "\n")
        let missing = words.subtracting(found.map(String.init))
        #expect(missing.isEmpty, "the recipes name \(missing.sorted()), which do not exist")
    }

    // MARK: @unchecked Sendable

    /// The comment of each type says why threads may share it.
    @Test func everyUncheckedSendableIsProved() {
        var count = 0
        for (path, text) in Self.sources("Sources", "Tests")
        where path.hasSuffix(".swift") && !path.hasSuffix("/SourceRuleTests.swift") {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated()
            where line.contains("@unchecked Sendable") && !line.contains("///") {
                count += 1
                let comment = lines[..<number].reversed().prefix { line in
                    let start = line.drop { $0.isWhitespace }
                    return start.hasPrefix("///") || start.hasPrefix("@")
                }
                #expect(
                    comment.contains { $0.contains("`@unchecked Sendable`: ") },
                    "\(path):\(number + 1): no sentence proves this")
            }
        }
        #expect(count > 20)
    }

    // MARK: The same bytes in every folder

    /// The compiler writes the path of the source file, or the length of the path, into the program for these words.
    @Test(arguments: ["withoutActuallyEscaping", "#filePath", "__FILE__", "__BASE_FILE__"])
    func noProgramContainsTheFolderOfItsBuild(word: String) {
        let sources = Self.sources("Sources")
        #expect(sources.count > 500)
        for (path, text) in sources {
            #expect(!text.contains(word), "\(path): the program depends on its folder by \(word)")
        }
    }
}
