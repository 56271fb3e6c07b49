/// Where a gesture script cannot be understood, and why, in words for a person.
package struct GestureScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Problem: Hashable, Sendable {
        /// The line ends where this was expected.
        case missing(String)
        /// The line goes on after a complete event.
        case surplus(String)
        /// None of the words that may stand here.
        case unknown(String, expected: String)
        /// Not a number in plain decimal notation.
        case notANumber(String, expected: String)
        /// A number, but beyond what can be meant.
        case outOfRange(String, expected: String, lowest: Double, highest: Double)
        case earlier(time: Double, previous: Double)
        case afterEnd
    }

    /// Counted from 1.
    package let line: Int
    package let problem: Problem

    package init(line: Int, problem: Problem) {
        self.line = line
        self.problem = problem
    }

    package var description: String {
        "line \(line): \(problem)"
    }
}

extension GestureScriptError.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let expected):
            return "the line ends where \(expected) is expected"
        case .surplus(let word):
            return "nothing is expected any more at \(quoted(word))"
        case .unknown(let word, let expected):
            return "\(quoted(word)) is not \(expected)"
        case .notANumber(let word, let expected):
            return "\(quoted(word)) is not a number; \(expected) is expected"
        case .outOfRange(let word, let expected, let lowest, let highest):
            let range = "\(ScriptNumber.text(lowest)) to \(ScriptNumber.text(highest))"
            return "\(quoted(word)) is out of range; \(expected) is expected, from \(range)"
        case .earlier(let time, let previous):
            let (time, previous) = (ScriptNumber.text(time), ScriptNumber.text(previous))
            return "the time \(time) is earlier than \(previous) on a line before"
        case .afterEnd:
            return "nothing may follow the line that says `end`"
        }
    }

    /// The word as it can be shown on one line of a terminal, whatever it holds.
    private func quoted(_ word: String) -> String {
        let longest = 40
        let shown = word.unicodeScalars.prefix(longest).map { scalar in
            scalar.properties.generalCategory == .control
                || scalar.properties.generalCategory == .format ? "\u{FFFD}" : Character(scalar)
        }
        return "“\(String(shown))\(word.unicodeScalars.count > longest ? "…" : "")”"
    }
}
