import Testing

@testable import Folders

@Suite struct RoundRobinTests {
    /// Files that change all the time come back at once, and keep no other file from being looked at.
    @Test(arguments: [1, 3, 100, 256, 1000])
    func everyElementIsTakenInEachRound(count: Int) {
        let all = Set(0..<600)
        var rounds = RoundRobin<Int>()
        for _ in 0..<3 {
            var seen: [Int] = []
            while seen.count < all.count { seen += rounds.next(count, of: all) }
            #expect(seen.count == all.count && Set(seen) == all)
        }
    }

    @Test func elementsThatAreGoneAreNotTaken() {
        var rounds = RoundRobin<Int>()
        let first = rounds.next(2, of: [1, 2, 3, 4])
        #expect(first.count == 2)
        let left = Set([1, 2, 3, 4]).subtracting(first).prefix(1)
        #expect(rounds.next(2, of: Set([5]).union(left)) == Array(left))
        #expect(rounds.next(2, of: [5]) == [5])
        #expect(rounds.next(2, of: []).isEmpty)
    }
}
