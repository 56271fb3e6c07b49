/// Words: letters, digits and underscores, with what lies before them.
extension TextField {
    /// The beginning of the word before a position; spaces and signs between the two are skipped.
    func wordBoundary(before position: Int) -> Int {
        let characters = Array(text.prefix(position))
        var result = characters.count
        while result > 0, !characters[result - 1].isInWord { result -= 1 }
        while result > 0, characters[result - 1].isInWord { result -= 1 }
        return result
    }

    /// The end of the word after a position; spaces and signs between the two are skipped.
    func wordBoundary(after position: Int) -> Int {
        let characters = Array(text)
        var result = min(position, characters.count)
        while result < characters.count, !characters[result].isInWord { result += 1 }
        while result < characters.count, characters[result].isInWord { result += 1 }
        return result
    }

    /// Selects the word at a position, as a double tap does; a sign is selected alone.
    package mutating func selectWord(at position: Int) {
        let characters = Array(text)
        guard !characters.isEmpty else { return }
        let place = min(max(position, 0), characters.count - 1)
        var (begin, end) = (place, place + 1)
        if characters[place].isInWord {
            while begin > 0, characters[begin - 1].isInWord { begin -= 1 }
            while end < characters.count, characters[end].isInWord { end += 1 }
        }
        select(from: begin, to: end)
    }
}

extension Character {
    fileprivate var isInWord: Bool {
        guard let first = unicodeScalars.first else { return false }
        switch first.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .nonspacingMark,
            .spacingMark, .enclosingMark:
            return true
        default: return false
        }
    }
}
