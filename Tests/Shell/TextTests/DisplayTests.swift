import Testing

@testable import SceneModel

/// Texts from outside, made fit for a screen and a terminal.
@Suite struct DisplayTests {
    @Test(arguments: [
        ("plain name.jpg", "plain name.jpg"), ("a\nb\tc\u{0}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
        ("\u{1B}[31mred\u{7F}\u{9B}", "\u{FFFD}[31mred\u{FFFD}\u{FFFD}"),
        ("a\u{2028}b\u{2029}c", "a\u{FFFD}b\u{FFFD}c"), ("e\u{301} 👩‍👧 שלום", "e\u{301} 👩‍👧 שלום"),
        ("photo\u{202E}gpj.exe\u{202C}", "photo\u{FFFD}gpj.exe\u{FFFD}"), ("", ""),
    ])
    func controlCharactersAreReplaced(text: String, shown: String) {
        #expect(Array(text.display.unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test func longTextsLoseTheirMiddle() {
        let text = String(repeating: "a", count: 5000) + String(repeating: "b", count: 5000)
        let shown = text.display
        #expect(shown.unicodeScalars.count == 4097)
        #expect(shown.hasPrefix("aaa") && shown.hasSuffix("bbb") && shown.contains("…"))
    }

    /// In a sentence from right to left the parts of "IMG 2024 (1)" would change their order.
    @Test func namesInASCIIAreIsolatedFromRightToLeft() {
        #expect("name.jpg".isolated == "name.jpg")
        #expect("name.jpg".isolated(fromRightToLeft: true) == "\u{2068}name.jpg\u{2069}")
        #expect("".isolated(fromRightToLeft: true) == "")
    }

    @Test(arguments: [
        ("“a.jpg” נמחק", TextStyle.Direction.rightToLeft, TextStyle.Direction.rightToLeft),
        ("\u{2068}שלום\u{2069} was moved", .leftToRight, .leftToRight),
        // Names and numbers alone have their own direction.
        ("\u{2068}שלום.jpg\u{2069}", .leftToRight, .content),
        ("\u{2068}שלום.jpg\u{2069} (2)", .rightToLeft, .content),
        ("IMG 2024 (1)", .rightToLeft, .content), ("−12.5 %", .rightToLeft, .content),
        ("שלום world", .content, .content),
    ])
    func sentencesHaveTheDirectionOfTheInterface(
        text: String, style: TextStyle.Direction, direction: TextStyle.Direction
    ) {
        #expect(text.baseDirection(in: style) == direction)
    }

    /// Isolates inside a text are balanced, so the outer isolate ends exactly where the text ends.
    @Test(arguments: [
        "näme", "\u{202E}gpj.exe", "\u{2067}\u{2067}a", "a\u{2069}\u{2069}b", "\u{2066}a\u{2069}b",
        "\u{2069}\u{2067}x\u{2069}\u{2069}\u{2068}",
    ])
    func isolatesAreBalanced(text: String) throws {
        let scalars = Array(text.isolated.unicodeScalars)
        var depth = 0
        for (place, scalar) in scalars.enumerated() {
            if ("\u{2066}"..."\u{2068}").contains(scalar) { depth += 1 }
            if scalar == "\u{2069}" { depth -= 1 }
            #expect(depth > 0 || place == scalars.count - 1)
        }
        #expect(depth == 0 && scalars.first == "\u{2068}")
        let kept = scalars.filter { !("\u{2066}"..."\u{2069}").contains($0) }
        #expect(kept == text.unicodeScalars.filter { !("\u{2066}"..."\u{2069}").contains($0) })
    }
}
