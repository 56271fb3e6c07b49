import Localization

/// Reads the words of one line of a gesture script in order.
struct WordReader {
    let line: Int
    private var words: ArraySlice<Substring>

    /// Splits at spaces and tabs (and a carriage return at the end), up to a `#`.
    init(_ text: Substring, line: Int) {
        self.line = line
        let code = text.prefix { $0 != "#" }
        words = code.split { $0 == " " || $0 == "\t" || $0 == "\r" }[...]
    }

    var isAtEnd: Bool { words.isEmpty }

    func error(_ problem: GestureScriptError.Problem) -> GestureScriptError {
        GestureScriptError(line: line, problem: problem)
    }

    /// Consumes the next word; `expected` describes the word in the error, and is made for an error only.
    mutating func next(
        _ expected: @autoclosure () -> String
    ) throws(GestureScriptError) -> String {
        guard let word = words.popFirst() else { throw error(.missing(expected())) }
        return String(word)
    }

    /// Consumes the next word if it equals `word`; returns whether it does.
    mutating func consume(_ word: String) -> Bool {
        guard words.first == word[...] else { return false }
        words.removeFirst()
        return true
    }

    /// Whether the next word equals `word`.
    func isNext(_ word: String) -> Bool { words.first == word[...] }

    /// Consumes the next word, which encodes a text; see `ScriptText`.
    mutating func text(
        _ expected: @autoclosure () -> String
    ) throws(GestureScriptError) -> String {
        let word = try next(expected())
        guard let text = ScriptText.text(of: word) else {
            throw error(
                .unknown(word, expected: localized("a text with correct %XX codes of UTF-8")))
        }
        return text
    }

    mutating func number(
        _ expected: @autoclosure () -> String, in range: ClosedRange<Double>
    ) throws(GestureScriptError) -> Double {
        try number(try next(expected()), expected(), in: range)
    }

    /// Parses a number from a word or from a part of one.
    func number(
        _ word: String, _ expected: @autoclosure () -> String, in range: ClosedRange<Double>
    ) throws(GestureScriptError) -> Double {
        guard let value = ScriptNumber.value(of: word) else {
            throw error(.notANumber(word, expected: expected()))
        }
        guard range.contains(value) else {
            throw error(
                .outOfRange(
                    word, expected: expected(), lowest: range.lowerBound, highest: range.upperBound)
            )
        }
        return value
    }

    mutating func integer(
        _ expected: @autoclosure () -> String, in range: ClosedRange<Int>
    ) throws(GestureScriptError) -> Int {
        let word = try next(expected())
        let limits = Double(range.lowerBound)...Double(range.upperBound)
        let value = try number(word, expected(), in: limits)
        guard let whole = Int(exactly: value) else {
            throw error(.notANumber(word, expected: localized("\(expected()) without a fraction")))
        }
        return whole
    }

    /// Consumes a word that is the raw value of one of the cases of `type`.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type
    ) throws(GestureScriptError) -> Choice where Choice.RawValue == String {
        func expected() -> String {
            localized("one of \(type.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let word = try next(expected())
        guard let choice = Choice(rawValue: word) else {
            throw error(.unknown(word, expected: expected()))
        }
        return choice
    }

    /// Throws if words are left.
    func finish() throws(GestureScriptError) {
        guard let word = words.first else { return }
        throw error(.surplus(String(word)))
    }
}

/// Numbers in scripts: decimal, with an optional exponent.
enum ScriptNumber {
    /// The value of a decimal number; nil for other text, also for hexadecimal, `nan` and `inf`.
    static func value(of word: String) -> Double? {
        var remainder = Substring(word).utf8
        func consumeDigits() -> Bool {
            let digits = remainder.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            remainder = remainder.dropFirst(digits.count)
            return !digits.isEmpty
        }
        func consume(_ characters: UInt8...) -> Bool {
            guard let first = remainder.first, characters.contains(first) else { return false }
            remainder = remainder.dropFirst()
            return true
        }
        _ = consume(UInt8(ascii: "-"))
        guard consumeDigits() else { return nil }
        if consume(UInt8(ascii: ".")) {
            guard consumeDigits() else { return nil }
        }
        if consume(UInt8(ascii: "e"), UInt8(ascii: "E")) {
            _ = consume(UInt8(ascii: "-"), UInt8(ascii: "+"))
            guard consumeDigits() else { return nil }
        }
        return remainder.isEmpty ? Double(word) : nil
    }

    /// The shortest text that `value(of:)` reads back exactly.
    static func text(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}
