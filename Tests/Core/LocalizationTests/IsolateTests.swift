import SeededRandom
import Localization
import Testing

/// Marks of direction around names stay in pairs, however a text is cut.
@Suite struct IsolateTests {
    private static let letters: [Unicode.Scalar] = [
        "a", "ü", "ש", "”", "猫", "👩", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}", "\u{2069}",
    ]

    private func text(_ length: Int, using random: inout some RandomNumberGenerator) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<length {
            scalars.append(Self.letters.randomElement(using: &random) ?? "a")
        }
        return String(scalars)
    }

    private func isWhole(_ text: String) -> Bool {
        var depth = 0
        for scalar in text.unicodeScalars {
            if ("\u{2066}"..."\u{2068}").contains(scalar) { depth += 1 }
            if scalar == "\u{2069}" { depth -= 1 }
            if depth < 0 { return false }
        }
        return depth == 0
    }

    private func letters(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { !("\u{2066}"..."\u{2069}").contains($0) }
    }

    @Test func isolatesAreMadeWhole() {
        var random = SeededGenerator(seed: 41)
        for length in 0..<400 {
            let text = text(length % 40, using: &random)
            let whole = text.withWholeIsolates
            #expect(isWhole(whole) && letters(whole) == letters(text))
            #expect(whole.withWholeIsolates == whole)
            #expect(Array(text.withoutIsolates.unicodeScalars) == letters(text))
        }
    }

    @Test func aCutTextFitsAndIsWhole() {
        var random = SeededGenerator(seed: 42)
        for number in 0..<2000 {
            let text = text(number % 60, using: &random)
            let limit = Int.random(in: 0...120, using: &random)
            let cut = text.cut(toBytes: limit)
            guard text.utf8.count > limit else {
                #expect(cut == text)
                continue
            }
            #expect(cut.utf8.count <= limit && isWhole(cut))
            #expect(cut.isEmpty == (limit < 3))
            guard limit >= 3 else { continue }
            let kept = letters(cut)
            #expect(kept.last == "…" && letters(text).starts(with: kept.dropLast()))
        }
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "ab…"), ("äöü", 5, "ä…"), ("äöü", 4, "…"),
        ("\u{2068}äöü\u{2069}", 11, "\u{2068}ä…\u{2069}"), ("äöü", 2, ""),
    ])
    func cuts(text: String, limit: Int, shown: String) {
        #expect(Array(text.cut(toBytes: limit).unicodeScalars) == Array(shown.unicodeScalars))
    }
}
