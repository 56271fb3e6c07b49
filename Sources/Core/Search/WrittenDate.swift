/// The names of the months, as a person writes them.
package struct SearchMonths: Hashable, Sendable {
    private let names: [FoldedText]

    private static let english = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ].map { FoldedText($0) }

    /// The twelve names in the language of the person; English names count as well.
    package init(_ names: [String] = []) { self.names = names.map { FoldedText($0) } }

    /// The month, 1…12, with this name, in a form with another ending, or with `isShort` as its first letters; nil for
    /// all other words.
    func month(_ word: String, isShort: Bool) -> Int? {
        let folded = FoldedText(word.hasSuffix(".") ? String(word.dropLast()) : word).bytes
        return Self.month(folded, in: names, isShort: isShort)
            ?? Self.month(folded, in: Self.english, isShort: isShort)
    }

    private static func month(_ word: [UInt8], in names: [FoldedText], isShort: Bool) -> Int? {
        names.firstIndex { name in
            let name = name.bytes
            let common = zip(word, name).prefix { $0 == $1 }.count
            if word == name { return true }
            if isShort, word.count >= shortest, common == word.count { return true }
            // "июля" for "июль": one letter of at most two bytes differs.
            return common >= shortest && common >= name.count - 2 && word.count <= name.count + 2
                && name.contains { $0 >= 0x80 }
        }.map { $0 + 1 }
    }

    /// In bytes.
    private static let shortest = 3
}

/// A date in words, such as "14 July 2025", "July 14, 2025" or "14 de julio de 2025".
struct WrittenDate {
    let date: SearchDate
    /// The words of the date.
    let range: Range<Int>

    /// The date around the word at `place`; nil where the word is no month.
    init?(in words: [String], at place: Int, _ months: SearchMonths) {
        var (start, end) = (place, place + 1)
        var (day, year): (Int?, Int?) = (nil, nil)
        if let before = Self.step(-1, from: place, in: words), let number = Self.day(words[before])
        {
            (day, start) = (number, before)
        }
        if day == nil, end < words.count, let number = Self.day(words[end]) {
            (day, end) = (number, end + 1)
        }
        if let after = Self.step(1, from: end - 1, in: words), let number = Self.year(words[after])
        {
            (year, end) = (number, after + 1)
        }
        guard let month = months.month(words[place], isShort: day != nil || year != nil) else {
            return nil
        }
        date = SearchDate(year: year, month: month, day: day)
        range = start..<end
    }

    /// The place of the next word in a direction, beyond a preposition; nil at the end.
    private static func step(_ direction: Int, from place: Int, in words: [String]) -> Int? {
        var next = place + direction
        if words.indices.contains(next), ["de", "of", "del"].contains(words[next].lowercased()) {
            next += direction
        }
        return words.indices.contains(next) ? next : nil
    }

    /// The day of "14", "14.", "14," or "14th".
    private static func day(_ word: String) -> Int? {
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        guard ["", ".", ",", "st", "nd", "rd", "th", "º"].contains(word.dropFirst(digits.count)),
            1...2 ~= digits.count, let day = Int(digits), 1...31 ~= day
        else { return nil }
        return day
    }

    private static func year(_ word: String) -> Int? {
        guard word.count == 4, word.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(word).flatMap { $0 > 0 ? $0 : nil }
    }
}
