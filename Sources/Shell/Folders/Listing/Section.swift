import Localization

/// Consecutive pictures under a common title.
package struct Section: Hashable, Sendable {
    package var title: String
    /// The index of the section's first picture; the section ends where the next one begins.
    package var firstIndex: Int

    package init(title: String, firstIndex: Int) {
        self.title = title
        self.firstIndex = firstIndex
    }
}

extension Listing {
    /// Sections by folder: one for each run of pictures in the same folder.
    package func sectionsByFolder() -> [Section] {
        sections(by: { folders[$0.folder].prefix }, title: { folders[$0.folder].title })
    }

    /// Sections by the month of the pictures' dates, by the clock that the order by date uses.
    package func sectionsByMonth(by clock: WallClock = .environment) -> [Section] {
        var clock = clock
        return sections(by: { Self.month(of: $0, &clock) }) { entry in
            Self.title(Self.month(of: entry, &clock))
        }
    }

    /// The months and the years of the pictures, where the order is that of their dates, so that each month or year is
    /// one section; else empty.
    package func overviews(
        by clock: WallClock = .environment
    ) -> (months: [Section], years: [Section]) {
        var clock = clock
        var (months, years): ([Section], [Section]) = ([], [])
        var (seenMonths, seenYears): (Set<CivilDate?>, Set<Int?>) = ([], [])
        var last: CivilDate??
        var (hasYears, lastYear): (Bool, Int??) = (true, nil)
        for (index, entry) in entries.enumerated() {
            let month = Self.month(of: entry, &clock)
            guard month != last else { continue }
            guard seenMonths.insert(month).inserted else { return ([], []) }
            months.append(Section(title: Self.title(month), firstIndex: index))
            last = month
            guard hasYears, month?.year != lastYear else { continue }
            hasYears = seenYears.insert(month?.year).inserted
            let title = month.map { "\($0.year)" } ?? localized("No date")
            years.append(Section(title: title, firstIndex: index))
            lastYear = month?.year
        }
        return (months, hasYears ? years : [])
    }

    /// The first day of the month of a picture; nil without a date.
    private static func month(of entry: Entry, _ clock: inout WallClock) -> CivilDate? {
        guard let date = entry.date(by: &clock) else { return nil }
        var day = CivilDate(date)
        day.day = 1
        return day
    }

    /// The names of the months in the language of the person, without a year.
    package static var monthNames: [String] {
        (1...12).map { title(month: $0, year: 0).filter { !$0.isNumber && !$0.isWhitespace } }
    }

    private static func title(_ month: CivilDate?) -> String {
        month.map { title(month: $0.month, year: $0.year) } ?? localized("No date")
    }

    private static func title(month: Int, year: Int) -> String {
        switch month {
        case 1: localized("January \(year)")
        case 2: localized("February \(year)")
        case 3: localized("March \(year)")
        case 4: localized("April \(year)")
        case 5: localized("May \(year)")
        case 6: localized("June \(year)")
        case 7: localized("July \(year)")
        case 8: localized("August \(year)")
        case 9: localized("September \(year)")
        case 10: localized("October \(year)")
        case 11: localized("November \(year)")
        default: localized("December \(year)")
        }
    }

    private func sections<Key: Equatable>(
        by key: (Entry) -> Key, title: (Entry) -> String
    ) -> [Section] {
        var sections: [Section] = []
        var last: Key?
        for (index, entry) in entries.enumerated() {
            let current = key(entry)
            guard current != last else { continue }
            sections.append(Section(title: title(entry), firstIndex: index))
            last = current
        }
        return sections
    }
}
