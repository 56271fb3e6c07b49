import Edits
import Testing

@testable import Search

/// Which pictures a text finds.
@Suite struct SearchQueryTests {
    struct Case: Sendable, CustomStringConvertible {
        let text: String
        let name: String
        let facts: SearchFacts
        let isFound: Bool
        var description: String { "“\(text)” in \(name)" }
    }

    private static let months = SearchMonths([
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
        "Oktober", "November", "Dezember",
    ])

    private static let day = SearchFacts(
        date: SearchDate(year: 2026, month: 5, day: 14), pixels: 12_000_000, bytes: 2_500_000,
        camera: FoldedText("FUJIFILM X-T5"), mark: PictureMark(isFavourite: true, rating: 3))

    private static let cases: [Case] = [
        ("beach", "Beach 01.jpg", true), ("BEACH 01", "beach-01.jpg", true),
        ("beach 02", "beach-01.jpg", false), ("", "a.jpg", true), ("  ", "a.jpg", true),
        ("*.png", "a.PNG", true), ("*.png", "a.png.jpg", false), ("img_??.jpg", "IMG_01.jpg", true),
        ("img_??.jpg", "IMG_001.jpg", false), ("*a*b*", "xxaxxbxx", true), ("?", "é", true),
        ("*b?", "abab", false), ("**", "", true),
        ("2026", "x.jpg", true), ("2025", "x.jpg", false), ("2025", "IMG_2025.jpg", true),
        ("2026-05", "x.jpg", true), ("2026-5", "x.jpg", true), ("2026-06", "x.jpg", false),
        ("2026-05-14", "x.jpg", true), ("14.05.2026", "x.jpg", true), ("14.5.2026", "x.jpg", true),
        ("05.2026", "x.jpg", true), ("15.05.2026", "x.jpg", false), ("1.2", "x.jpg", false),
        ("14/5/2026", "x", true), ("5/14/2026", "x", true), ("2026/05/14", "x", true),
        ("4/5/2026", "x", false), ("15/5/2026", "x", false), ("14/5/26", "x", false),
        ("//2026", "x", false), ("a/b/2026", "x", false),
        ("2026-05-15", "x.jpg", false), ("2026年5月14日", "x", true), ("2026년5월", "x", true),
        ("2026年6月", "x", false), ("14 May 2026", "x", true), ("may 14, 2026", "x", true),
        ("14th of May", "x", true), ("15 May 2026", "x", false), ("14 May 2025", "x", false),
        ("may", "x", true), ("June", "x", false), ("June", "tante june.jpg", true),
        ("14. Mai 2026", "x", true), ("14 mai", "x", true),
        ("14 de mai de 2026", "x", true), ("beach 14 May 2026", "x", false),
        ("beach may 2026 *.jpg", "beach.jpg", true), ("ma 2026", "x", false), ("dec", "x", false),
        ("14 jun 2026", "x", false), ("32 May", "x", false), ("market", "x", false),
        ("2026-13", "x.jpg", false), ("2026-13", "2026-13.jpg", true),
        (">4MP", "x", true), (">4 MP", "x", true), ("> 4 mp", "x", true), ("<12MP", "x", false),
        ("<=12MP", "x", true), ("≥12MP", "x", true), (">12MP", "x", false), (">0,3MP", "x", true),
        (">2MB", "x", true), ("<2.4 MB", "x", false), (">2400kB", "x", true), (">1GB", "x", false),
        (">4", "x", false), (">4", "a>4.jpg", true), ("<>", "x", false),
        ("★3", "x", true), ("★★★", "x", true), ("★4", "x", false), ("★", "x", true),
        ("★0", "x", false), ("★9", "x", false), ("⭐⭐", "x", true),
        ("♥", "x", true), ("❤️ *.jpg", "x.jpg", true), ("fuji", "x", true), ("x-t5", "x", true),
        ("canon", "x", false), ("urlaub", "x", true), ("Été", "x", false),
    ].map { Case(text: $0.0, name: $0.1, facts: day, isFound: $0.2) }

    /// What a picture says of which nothing is known but the name.
    private static let unknown: [Case] = [
        ("2026", false), (">1MP", false), ("<1MP", false), (">1kB", false), ("★0", true),
        ("★1", false), ("♥", false), ("fuji", false), ("*", true),
    ].map { Case(text: $0.0, name: "x", facts: SearchFacts(), isFound: $0.1) }

    @Test(arguments: cases + unknown)
    func finds(_ given: Case) {
        let name = FoldedText(given.name)
        let isFound = SearchQuery(given.text, months: Self.months).finds(
            name: name.bytes[...], folder: FoldedText("Sommer/Urlaub")
        ) { given.facts }
        #expect(isFound == given.isFound)
    }

    /// Months have other endings in dates than alone.
    @Test(arguments: [
        ("14 июля 2026", 7), ("14 мая", 5), ("Июль", 7), ("14 июня", 6), ("14 июн", 6),
    ])
    func monthsMayBeInflected(text: String, month: Int) {
        let months = SearchMonths([
            "Январь", "Февраль", "Март", "Апрель", "Май", "Июнь", "Июль", "Август", "Сентябрь",
            "Октябрь", "Ноябрь", "Декабрь",
        ])
        guard case .date(let date, _)? = SearchQuery(text, months: months).terms.first else {
            Issue.record("\(text) is no date")
            return
        }
        #expect(date.month == month)
    }

    /// A name that decides leaves the facts unread.
    @Test func factsAreReadOnlyWhereTheyDecide() {
        var count = 0
        let names = SearchNames(["a.jpg", "b.jpg", "ab.jpg"].map { Array($0.utf8) })
        let query = SearchQuery("a")
        let places = names.places { _, name in
            query.finds(name: name, folder: FoldedText("")) {
                count += 1
                return SearchFacts()
            }
        }
        #expect(places == [0, 2])
        #expect(count == 1)
    }

    /// No text that a person can type is too much.
    @Test func anyTextIsAQuery() {
        let parts = [
            "★", "<", ">=", "4", "MP", "-", "2026", "*", "?", "\u{301}", "♥", " ", "\0", "ع",
        ]
        for a in parts {
            for b in parts {
                for c in parts {
                    let query = SearchQuery(a + b + c)
                    _ = query.finds(name: FoldedText(b).bytes[...], folder: FoldedText(c)) {
                        Self.day
                    }
                }
            }
        }
    }
}
