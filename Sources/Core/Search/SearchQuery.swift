import Edits

/// What a person looks for: all terms of a text have to hold.
///
/// | term | holds for |
/// | --- | --- |
/// | `beach` | a part of the name, of the folder or of the camera |
/// | `*.png`, `img_??.jpg` | the whole name, with `*` for any text and `?` for any character |
/// | `2026`, `2026-05`, `2026-05-14`, `14.05.2026` | pictures of that time, and names with that text |
/// | `14 July 2025`, `July 2025`, `14. Juli`, `2025年7月` | the same, in words |
/// | `>4 MP`, `<0.5MP` | more or fewer millions of pixels; `>=` and `<=` include the number |
/// | `>2 MB`, `<300 kB` | larger or smaller files |
/// | `★3`, `★★★` | three stars or more; `★0` no stars |
/// | `♥` | favourites |
package struct SearchQuery: Hashable, Sendable {
    package enum Term: Hashable, Sendable {
        case word(FoldedText)
        case pattern(FoldedText)
        /// A year with a month and a day, and the text as the person has typed it.
        case date(SearchDate, FoldedText)
        /// Millions of pixels.
        case megapixels(SearchComparison, Double)
        case bytes(SearchComparison, Double)
        case stars(Int)
        case favourite
    }

    package let terms: [Term]

    /// The text of any length is a query: what is no other term is a word.
    ///
    /// `months` has the names of the months in the language of the person.
    package init(_ text: String, months: SearchMonths = SearchMonths()) {
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        // "> 4 MP" and "4 MP" are one term.
        var place = 0
        while place + 1 < words.count {
            let joined = words[place] + words[place + 1]
            let isSign = ["<", ">", "<=", ">=", "≤", "≥"].contains(words[place])
            if isSign || Self.size(words[place]) == nil && Self.size(joined) != nil {
                words.replaceSubrange(place...place + 1, with: [joined])
            } else {
                place += 1
            }
        }
        terms = Self.terms(of: words, months)
    }

    private static func terms(of words: [String], _ months: SearchMonths) -> [Term] {
        var (terms, next): ([Term], Int) = ([], 0)
        let written = words.indices.compactMap { WrittenDate(in: words, at: $0, months) }
        for date in written where date.range.lowerBound >= next {
            terms += words[next..<date.range.lowerBound].compactMap(term)
            let text = words[date.range].joined(separator: " ")
            terms.append(.date(date.date, FoldedText(text)))
            next = date.range.upperBound
        }
        return terms + words[next...].compactMap(term)
    }

    package var isEmpty: Bool { terms.isEmpty }

    private static func term(_ word: String) -> Term? {
        let folded = FoldedText(word)
        guard !folded.isEmpty else { return nil }
        if word == "♥" || word == "❤" || word == "♥️" || word == "❤️" { return .favourite }
        if let stars = stars(word) { return .stars(stars) }
        if let size = size(word) { return size }
        if let date = SearchDate(word) { return .date(date, folded) }
        return word.contains("*") || word.contains("?") ? .pattern(folded) : .word(folded)
    }

    private static func stars(_ word: String) -> Int? {
        guard word.first == "★" || word.first == "⭐" else { return nil }
        let rest = word.drop { $0 == "★" || $0 == "⭐" }
        let count = word.count - rest.count
        if rest.isEmpty { return count <= PictureMark.mostStars ? count : nil }
        guard count == 1, let number = Int(rest), 0...PictureMark.mostStars ~= number else {
            return nil
        }
        return number
    }

    /// A comparison with a size, such as ">4MP".
    private static func size(_ word: String) -> Term? {
        guard let (comparison, rest) = SearchComparison.reading(word) else { return nil }
        let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "," }
        let number = Double(String(digits.map { $0 == "," ? "." : $0 }))
        guard let number, number.isFinite else { return nil }
        switch rest.dropFirst(digits.count).lowercased() {
        case "mp", "mpx": return .megapixels(comparison, number)
        case "b": return .bytes(comparison, number)
        case "kb": return .bytes(comparison, number * 1e3)
        case "mb": return .bytes(comparison, number * 1e6)
        case "gb": return .bytes(comparison, number * 1e9)
        default: return nil
        }
    }
}

/// How a number compares with the one that a person has typed.
package enum SearchComparison: String, Hashable, Sendable, CaseIterable {
    case least = ">="
    case most = "<="
    case more = ">"
    case less = "<"

    func holds(_ number: Double, _ bound: Double) -> Bool {
        switch self {
        case .least: number >= bound
        case .most: number <= bound
        case .more: number > bound
        case .less: number < bound
        }
    }

    /// The comparison that a text begins with, and the rest of the text.
    static func reading(_ word: String) -> (Self, Substring)? {
        if word.first == "≥" { return (.least, word.dropFirst()) }
        if word.first == "≤" { return (.most, word.dropFirst()) }
        let sign = allCases.first { word.hasPrefix($0.rawValue) }
        return sign.map { ($0, word.dropFirst($0.rawValue.count)) }
    }
}
