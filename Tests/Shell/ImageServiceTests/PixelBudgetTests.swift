import ImageService
import Motion
import Testing

/// Which pictures may hold pixels; bytes are small numbers here.
@Suite struct PixelBudgetTests {
    private let budget = PixelBudget(bytes: 100)

    private func plan(
        _ wanted: [Int], needs: [Int: Int], held: [Int: Int] = [:], others: Int = 0,
        isShort: Bool = false
    ) -> PixelBudget.Plan {
        budget.plan(
            for: .init(wanted: wanted, needs: needs, held: held, others: others), isShort: isShort)
    }

    @Test func neighboursThatFitAreDecodedAhead() {
        let plan = plan([1, 2, 3], needs: [1: 40, 2: 40, 3: 20])
        #expect(plan == PixelBudget.Plan())
    }

    @Test func neighboursBeyondTheBudgetWait() {
        #expect(plan([1, 2, 3], needs: [1: 40, 2: 61, 3: 60]).postponed == [2])
        #expect(plan([1, 2, 3], needs: [1: 40, 2: 40, 3: 21]).postponed == [3])
        #expect(plan([1, 2], needs: [1: 40, 2: 40], others: 21).postponed == [2])
    }

    @Test func theShownPictureNeverWaits() {
        let plan = plan([1, 2], needs: [1: 101, 2: 1])
        #expect(plan.postponed == [2])
    }

    /// The header tells the size, and takes no memory.
    @Test func aPictureOfUnknownSizeDoesNotWait() {
        #expect(plan([1, 2, 3], needs: [1: 200]).postponed.isEmpty)
    }

    @Test func theShownPictureTakesTheRoomOfTheOthers() {
        let plan = plan([2, 3, 1], needs: [1: 80, 2: 80, 3: 15], held: [1: 80])
        #expect(plan.postponed == [1])
        #expect(plan.reduced == [1])
    }

    /// A page that is leaving is not wanted any more, but still visible.
    @Test func picturesThatAreNotWantedKeepWhatIsLeft() {
        #expect(plan([1], needs: [1: 50], held: [1: 50, 7: 50]).reduced.isEmpty)
        #expect(plan([1], needs: [1: 50], held: [1: 50, 7: 51]).reduced == [7])
        #expect(plan([1], needs: [1: 50], held: [7: 51]).reduced == [7])
        #expect(plan([1, 2], needs: [1: 50, 2: 40], held: [7: 20]).reduced == [7])
    }

    @Test func pixelsBeyondWhatTheHeaderSaysCount() {
        #expect(plan([1, 2], needs: [1: 10, 2: 40], held: [1: 70]).postponed == [2])
    }

    @Test func whileMemoryIsShortOnlyTheShownPictureStays() {
        let plan = plan(
            [1, 2, 3], needs: [1: 1, 2: 1], held: [1: 1, 2: 1, 7: 1], isShort: true)
        #expect(plan.postponed == [2, 3])
        #expect(plan.reduced == [2, 7])
    }

    @Test(arguments: [Int.max, .min, -1, 0])
    func absurdNumbersDoNotOverflow(_ number: Int) {
        let plan = PixelBudget(bytes: number).plan(
            for: .init(
                wanted: [1, 2, 3], needs: [1: .max, 2: .max, 3: number],
                held: [1: .max, 7: .max], others: .max), isShort: false)
        #expect(!plan.postponed.contains(1))
        #expect(plan.postponed.contains(2) && plan.reduced == [7])
    }

    /// Whatever is asked, the admitted pictures fit, except the shown one.
    @Test func admittedPicturesFit() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let ids = Array((0..<6).shuffled(using: &generator))
            let wanted = Array(ids.prefix(3))
            let needs = Dictionary(
                uniqueKeysWithValues: wanted.map { ($0, Int.random(in: 1...120)) })
            let held = Dictionary(
                uniqueKeysWithValues: ids.suffix(5).map { ($0, Int.random(in: 1...120)) })
            let plan = plan(wanted, needs: needs, held: held)
            let admitted = wanted.filter { !plan.postponed.contains($0) }
            let kept = held.keys.filter { !admitted.contains($0) && !plan.reduced.contains($0) }
            let first = max(needs[wanted[0]] ?? 0, held[wanted[0]] ?? 0)
            let bytes =
                admitted.reduce(0) { $0 + max(needs[$1] ?? 0, held[$1] ?? 0) }
                + kept.reduce(0) { $0 + (held[$1] ?? 0) }
            #expect(bytes <= max(100, first))
            #expect(admitted.first == wanted[0] && plan.reduced.isDisjoint(with: admitted))
        }
    }
}

@Suite struct ShortagePauseTests {
    private var pause = ShortagePause()

    private func moment(_ seconds: Double) -> Moment { Moment(milliseconds: seconds * 1000) }

    @Test mutating func aPauseLastsTenSecondsFromTheLastReport() {
        #expect(pause.end == nil)
        pause.begin(at: moment(0))
        #expect(pause.end == moment(10))
        pause.begin(at: moment(4))
        #expect(pause.end == moment(14))
        let isEarly = pause.finish(at: moment(13.9))
        #expect(!isEarly)
        let isOver = pause.finish(at: moment(14))
        #expect(isOver)
        #expect(pause.end == nil)
    }

    /// Pictures decoded ahead may be the reason of the shortage.
    @Test mutating func pausesGrowWhileTheShortageReturns() {
        var now = 0.0
        for length in [10.0, 20, 40, 80, 160, 160] {
            pause.begin(at: moment(now))
            #expect(pause.end == moment(now + length))
            now += length
            _ = pause.finish(at: moment(now))
            now += 5
        }
        now += ShortagePause.memory
        pause.begin(at: moment(now))
        #expect(pause.end == moment(now + 10))
    }
}
