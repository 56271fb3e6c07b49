/// A year, a month or a day; without a year those of all years.
package struct SearchDate: Hashable, Sendable {
    package var year: Int?
    package var month: Int?
    package var day: Int?

    package init(year: Int?, month: Int? = nil, day: Int? = nil) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The date of a text such as "2026", "2026-05", "2026-05-14", "05.2026", "14.05.2026" or "2026年5月14日"; nil for
    /// all other texts.
    ///
    /// A date with slashes is read in two ways in the world: only one that has a single meaning is a date, such as
    /// "14/5/2026", "5/14/2026" or "2026/5/14".
    init?(_ text: String) {
        var text = text
        if let last = text.last, "年月日년월일".contains(last) { text.removeLast() }
        text = String(text.map { "年月년월".contains($0) ? "-" : $0 })
        var parts = text.split(separator: "-", omittingEmptySubsequences: false)
        if parts.count == 1, text.contains(".") {
            parts = text.split(separator: ".", omittingEmptySubsequences: false).reversed()
        }
        if parts.count == 1, text.contains("/") { parts = Self.ordered(text) ?? parts }
        let isDigits = parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isNumber } }
        guard isDigits, parts[0].count == 4, let year = Int(parts[0]), year > 0 else { return nil }
        switch parts.count {
        case 1: self.init(year: year)
        case 2...3:
            guard parts.dropFirst().allSatisfy({ 1...2 ~= $0.count }), let month = Int(parts[1]),
                1...12 ~= month
            else { return nil }
            guard parts.count == 3 else {
                self.init(year: year, month: month)
                return
            }
            guard let day = Int(parts[2]), 1...31 ~= day else { return nil }
            self.init(year: year, month: month, day: day)
        default: return nil
        }
    }

    /// The year, the month and the day of three numbers with slashes; nil where the order is not clear.
    private static func ordered(_ text: String) -> [Substring]? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let first = Int(parts[0]), let second = Int(parts[1]) else {
            return nil
        }
        if parts[0].count == 4 { return parts }
        if first > 12 || first == second { return parts.reversed() }
        return second > 12 ? [parts[2], parts[0], parts[1]] : nil
    }

    /// Whether a day is in the year, in the month or on the day.
    func contains(_ other: SearchDate) -> Bool {
        (year == nil || other.year == year) && (month == nil || month == other.month)
            && (day == nil || day == other.day)
    }
}
