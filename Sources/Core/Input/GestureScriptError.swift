import Localization

/// A syntax error in a gesture script; its description is a message for people.
package struct GestureScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Problem: Hashable, Sendable {
        /// The line ends where the value is expected.
        case missing(String)
        /// The line continues after a complete event.
        case surplus(String)
        /// A word that is not one of the allowed ones.
        case unknown(String, expected: String)
        /// Not a number in plain decimal notation.
        case notANumber(String, expected: String)
        /// A number outside the allowed range.
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
        localized("line \(line): \(problem)")
    }
}

extension GestureScriptError.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let expected):
            return localized("the line ends where \(expected) is expected")
        case .surplus(let word):
            return localized("unexpected \(quoted(word)) after the end of the event")
        case .unknown(let word, let expected):
            return localized("\(quoted(word)) is not \(expected)")
        case .notANumber(let word, let expected):
            return localized("\(quoted(word)) is not a number; \(expected) is expected")
        case .outOfRange(let word, let expected, let lowest, let highest):
            let (low, high) = (ScriptNumber.text(lowest), ScriptNumber.text(highest))
            return localized(
                "\(quoted(word)) is out of range; \(expected) is expected, from \(low) to \(high)")
        case .earlier(let time, let previous):
            let (time, previous) = (ScriptNumber.text(time), ScriptNumber.text(previous))
            return localized("the time \(time) is earlier than the previous time \(previous)")
        case .afterEnd:
            return localized("nothing may follow the line that says `end`")
        }
    }

    /// The word, made safe for one line of a terminal: shortened, without control characters.
    private func quoted(_ word: String) -> String {
        let longest = 40
        let shown = word.unicodeScalars.prefix(longest).map { scalar in
            scalar.properties.generalCategory == .control
                || scalar.properties.generalCategory == .format ? "\u{FFFD}" : Character(scalar)
        }
        return "“\(String(shown))\(word.unicodeScalars.count > longest ? "…" : "")”"
    }
}
