import Motion
import Pacing
import Testing

@Suite struct InputRhythmTests {
    /// The rhythm after inputs at these times in milliseconds.
    private static func rhythm(_ times: [Double]) -> InputRhythm {
        var rhythm = InputRhythm()
        for time in times { rhythm.arrived(at: Moment(milliseconds: time)) }
        return rhythm
    }

    @Test(arguments: [4.0, 7.3, 8.33, 16.67])
    func theNextInputComesAfterTheInterval(interval: Double) throws {
        let rhythm = Self.rhythm((0..<20).map { Double($0) * interval })
        let next = try #require(rhythm.next)
        #expect(abs(next.milliseconds - 20 * interval) < 1e-6)
    }

    /// Little input that comes early is missed, and one odd interval of eight does not matter.
    @Test func theLowerQuartileOfTheLastIntervalsCounts() throws {
        let intervals: [Double] = [1, 3, 9, 7, 6, 8, 9, 8, 8]
        var time = 0.0
        let times = intervals.map { interval in
            time += interval
            return time
        }
        let next = try #require(Self.rhythm([0] + times).next)
        #expect(next.milliseconds == time + 7)
    }

    /// The fingers of a touch screen are reported one after another.
    @Test func inputsThatArriveTogetherAreOne() throws {
        var times: [Double] = []
        for sample in 0..<10 {
            let time = Double(sample) * 8
            times += [time, time + 0.1, time + 0.2]
        }
        let next = try #require(Self.rhythm(times).next).milliseconds
        #expect(next > 79 && next < 80.3)
    }

    @Test func nothingIsKnownAtTheBeginningAndAfterAPause() {
        #expect(Self.rhythm([]).next == nil)
        #expect(Self.rhythm([0, 8, 16, 24]).next == nil)
        #expect(Self.rhythm([0, 8, 16, 24, 32]).next != nil)
        #expect(Self.rhythm([0, 8, 16, 24, 32, 90]).next == nil)
        #expect(Self.rhythm([0, 8, 16, 24, 32, 20]).next == nil)
    }
}
