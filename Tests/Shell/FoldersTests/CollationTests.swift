import Glibc
import TestKit
import Testing

@testable import Folders

/// Names in the order of a locale.
@Suite struct CollationTests {
    private func names(_ names: [String], in collation: Collation?) -> [String] {
        let bytes = sorted(names.map { Array($0.utf8) }, in: collation)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    private func sorted(_ names: [[UInt8]], in collation: Collation?) -> [[UInt8]] {
        var builder = ListingBuilder(collation: collation)
        let folder = builder.index(of: Folder(prefix: Array("/p/".utf8), root: 0))
        for name in names {
            builder.see(ListingBuilder.FoundFile(place: .init(folder: folder, name: name)))
        }
        return builder.listing(in: ListingOrder(.name)).entries.map(\.name)
    }

    private func collation(_ name: String) throws -> Collation {
        try #require(TestLocale.isInstalled)
        return try #require(Collation(locale: name))
    }

    @Test(arguments: ["C", "POSIX", "C.UTF-8", "", "xx_NOWHERE", "../../etc", "a/b"])
    func localesWithoutACollationLeaveTheNaturalOrder(_ name: String) {
        #expect(Collation(locale: name) == nil)
    }

    @Test func withoutALocaleTheOrderIsNatural() {
        #expect(
            names(["z", "ä", "B", "a10", "a9"], in: nil) == ["a9", "a10", "B", "z", "ä"])
    }

    /// Stems come before extensions, as in file managers, without a locale and with one.
    @Test(arguments: [nil, "sv_SE.UTF-8"]) func stemsComeBeforeExtensions(locale: String?) throws {
        if locale != nil, !TestLocale.isAvailable { return }
        let ordered = [
            ".hidden", ".jpg", "park", "park.", "park.jpg", "park.png", "park 2", "park 2.jpg",
            "park 10.jpg", "park-a.jpg", "park.2.jpg", "parka.jpg",
        ]
        let names = names(ordered.reversed(), in: try locale.map(collation))
        let files = [
            "park", "park.jpg", "park.png", "park 2", "park 2.jpg", "park 10.jpg", "parka.jpg",
        ]
        #expect(names.filter(files.contains) == files)
        #expect(Set(names) == Set(ordered))
    }

    @Test(.enabled(if: TestLocale.isAvailable)) func eachLanguageHasItsOrder() throws {
        let mixed = ["zebra", "ärlig", "apple", "Ödla", "Apfel", "åka", "ofen", "Zoo"]
        #expect(
            names(mixed, in: try collation("sv_SE.UTF-8")) == [
                "Apfel", "apple", "ofen", "zebra", "Zoo", "åka", "ärlig", "Ödla",
            ])
        #expect(
            names(mixed, in: try collation("de_DE.UTF-8")) == [
                "åka", "Apfel", "apple", "ärlig", "Ödla", "ofen", "zebra", "Zoo",
            ])
    }

    @Test(.enabled(if: TestLocale.isAvailable)) func numbersSortByValue() throws {
        let ordered = [
            "bild 0", "bild 7", "bild 007", "bild 9 b", "bild 10 a", "bild 99", "bild 100",
            "bild 12345678", "bild 123456789", "bild 1234567890", "bild " + "9" * 17,
            "bild 1" + "0" * 17, "bild 1" + "0" * 18, "bild 2" + "0" * 18, "bild 1" + "0" * 240,
            "bild ä1", "bild ä2", "bild ä10",
        ]
        let collation = try collation("sv_SE.UTF-8")
        // Names that differ in leading zeros alone are ordered by their bytes.
        let expected = ["bild 0", "bild 007", "bild 7"] + ordered.dropFirst(3)
        #expect(names(ordered.reversed(), in: collation) == expected)
        #expect(names(ordered, in: collation) == expected)
    }

    /// Names of any bytes sort the same from every order of reading.
    @Test(.enabled(if: TestLocale.isAvailable)) func bytesThatAreNotUTF8SortStably() throws {
        let collation = try collation("de_DE.UTF-8")
        var seed = UInt64(3)
        func random(_ count: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % count
        }
        let alphabet: [UInt8] = [0x61, 0x41, 0x31, 0x30, 0x20, 0xFF, 0xC3, 0xA4, 0x80, 0xED, 0x01]
        let names = Set(
            (0..<600).map { _ in
                (0..<(1 + random(8))).map { _ in alphabet[random(alphabet.count)] }
            })
        let first = sorted(names.sorted { $0.lexicographicallyPrecedes($1) }, in: collation)
        #expect(first.count == names.count && Set(first) == names)
        #expect(sorted(Array(names), in: collation) == first)
        #expect(sorted(first.reversed(), in: collation) == first)
    }

    @Test(.enabled(if: TestLocale.isAvailable)) func longNamesHaveWholeKeys() throws {
        let collation = try collation("sv_SE.UTF-8")
        // Eight bytes of key or more for each byte of the name.
        let long = String(repeating: "1ﷺ", count: 60)
        let ordered = [long + "a", long + "b", long + "z", long + "ä"]
        #expect(names(ordered.reversed(), in: collation) == ordered)
    }

    @Test(.enabled(if: TestLocale.isAvailable)) func foldersHaveTheSameOrder() throws {
        var builder = ListingBuilder(collation: try collation("sv_SE.UTF-8"))
        for folder in ["/p/ärlig/", "/p/zebra/", "/p/bild 10/", "/p/bild 9/"] {
            let index = builder.index(
                of: Folder(prefix: Array(folder.utf8), root: 0, givenLength: 3))
            builder.see(
                ListingBuilder.FoundFile(place: .init(folder: index, name: Array("a".utf8))))
        }
        let listing = builder.listing(in: ListingOrder(.name))
        #expect(
            listing.sectionsByFolder().map(\.title) == ["bild 9", "bild 10", "zebra", "ärlig"])
    }
}

extension String {
    fileprivate static func * (text: String, count: Int) -> String {
        String(repeating: text, count: count)
    }
}
