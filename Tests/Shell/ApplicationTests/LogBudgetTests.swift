import Testing

@testable import Application

@Suite struct LogBudgetTests {
    /// A message each second about a picture that is missing.
    private let message = "/srv/pictures/holiday.jpg: it cannot be opened: no such file"

    @Test func usualMessagesAreWritten() {
        var budget = LogBudget()
        for second in 0..<1000 {
            #expect(budget.lines(for: message, at: Double(second)) == [message])
        }
    }

    /// Any day of a week with a long message each tenth second, or in bursts of an hour.
    @Test(arguments: [86_400 * 7, 3600]) func aDayHasAtMostAMegabyte(_ period: Int) {
        var budget = LogBudget()
        let long = String(repeating: message, count: 8)
        var hours = [Int](repeating: 0, count: 24 * 7)
        for second in stride(from: 0, to: 86_400 * 7, by: 10) where second % (2 * period) < period {
            for line in budget.lines(for: long, at: 1e6 + Double(second)) {
                hours[second / 3600] += "vitrine: \(line)\n".utf8.count
            }
        }
        for start in 0...(24 * 6) {
            #expect(hours[start..<(start + 24)].reduce(0, +) <= 1_000_000)
        }
        #expect(hours.reduce(0, +) > 5_000_000)
    }

    @Test func whatIsLeftOutIsCounted() {
        var budget = LogBudget()
        let long = String(repeating: "x", count: 190_000)
        #expect(budget.lines(for: long, at: 1) == [long])
        #expect(
            budget.lines(for: long, at: 2) == [
                "there are too many messages: further ones are left out for some time"
            ])
        #expect(budget.lines(for: "a", at: 3) == [])
        #expect(budget.lines(for: "b", at: 86_400) == ["2 messages were left out", "b"])
        #expect(budget.lines(for: "c", at: 86_400) == ["c"])
    }

    @Test func aClockThatGoesBackChangesNothing() {
        var budget = LogBudget()
        #expect(budget.lines(for: "a", at: 100) == ["a"])
        #expect(budget.lines(for: "b", at: -1e300) == ["b"])
        #expect(budget.lines(for: "c", at: .infinity) == ["c"])
        #expect(budget.lines(for: "d", at: 101) == ["d"])
    }
}
