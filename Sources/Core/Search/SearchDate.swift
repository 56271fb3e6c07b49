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
    /// Dates with slashes are read in two ways in the world, so they are no dates here.
    init?(_ text: String) {
        var text = text
        if let last = text.last, "年月日년월일".contains(last) { text.removeLast() }
        text = String(text.map { "年月년월".contains($0) ? "-" : $0 })
        var parts = text.split(separator: "-", omittingEmptySubsequences: false)
        if parts.count == 1, text.contains(".") {
            parts = text.split(separator: ".", omittingEmptySubsequences: false).reversed()
        }
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

    /// Whether a day is in the year, in the month or on the day.
    func contains(_ other: SearchDate) -> Bool {
        (year == nil || other.year == year) && (month == nil || month == other.month)
            && (day == nil || day == other.day)
    }
}
