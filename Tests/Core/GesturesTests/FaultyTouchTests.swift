import Geometry
import Gestures
import Input
import Motion
import Testing

/// Touch sequences that no hand makes but that faulty touchscreens and compositors send.
@Suite struct FaultyTouchTests {
    private let context = GestureArena.Context()

    private func moment(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    /// One finger stays down for a minute while a second one touches and lifts every second.
    ///
    /// After the last lift of the second finger the first one pans; after its own lift no state
    /// is left.
    @Test func aFingerThatStaysWhileOthersComeAndGo() {
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        func send(_ event: TouchEvent, _ time: Double) {
            arena.handle(.touch(event), at: moment(time), context: context, into: &gestures)
        }
        send(.down(id: 0, at: Point(x: 100, y: 100)), 0)
        send(.frame, 0)
        for second in 0..<60 {
            let start = Double(second) * 1000 + 200
            send(.down(id: 1, at: Point(x: 300, y: 100)), start)
            send(.frame, start)
            for step in 1...20 {
                let time = start + Double(step) * 16
                send(.move(id: 1, to: Point(x: 300 + Double(step) * 5, y: 100)), time)
                send(.frame, time)
                arena.expire(to: moment(time), inclusive: true, into: &gestures)
            }
            send(.up(id: 1), start + 330)
            send(.frame, start + 330)
        }
        arena.expire(to: moment(60_000), inclusive: true, into: &gestures)
        #expect(arena.isTouching && arena.deadline == nil)
        #expect(gestures.releases.isEmpty)
        guard case .manipulationRebased(let held, _)? = gestures.last?.gesture else {
            Issue.record("the remaining finger does not pan")
            return
        }
        #expect(held.fingers == 1)
        send(.up(id: 0), 61_000)
        send(.frame, 61_000)
        #expect(!arena.isTouching)
        #expect(gestures.releases.map(\.velocity) == [.zero])
    }

    @Test func anIDReusedWithinAFrame() throws {
        let gestures = try play(
            """
            0 touch down 0 100 100
            0 touch frame
            50 touch up 0
            50 touch down 0 400 100
            50 touch frame
            90 touch up 0
            90 touch frame
            2000 end
            """)
        #expect(
            gestures.withoutCatches == [
                at(50, .tap(at: Point(x: 100, y: 100), source: .touch)),
                at(390, .tap(at: Point(x: 400, y: 100), source: .touch)),
            ])
    }

    /// A cancel between two lifts ends the manipulation once, cancelled and with zero velocity.
    @Test func aCancelBetweenTwoLifts() throws {
        let gestures = try play(
            """
            0 touch down 0 100 100
            0 touch down 1 300 100
            0 touch frame
            20 touch move 0 50 100
            20 touch move 1 350 100
            20 touch frame
            30 touch move 0 20 100
            30 touch move 1 380 100
            30 touch frame
            34 touch up 0
            34 touch frame
            60 touch cancel
            2000 end
            """)
        let release = try #require(gestures.releases.first)
        #expect(gestures.releases.count == 1)
        #expect(release.isCancelled && release.zoomRate == 0 && release.velocity == .zero)
    }

    /// Touch reports at 1000 Hz give the same zoom rate as reports at 125 Hz, within 10 %.
    @Test func aThousandReportsASecond() throws {
        func rate(_ interval: Int) throws -> Double {
            var script = "0 touch down 0 100 100\n0 touch down 1 300 100\n0 touch frame\n"
            for time in stride(from: interval, through: 80, by: interval) {
                let distance = Double(time)
                script += "\(time) touch move 0 \(100 - distance) 100\n"
                script += "\(time) touch move 1 \(300 + distance) 100\n\(time) touch frame\n"
            }
            let gestures = try play(
                script + "82 touch up 0\n82 touch frame\n120 touch up 1\n120 touch frame")
            return try #require(gestures.releases.last).zoomRate
        }
        #expect(abs(try rate(1) / rate(8) - 1) < 0.1)
    }

    /// Timestamps that go backwards or repeat: the pinch is still recognised and leaves no state.
    @Test(arguments: [[0.0, 8, 4, 2, 9, 9, 9, 12], [0, 0, 0, 0, 0, 0, 0, 0]])
    func timesThatDoNotIncrease(times: [Double]) {
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        for (step, time) in times.enumerated() {
            let events: [TouchEvent] =
                switch step {
                case 0:
                    [
                        .down(id: 0, at: Point(x: 100, y: 100)),
                        .down(id: 1, at: Point(x: 300, y: 100)),
                    ]
                case 6: [.up(id: 0)]
                case 7: [.up(id: 1)]
                default:
                    [
                        .move(id: 0, to: Point(x: 100 - 20 * Double(step), y: 100)),
                        .move(id: 1, to: Point(x: 300 + 20 * Double(step), y: 100)),
                    ]
                }
            for event in events + [.frame] {
                arena.handle(.touch(event), at: moment(time), context: context, into: &gestures)
            }
        }
        #expect(!arena.isTouching && arena.deadline == nil)
        #expect(gestures.releases.count == 1)
        #expect(gestures.manipulations.allSatisfy { $0.scale.isFinite && $0.scale > 0 })
        #expect(zip(gestures, gestures.dropFirst()).allSatisfy { $0.moment <= $1.moment })
    }
}
