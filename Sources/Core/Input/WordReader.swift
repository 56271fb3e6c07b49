/// The words of one line of a gesture script, taken one after the other.
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

    /// Takes the next word; `expected` is what it should be, for the error.
    mutating func next(_ expected: String) throws(GestureScriptError) -> String {
        guard let word = words.popFirst() else { throw error(.missing(expected)) }
        return String(word)
    }

    /// Takes the next word if it is this one.
    mutating func take(_ word: String) -> Bool {
        guard words.first == word[...] else { return false }
        words.removeFirst()
        return true
    }

    mutating func number(
        _ expected: String, in range: ClosedRange<Double>
    ) throws(GestureScriptError) -> Double {
        try number(try next(expected), expected, in: range)
    }

    /// Reads a number out of a part of a word.
    func number(
        _ word: String, _ expected: String, in range: ClosedRange<Double>
    ) throws(GestureScriptError) -> Double {
        guard let value = ScriptNumber.value(of: word) else {
            throw error(.notANumber(word, expected: expected))
        }
        guard range.contains(value) else {
            throw error(
                .outOfRange(
                    word, expected: expected, lowest: range.lowerBound, highest: range.upperBound))
        }
        return value
    }

    mutating func integer(
        _ expected: String, in range: ClosedRange<Int>
    ) throws(GestureScriptError) -> Int {
        let word = try next(expected)
        let limits = Double(range.lowerBound)...Double(range.upperBound)
        let value = try number(word, expected, in: limits)
        guard let whole = Int(exactly: value) else {
            throw error(.notANumber(word, expected: expected + " without a fraction"))
        }
        return whole
    }

    /// Takes one of the words that stand for the cases of an enumeration.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type
    ) throws(GestureScriptError) -> Choice where Choice.RawValue == String {
        let names = type.allCases.map(\.rawValue).joined(separator: ", ")
        let word = try next("one of " + names)
        guard let choice = Choice(rawValue: word) else {
            throw error(.unknown(word, expected: "one of " + names))
        }
        return choice
    }

    /// Makes sure that nothing is left over.
    func finish() throws(GestureScriptError) {
        guard let word = words.first else { return }
        throw error(.surplus(String(word)))
    }
}

/// Numbers as scripts write them: plain decimals, with an exponent where there must be one.
enum ScriptNumber {
    /// The value, or nil for what is none; hexadecimal, `nan` and `inf` are none.
    static func value(of word: String) -> Double? {
        var rest = Substring(word).utf8
        func takeDigits() -> Bool {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            return !digits.isEmpty
        }
        func take(_ characters: UInt8...) -> Bool {
            guard let first = rest.first, characters.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = take(UInt8(ascii: "-"))
        guard takeDigits() else { return nil }
        if take(UInt8(ascii: ".")) {
            guard takeDigits() else { return nil }
        }
        if take(UInt8(ascii: "e"), UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "-"), UInt8(ascii: "+"))
            guard takeDigits() else { return nil }
        }
        return rest.isEmpty ? Double(word) : nil
    }

    /// The shortest text that `value(of:)` reads back exactly.
    static func text(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}
