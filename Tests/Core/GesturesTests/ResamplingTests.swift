import Geometry
import Gestures
import Input
import Motion
import Testing

@testable import Gestures

@Suite struct ResamplingTests {
    private func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    /// A finger at 1000 px/s, sampled every 10 ms.
    private func course(steps: Int = 2, interval: Double = 10, step: Double = 10) -> Course {
        var course = Course(at: .zero, .zero)
        for number in 1...steps {
            course.add(
                Point(x: Double(number) * step, y: 0), at: at(Double(number) * interval))
        }
        return course
    }

    @Test(arguments: [(15.0, 15.0), (10, 10), (20, 20), (23, 23), (29, 29), (30, 30)])
    func aConstantVelocityIsInterpolatedExactly(time: Double, place: Double) {
        #expect(abs(course().position(at: at(time)).x - place) < 1e-9)
    }

    @Test func thePredictionReturnsToTheLastSampleWithoutNewSamples() {
        let course = course()
        #expect(abs(course.position(at: at(40)).x - 25) < 1e-9)
        #expect(course.position(at: at(50)).x == 20)
        #expect(course.position(at: at(5000)).x == 20)
        #expect(course.end == at(50))
    }

    @Test func thePredictionIsLimitedToOneFrame() {
        let course = course(interval: 30, step: 30)
        #expect(abs(course.position(at: at(60 + 17)).x - 77) < 1e-9)
        #expect(course.position(at: at(60 + 25)).x < 77)
    }

    /// A resting finger jitters, and prediction would amplify the jitter.
    @Test func stepsOfAPixelAreNotExtrapolated() {
        #expect(course(step: 1).position(at: at(25)).x == 2)
        #expect(course(step: 1).end == at(20))
        let between = course(step: 1.5).position(at: at(30)).x
        #expect(abs(between - 3.75) < 1e-9)
    }

    @Test(arguments: [1.0, 41])
    func samplesTooCloseOrTooFarApartAreNotExtrapolated(interval: Double) {
        let course = course(interval: interval)
        #expect(course.position(at: at(2 * interval + 5)).x == 20)
    }

    @Test func samplesWithTheSameTimestampCountOnce() {
        var course = course()
        course.add(Point(x: 26, y: 0), at: at(20))
        #expect(abs(course.position(at: at(25)).x - 34) < 1e-9)
    }

    /// The prediction between samples moves the content and does not affect recognition.
    @Test func theArenaEmitsPredictedPositions() throws {
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        func send(_ event: TouchEvent, _ time: Double) {
            for event in [event, .frame] {
                arena.handle(.touch(event), at: at(time), context: .init(), into: &gestures)
            }
        }
        send(.down(id: 0, at: .zero), 0)
        for step in 1...4 {
            send(.move(id: 0, to: Point(x: Double(step) * 10, y: 0)), Double(step) * 10)
        }
        gestures.removeAll()
        arena.sample(at: at(46), into: &gestures)
        guard case .manipulationPredicted(let predicted)? = gestures.first?.gesture else {
            Issue.record("\(gestures)")
            return
        }
        #expect(abs(predicted.translation.dx - 36) < 1e-9)
        #expect(arena.isAnimating(after: at(46)))
        #expect(!arena.isAnimating(after: at(70)))
        // The release starts at the last sample; `age` is the time since that sample.
        gestures.removeAll()
        send(.up(id: 0), 46)
        let end = try #require(gestures.last)
        #expect(end.moment == at(46))
        #expect(gestures.contains { $0.gesture == .manipulationPredicted(predicted) })
        guard case .manipulationEnded(let release) = end.gesture else {
            Issue.record("\(gestures)")
            return
        }
        #expect(abs(release.age - 6) < 1e-9)
        #expect(release.centroid == Point(x: 40, y: 0))
        #expect(abs(release.velocity.dx - 1000) < 1e-6)
    }

    @Test func aMouseIsNotExtrapolated() {
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        func send(_ event: PointerEvent, _ time: Double) {
            arena.handle(.pointer(event), at: at(time), context: .init(), into: &gestures)
        }
        send(.move(to: .zero), 0)
        send(.button(.left, isDown: true), 0)
        for step in 1...4 { send(.move(to: Point(x: Double(step) * 10, y: 0)), Double(step) * 10) }
        gestures.removeAll()
        arena.sample(at: at(46), into: &gestures)
        #expect(gestures.manipulations.isEmpty)
        guard case .manipulationPredicted(let predicted)? = gestures.first?.gesture else { return }
        #expect(predicted.centroid == Point(x: 40, y: 0))
    }
}
