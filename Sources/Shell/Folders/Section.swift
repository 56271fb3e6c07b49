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
        func month(_ entry: Entry) -> CivilDate? {
            guard let date = entry.date(by: &clock) else { return nil }
            var day = CivilDate(date)
            day.day = 1
            return day
        }
        return sections(by: month) { entry in
            month(entry).map { Self.title(month: $0.month, year: $0.year) } ?? localized("No date")
        }
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
