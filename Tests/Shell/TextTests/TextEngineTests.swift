import CCairo
import Geometry
import SceneModel
import TestKit
import Testing
import Text

/// Text of every script, laid out and painted by Pango.
@Suite struct TextEngineTests {
    private let engine = TextEngine()
    private let folder = TemporaryFolder()

    /// A name in each script, with what is hard about the script.
    static let names: [(script: String, text: String)] = [
        ("Latin with combining marks", "Cafe\u{301} n\u{303}andu\u{301} Z\u{30C}\u{323}.jpg"),
        ("Greek", "Φωτογραφία του Αιγαίου.jpg"), ("Cyrillic", "Фотографія з відпустки.jpg"),
        ("Korean", "제주도 여행 사진.jpg"), ("Korean letters", "\u{1112}\u{1161}\u{11AB}글.jpg"),
        ("Japanese", "京都の紅葉 アルバム.jpg"), ("Chinese", "长城上的日出.jpg"),
        ("Arabic", "صورة من القاهرة.jpg"), ("Hebrew", "תמונה מירושלים.jpg"),
        ("Hindi", "हिमालय की तस्वीर.jpg"), ("Thai", "ภาพถ่ายที่เชียงใหม่.jpg"),
        ("emoji with joiners", "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽.jpg"),
        ("mixed directions", "IMG 12 – שלום world مرحبا 34.jpg"),
    ]

    /// The same glyphs lie in the same places as in a picture by pango-view.
    @Test(arguments: names) func textLooksAsInPangoView(script: String, text: String) throws {
        let path = folder / "pango.png"
        // The engine moves the baseline to a whole pixel, pango-view does not: a size is chosen whose
        // baseline is on a whole pixel. Since cairo 1.18 glyphs lie at quarters of a pixel.
        let baseline = engine.measure(text, TextStyle(size: 20), width: nil).baseline
        let size = 20 * baseline.rounded() / baseline
        let style = TextStyle(size: size)
        let shown = ChildProcess.run([
            "pango-view", "--no-display", "--margin=0", "--dpi=96", "--font=sans-serif \(size)px",
            "--antialias=gray", "--hint-metrics=off", "--subpixel-positions", "--single-par",
            "--text=\(text)", "--output=\(path)",
        ])
        try #require(shown.status == 0, "\(shown.errors)")
        let reference = try #require(Screenshot(path))
        let painted = try PaintedText(text, style, engine, size: reference.size)
        #expect(abs(painted.extents.width - Double(reference.size.width)) <= 1)
        #expect(abs(painted.extents.height - Double(reference.size.height)) <= 2)
        #expect(painted.inkedPixels > 200)
        // pango-view rounds the ascent up, so its text may lie some pixels lower.
        let differing = (0...2).map { painted.differingPixels(from: reference, shiftedBy: $0) }
        // A mark above a letter may be rounded to another pixel, where its place is just between two.
        #expect(differing.min() ?? .max < 10, "\(script)")
    }

    @Test func aTextThatIsTooWideLosesItsMiddle() {
        let style = TextStyle(size: 15)
        let name = "a very long name of a picture from the last holiday.jpg"
        let whole = engine.measure(name, style, width: nil)
        #expect(!whole.isShortened && whole.lines == 1)
        let short = engine.measure(name, style, width: whole.width / 2)
        #expect(short.isShortened && short.width <= whole.width / 2 && short.lines == 1)
        #expect(short.height == whole.height)
    }

    @Test func aTextOfSeveralLinesIsWrapped() {
        let text = String(repeating: "word ", count: 100)
        let three = engine.measure(text, TextStyle(size: 14, lines: 3), width: 200)
        #expect(three.lines == 3 && three.isShortened && three.width <= 200)
        let all = engine.measure(text, TextStyle(size: 14, lines: 40), width: 200)
        #expect(all.lines > 10 && !all.isShortened)
        #expect(all.height > three.height * 3)
    }

    /// Pango would end lines within words with hyphens, which then look like parts of a name.
    @Test(arguments: ["x", "и", "é", "ω"], [false, true])
    func noHyphenIsInserted(letter: String, hasTabularDigits: Bool) {
        let style = TextStyle(size: 16, lines: 9, hasTabularDigits: hasTabularDigits)
        let line = String(repeating: letter, count: 10)
        // There is no room for a hyphen behind ten letters.
        let width = engine.measure(line, style, width: nil).width + 1
        let shown = engine.measure(line + line + line + line, style, width: width)
        #expect(shown.lines == 4 && !shown.isShortened)
    }

    /// Pango widens an ellipsis to what is left of the limit, which looks like a gap in the name.
    @Test(arguments: ["n", "и", "猫", "ن", "א"], [1, 2])
    func aShortenedTextIsAsWideAsItsLetters(letter: String, lines: Int) {
        let style = TextStyle(size: 15, lines: lines)
        let name = String(repeating: letter, count: 200) + ".jpg"
        let one = engine.measure(letter, style, width: nil).width
        var widths: Set<Double> = []
        for step in 0..<40 {
            let limit = 100 + 2 * one * Double(step) / 40
            let shown = engine.measure(name, style, width: limit)
            #expect(shown.isShortened && shown.width <= limit)
            widths.insert(shown.width)
        }
        // A letter within an Arabic word is narrower than one alone.
        #expect(widths.count <= 12)
    }

    @Test func linesMayBeCentered() throws {
        let text = "word word word wo"
        func paint(isCentered: Bool) throws -> PaintedText {
            try PaintedText(
                text, TextStyle(size: 14, lines: 3, isCentered: isCentered), engine,
                size: PixelSize(width: 160, height: 60), width: 120)
        }
        let (left, centered) = (try paint(isCentered: false), try paint(isCentered: true))
        #expect(left.extents.lines == 2 && centered.extents == left.extents)
        let line = Int(left.extents.height / 2)
        // The first line fills the width; the second one moves.
        #expect(
            abs(
                left.inkedColumns(0..<line).lowerBound
                    - centered.inkedColumns(0..<line).lowerBound) <= 1)
        let (first, second) = (
            centered.inkedColumns(0..<line), centered.inkedColumns(line + 2..<60)
        )
        #expect(second.lowerBound > first.lowerBound + 20)
        #expect(
            abs(first.lowerBound + first.upperBound - second.lowerBound - second.upperBound) <= 4)
    }

    /// The order of the parts on the screen is that of the same text with a mark of its direction.
    @Test(arguments: [
        // A Latin name first, a name of ASCII characters inside, and a Hebrew name first.
        ("photo.jpg הועבר לאשפה", TextStyle.Direction.rightToLeft, "\u{200F}photo.jpg הועבר לאשפה"),
        (
            "“\u{2068}IMG 2024 (1)\u{2069}” הועבר לאשפה", .rightToLeft,
            "\u{200F}“\u{2066}IMG 2024 (1)\u{2069}” הועבר לאשפה"
        ),
        (
            "“\u{2068}תמונה\u{2069}” was moved", .leftToRight,
            "\u{200E}“\u{2067}תמונה\u{2069}” was moved"
        ),
        // A name alone keeps its direction in every language.
        ("\u{2068}IMG 2024 (1)\u{2069}", .rightToLeft, "\u{200E}IMG 2024 (1)"),
        ("-12.5", .rightToLeft, "\u{200E}-12.5"),
    ])
    func partsOfASentenceAreInItsOrder(
        text: String, direction: TextStyle.Direction, marked: String
    ) throws {
        let size = PixelSize(width: 400, height: 30)
        let style = TextStyle(size: 18, direction: direction)
        let painted = try PaintedText(text, style, engine, size: size)
        let expected = try PaintedText(marked, TextStyle(size: 18), engine, size: size)
        #expect(painted.inkedPixels > 50 && painted.shows(expected))
    }

    /// Without the direction of the interface, the first letter decides, also within an isolate.
    @Test func namesHaveTheirOwnDirection() throws {
        let size = PixelSize(width: 400, height: 30)
        let text = "photo.jpg הועבר לאשפה"
        let sentence = try PaintedText(
            text, TextStyle(size: 18, direction: .rightToLeft), engine, size: size)
        let name = try PaintedText(text, TextStyle(size: 18), engine, size: size)
        #expect(!name.shows(sentence))
        #expect(
            name.shows(try PaintedText("\u{200E}" + text, TextStyle(size: 18), engine, size: size)))
    }

    @Test func linesFromRightToLeftEndAtTheLeft() throws {
        let text = "a.jpg הועבר לאשפה עם תמונות"
        let style = TextStyle(size: 14, lines: 3, direction: .rightToLeft)
        let painted = try PaintedText(
            text, style, engine, size: PixelSize(width: 160, height: 60), width: 130)
        let line = Int(painted.extents.height / 2)
        try #require(painted.extents.lines == 2)
        let (first, second) = (
            painted.inkedColumns(0..<line), painted.inkedColumns(line + 2..<60)
        )
        #expect(abs(first.upperBound - second.upperBound) <= 4)
        #expect(second.lowerBound > first.lowerBound + 20)
    }

    @Test func digitsMayHaveOneWidth() {
        let style = TextStyle(size: 20, hasTabularDigits: true)
        let widths = Set((0...9).map { engine.measure("\($0)", style, width: nil).width })
        #expect(widths.count == 1)
    }

    /// Names that are meant to harm neither crash, nor take long, nor leave their rectangle.
    @Test(arguments: [
        String(repeating: "e\u{301}", count: 2000) + ".jpg",
        "e" + String(repeating: "\u{301}", count: 4000), "\u{202E}gpj.exe",
        "\u{2066}\u{2067}\u{202E}",
        "line\nbreak\r\ttab\u{1B}[31mred\u{0}",
        String(decoding: (128...255).map { UInt8($0) }, as: UTF8.self),
        "", " ", "\u{200D}", "\u{FFFD}", String(repeating: "W", count: 100_000),
        "\u{10FFFF}\u{E000}\u{FFFE}",
    ])
    func hostileNamesAreLaidOut(name: String) throws {
        for width in [0, 1, 37.5, 300] {
            let extents = engine.measure(name, TextStyle(size: 15), width: width)
            #expect(extents.width.isFinite && extents.height > 0 && extents.height < 400)
            #expect(extents.lines == 1)
        }
        let painted = try PaintedText(
            name, TextStyle(size: 15), engine, size: PixelSize(width: 300, height: 40), width: 200)
        #expect(painted.extents.width <= 201)
    }

    @Test(arguments: [0, -4, 1e9, .infinity, .nan])
    func extremeSizesAreSurvived(size: Double) {
        let extents = engine.measure("text", TextStyle(size: size), width: 100)
        #expect(extents.width >= 0 && extents.height >= 0)
    }
}
