import CoreTestKit
import SeededRandom
import TOML
import Testing

/// Changes of a document keep whatever they do not change.
@Suite struct TOMLEditTests {
    private func set(_ key: String, _ value: TOMLValue, in text: String) -> String? {
        let path = key.split(separator: ".").map(String.init)
        return TOMLDocument(text).setting(path, to: value).map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    @Test(arguments: [
        // A value in its place.
        ("# top\na.b = 1 # why\n\nc=2", "# top\na.b = 5 # why\n\nc=2"),
        ("[a] # t\r\n  b\t=\t\"x\"  # why\r\n", "[a] # t\r\n  b\t=\t5  # why\r\n"),
        ("a = { x = 1 , b = [1,\n2] }", "a = { x = 1 , b = 5 }"),
        // A key beside its siblings.
        ("a.c = 1\nz = 2\n", "a.c = 1\na.b = 5\nz = 2\n"),
        ("[a]\nc = 1 # why\n# end\n\n[z]\n", "[a]\nc = 1 # why\nb = 5\n# end\n\n[z]\n"),
        ("[a]\r\nc = 1", "[a]\r\nc = 1\r\nb = 5\r\n"), ("a = {c = 1}\n", "a = {c = 1, b = 5}\n"),
        // A key of an empty table.
        ("x = 1\n[a]\n[z]\n", "x = 1\n[a]\nb = 5\n[z]\n"), ("[a]", "[a]\nb = 5\n"),
        // A new table.
        ("", "[a]\nb = 5\n"), ("x = 1", "x = 1\n\n[a]\nb = 5\n"),
        ("[z]\r\nc = 1\r\n", "[z]\r\nc = 1\r\n\r\n[a]\r\nb = 5\r\n"),
        // Lines that are wrong stay.
        ("a.c = oops\n[x]\n", "a.c = oops\n[x]\n\n[a]\nb = 5\n"),
    ])
    func oneValueChanges(_ before: String, _ after: String) {
        #expect(set("a.b", .integer(5), in: before) == after)
    }

    @Test(arguments: ["a = 1", "a = {}", "a.b.c = 1"])
    func aKeyWithoutAPlaceIsRefused(_ text: String) {
        #expect(set("a.b", .integer(5), in: text) == nil)
    }

    /// Random documents, damaged at random: a change keeps the other entries, and all other bytes.
    @Test func aChangeKeepsTheRest() {
        var random = SeededGenerator(seed: 21)
        for number in 0..<2000 {
            var text = RandomTOML.document(&random)
            if number % 2 == 0 { text = RandomTOML.damaged(text, &random) }
            let document = TOMLDocument(text)
            let path = document.entries.randomElement(using: &random)?.path ?? ["a", "b"]
            let value = RandomTOML.value(&random, depth: 2)
            guard let edited = document.setting(path, to: value) else { continue }
            #expect(
                edited.entries.filter { $0.path != path }.map(\.value.text)
                    == document.entries.filter { $0.path != path }.map(\.value.text))
            guard let entry = document.entries.first(where: { $0.path == path }) else { continue }
            #expect(edited.bytes.starts(with: document.bytes[..<entry.range.lowerBound]))
            #expect(
                edited.bytes.reversed().starts(
                    with: document.bytes[entry.range.upperBound...].reversed()))
        }
    }

    @Test func whatIsWrittenIsReadAgain() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<5000 {
            let value = RandomTOML.value(&random, depth: 4)
            #expect(TOMLValue(value.text) == value)
        }
    }

    /// Bytes at random, and documents with bytes changed at random.
    @Test func noInputCrashes() {
        var random = SeededGenerator(seed: 3)
        for number in 0..<5000 {
            let bytes =
                number % 4 == 0
                ? (0..<Int.random(in: 0...80, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                } : Array(RandomTOML.damaged(RandomTOML.document(&random), &random).utf8)
            for entry in TOMLDocument(bytes).entries {
                #expect(entry.range.upperBound <= bytes.count && entry.line >= 1)
            }
        }
    }
}
