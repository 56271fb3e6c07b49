import SeededRandom
import Input
import Testing

/// A script with an error in its last line, and the expected message.
struct WrongScript: Sendable, CustomTestStringConvertible {
    let text: String
    let message: String
    var testDescription: String { text }

    init(_ text: String, _ message: String) {
        self.text = text
        self.message = message
    }

    static let all: [WrongScript] = [
        WrongScript(
            "0 touch frame\n\n5 touch dwon 0 1 2",
            "line 3: “dwon” is not one of down, move, up, shape, frame, cancel"),
        WrongScript(
            "0 tuch frame",
            "line 1: “tuch” is not one of touch, pinch, swipe, hold, pointer, pen, key, modifiers, text, resize, scale"
        ),
        WrongScript("0 touch down 0 1", "line 1: the line ends where y in px is expected"),
        WrongScript(
            "0",
            "line 1: the line ends where one of touch, pinch, swipe, hold, pointer, "
                + "pen, key, modifiers, text, resize, scale is expected"),
        WrongScript("0 touch frame now", "line 1: unexpected “now” after the end of the event"),
        WrongScript(
            "9 touch frame\n8.5 touch frame",
            "line 2: the time 8.5 is earlier than the previous time 9"),
        WrongScript(
            "9 end\n10 touch frame", "line 2: nothing may follow the line that says `end`"),
        WrongScript("9 end\n10 end", "line 2: nothing may follow the line that says `end`"),
        WrongScript(
            "touch down 0 1 2", "line 1: “touch” is not a number; a time in ms is expected"),
        WrongScript(
            "-1 touch frame",
            "line 1: “-1” is out of range; a time in ms is expected, from 0 to 86400000"),
        WrongScript(
            "0 touch down 0.5 1 2",
            "line 1: “0.5” is not a number; a contact's id without a fraction is expected"),
        WrongScript(
            "0 touch down 0 1e400 2",
            "line 1: “1e400” is out of range; x in px is expected, from -8388608 to 8388608"),
        WrongScript(
            "310 swipe begin 3 | swipe update 1 2",
            "line 1: unexpected “|” after the end of the event"),
        WrongScript(
            "0 key Hyper+a", "line 1: “Hyper” is not one of Shift, Ctrl, Alt, Super"),
        WrongScript(
            "0 text commit %C3", "line 1: “%C3” is not a text with correct %XX codes of UTF-8"),
        WrongScript(
            "0 text commit %G0", "line 1: “%G0” is not a text with correct %XX codes of UTF-8"),
        WrongScript(
            "0 text",
            "line 1: the line ends where one of delete, commit, preedit, reset is expected"),
        WrongScript(
            "0 key a types", "line 1: the line ends where the text that the key types is expected"),
        WrongScript("0 key ++", "line 1: “++” is not a key such as Right or Ctrl+plus"),
        WrongScript("0 resize 1200", "line 1: “1200” is not a size such as 1200x800"),
        WrongScript(
            "0 resize 0x800",
            "line 1: “0” is out of range; a size such as 1200x800 is expected, from 1 to 32767"),
        WrongScript(
            "0 scale 0", "line 1: “0” is out of range; a scale is expected, from 0.1 to 32"),
        WrongScript("0 pen down 1 2", "line 1: “1” is not one of tip, eraser"),
        WrongScript(
            "0 pen hover 1 2", "line 1: “hover” is not one of down, move, up, cancel, button"),
        WrongScript(
            "0 pen button fourth 1 2", "line 1: “fourth” is not one of first, second, third"),
        WrongScript(
            "0 pointer axis vertical 3 finger 120",
            "line 1: unexpected “120” after the end of the event"),
        WrongScript(
            "0 \u{1B}[31m\u{0}",
            "line 1: “\u{FFFD}[31m\u{FFFD}” is not one of touch, pinch, "
                + "swipe, hold, pointer, pen, key, modifiers, text, resize, scale"),
    ]
}

@Suite struct GestureScriptErrorTests {
    @Test(arguments: WrongScript.all)
    func messageNamesTheLineAndTheProblem(_ script: WrongScript) {
        let error = #expect(throws: GestureScriptError.self) {
            try GestureScript(parsing: script.text)
        }
        #expect(error?.description == script.message)
    }

    @Test(arguments: [
        "nan", "inf", "-inf", "infinity", "0x10", "0x1p3", "1e", "1.", ".5", "+5", "--5", "1,5",
        "1_000", "٣", "1e5e5", "",
    ])
    func acceptsPlainNumbersOnly(_ word: String) {
        #expect(throws: GestureScriptError.self) {
            try GestureScript(parsing: "0 touch move 0 \(word) 5")
        }
    }

    @Test func aLongWordIsTruncatedInTheMessage() {
        let word = String(repeating: "a", count: 100_000)
        let error = #expect(throws: GestureScriptError.self) {
            try GestureScript(parsing: "0 \(word)")
        }
        #expect((error?.description.count ?? .max) < 200)
    }

    /// The parser returns a script or an error for arbitrary bytes.
    @Test func garbageNeverTraps() {
        var random = SeededGenerator(seed: 11)
        let pieces = [
            "0", "1e9", "-", "touch", "down", "pinch", "update", "pointer", "axis", "vertical",
            "wheel", "key", "Ctrl+", "+", "resize", "x", "1x", "end", "#", "\n", "\r", "\t", "é",
            "\u{0}", "9223372036854775808", "cancelled",
        ]
        for _ in 0..<3000 {
            let words = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            let text = words.joined(separator: Bool.random(using: &random) ? " " : "")
            if let script = try? GestureScript(parsing: text) {
                #expect((try? GestureScript(parsing: script.text)) == script)
            }
        }
    }
}
