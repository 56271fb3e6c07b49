import Testing

@testable import Application

/// The rows of `--help`, in languages with and without spaces.
@Suite struct HelpRowTests {
    private func lines(_ name: String, _ meaning: String) -> [String] {
        Help.row(name, meaning).split(separator: "\n").map(String.init)
    }

    @Test func wordsAreWrappedAtSpaces() {
        let meaning = Array(repeating: "word", count: 40).joined(separator: " ")
        let lines = lines("--name", meaning)
        #expect(lines.count == 4 && lines.allSatisfy { $0.count <= 96 && !$0.hasSuffix(" ") })
        #expect(lines[0].hasPrefix("  --name" + String(repeating: " ", count: 21) + "word word"))
        let joined = lines.map { $0.dropFirst(29) }.joined(separator: " ")
        #expect(joined == meaning)
    }

    /// Chinese and Japanese have no spaces, and their letters take two columns.
    @Test(arguments: ["画像を右へ動かす。「全体」では、前の画像へ", "向右移动图片；在适合窗口时，转到上一张图片（可设置）"])
    func wideLettersAreCountedTwice(sentence: String) {
        let meaning = String(repeating: sentence, count: 6)
        let lines = lines("--名前", meaning)
        #expect(lines.count > 3)
        for line in lines {
            #expect(TerminalText.width(of: line) <= 96)
            #expect(!"、。」；，）".contains(line.drop { $0 == " " }.first ?? " "))
            #expect(!"「（".contains(line.last ?? " "))
        }
        let name = "--名前" + String(repeating: " ", count: 21)
        #expect(lines.map { $0.drop { $0 == " " } }.joined() == name + meaning)
    }

    /// Korean has spaces: words stay whole.
    @Test func koreanWordsStayWhole() {
        let meaning = Array(repeating: "사진을", count: 30).joined(separator: " ")
        let lines = lines("--name", meaning)
        #expect(lines.count == 4 && lines.allSatisfy { TerminalText.width(of: $0) <= 96 })
        #expect(lines.map { $0.dropFirst(29) }.joined(separator: " ") == meaning)
    }

    @Test func longWordsAndEmptyMeaningsAreWhole() {
        let long = String(repeating: "x", count: 200)
        #expect(lines("-a", long) == ["  -a" + String(repeating: " ", count: 25) + long])
        #expect(lines(long, "b") == ["  " + long, String(repeating: " ", count: 29) + "b"])
        #expect(lines("-a", "").count == 1)
    }
}
