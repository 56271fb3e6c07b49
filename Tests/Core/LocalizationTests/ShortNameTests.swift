import SeededRandom
import Localization
import Testing

/// Long names lose their middle in messages.
@Suite struct ShortNameTests {
    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abc…fg"), ("abcdefg", 5, "ab…fg"),
        ("abc", 1, "…"), ("", 1, ""), ("👩‍👧👩‍👧👩‍👧👩‍👧", 3, "👩‍👧…👩‍👧"),
        ("e\u{301}e\u{301}e\u{301}e\u{301}", 3, "e\u{301}…e\u{301}"),
        ("\u{2067}abcdef\u{2069}", 4, "\u{2067}a…\u{2069}"),
        ("\u{2067}abcdef\u{2069}gh", 5, "\u{2067}a…gh\u{2069}"),
        ("ab\u{2067}cdef\u{2069}gh", 7, "ab\u{2067}…\u{2069}gh"),
    ])
    func theMiddleIsLeftOut(text: String, limit: Int, shown: String) {
        let short = text.withoutMiddle(beyond: limit)
        #expect(Array(short.unicodeScalars) == Array(shown.unicodeScalars))
    }

    /// Names of mixed scripts, as long as a file system takes.
    @Test func aShortNameHasBothEnds() {
        let letters = [
            "a", "W", "ü", "ж", "ש", "م", "猫", "한", "ก", "🐈", "👩‍👧", "e\u{301}", " ", "\u{2067}",
            "\u{2068}", "\u{2069}",
        ]
        var random = SeededGenerator(seed: 43)
        for number in 0..<1000 {
            var name = ""
            let limit = number % 256
            while let letter = letters.randomElement(using: &random),
                name.utf8.count + letter.utf8.count <= limit
            {
                name += letter
            }
            let short = name.shortName
            guard name.count > String.longestName else {
                #expect(short == name)
                continue
            }
            #expect(short.withWholeIsolates == short)
            #expect(short.withoutIsolates.count <= String.longestName)
            let ends = short.withoutIsolates.split(separator: "…", omittingEmptySubsequences: false)
            #expect(ends.count == 2)
            let whole = name.withoutIsolates
            #expect(whole.hasPrefix(ends[0]) && whole.hasSuffix(ends[ends.count - 1]))
        }
    }
}
