import Geometry
import Gestures
import Glibc
import Input
import Motion
import Testing

/// Touches of several seats on one screen.
@Suite struct SeatTests {
    private struct Screen {
        var arenas = SeatArenas()
        var gestures: [TimedGesture] = []

        @discardableResult
        mutating func touch(_ event: TouchEvent, seat: Int, at time: Double) -> Bool {
            var counted = true
            for event in [event, .frame] {
                counted = arenas.handle(
                    .touch(event), of: seat, at: Moment(milliseconds: time), context: .init(),
                    into: &gestures)
            }
            return counted
        }
    }

    @Test func theFirstSeatKeepsTheContent() {
        var screen = Screen()
        screen.touch(.down(id: 0, at: Point(x: 100, y: 100)), seat: 1, at: 0)
        screen.touch(.move(id: 0, to: Point(x: 160, y: 100)), seat: 1, at: 10)
        let counted = screen.touch(.down(id: 1, at: Point(x: 800, y: 100)), seat: 2, at: 20)
        #expect(!counted)
        screen.touch(.move(id: 1, to: Point(x: 700, y: 400)), seat: 2, at: 30)
        screen.touch(.move(id: 0, to: Point(x: 200, y: 100)), seat: 1, at: 40)
        #expect(screen.gestures.manipulations.allSatisfy { $0.fingers == 1 })
        #expect(screen.gestures.manipulations.last?.centroid == Point(x: 200, y: 100))
        // A cancel of the second seat does not affect the first one.
        screen.touch(.cancel, seat: 2, at: 45)
        #expect(screen.gestures.releases.isEmpty)
        screen.touch(.up(id: 0), seat: 1, at: 50)
        #expect(screen.gestures.releases.count == 1)
    }

    @Test func ignoredFingersStayIgnored() {
        var screen = Screen()
        screen.touch(.down(id: 0, at: .zero), seat: 1, at: 0)
        screen.touch(.down(id: 1, at: Point(x: 500, y: 0)), seat: 2, at: 10)
        screen.touch(.up(id: 0), seat: 1, at: 20)
        let before = screen.gestures.count
        screen.touch(.move(id: 1, to: Point(x: 900, y: 0)), seat: 2, at: 30)
        screen.touch(.up(id: 1), seat: 2, at: 40)
        #expect(screen.gestures.count == before)
        let counted = screen.touch(.down(id: 1, at: .zero), seat: 2, at: 2000)
        #expect(counted)
    }

    @Test func tapsOfTwoSeatsAreNoDoubleTap() {
        var screen = Screen()
        for (seat, time) in [(1, 0.0), (2, 100)] {
            screen.touch(.down(id: seat, at: Point(x: 50, y: 50)), seat: seat, at: time)
            screen.touch(.up(id: seat), seat: seat, at: time + 40)
        }
        screen.arenas.forEach(into: &screen.gestures) {
            $0.expire(to: Moment(milliseconds: 2000), inclusive: true, into: &$1)
        }
        let taps = screen.gestures.filter {
            if case .tap = $0.gesture { true } else { false }
        }
        #expect(taps.count == 2)
    }
}

@Suite struct PalmTests {
    @Test func aPalmThatLandsFirstIsIgnored() throws {
        let gestures = try play(
            """
            0 touch down 0 500 500
            0 touch shape 0 120 60
            0 touch frame
            8 touch move 0 540 500
            8 touch frame
            100 touch up 0
            100 touch frame
            2000 end
            """
        ).withoutCatches
        #expect(gestures.isEmpty)
    }

    @Test func aPalmBesideAFingerIsNoSecondFinger() throws {
        let gestures = try play(
            """
            0 touch down 0 500 500
            0 touch frame
            10 touch move 0 530 500
            10 touch frame
            20 touch down 1 900 800
            20 touch shape 1 140 80
            20 touch frame
            30 touch move 0 560 500
            30 touch move 1 800 700
            30 touch frame
            """)
        #expect(gestures.manipulations.last?.fingers == 1)
        #expect(gestures.manipulations.last?.centroid == Point(x: 560, y: 500))
    }

    /// A contact that grows to a palm ends its drag with zero velocity.
    @Test func aFingerThatBecomesAPalmHasNoReleaseVelocity() throws {
        let gestures = try play(
            """
            0 touch down 0 500 500
            0 touch frame
            10 touch move 0 530 500
            10 touch frame
            20 touch move 0 580 500
            20 touch shape 0 110 110
            20 touch frame
            """)
        #expect(gestures.releases.map(\.isCancelled) == [true])
    }

    /// The zoom caused by a brief second finger does not continue after the release.
    @Test func aFingerThatBrushesTheScreenLeavesAPan() throws {
        var script = "0 touch down 0 400 300\n0 touch frame\n"
        for step in 1...16 {
            let time = step * 10
            if time == 50 { script += "50 touch down 1 100 300\n" }
            script += "\(time) touch move 0 \(400 - step * 15) 300\n"
            if time == 90 { script += "90 touch up 1\n" }
            script += "\(time) touch frame\n"
        }
        let gestures = try play(script + "162 touch up 0\n162 touch frame\n")
        #expect(gestures.manipulations.suffix(6).allSatisfy { $0.scale == 1 && $0.fingers == 1 })
        let release = try #require(gestures.releases.first)
        #expect(release.zoomRate == 0 && release.velocity.dx < -1200)
    }

    /// Two fingers rotate by 20° in total while a third one touches briefly.
    @Test func aThirdFingerDoesNotUndoARotation() throws {
        var script = "0 touch down 0 400 300\n0 touch down 1 600 300\n0 touch frame\n"
        for step in 1...20 {
            let angle = Double(step) * .pi / 180
            let arm = Vector(dx: 100, dy: 0).rotated(by: angle)
            let time = step * 10
            if time == 80 { script += "80 touch down 2 100 100\n" }
            script += "\(time) touch move 0 \(500 - arm.dx) \(300 - arm.dy)\n"
            script += "\(time) touch move 1 \(500 + arm.dx) \(300 + arm.dy)\n"
            if time == 120 { script += "120 touch up 2\n" }
            script += "\(time) touch frame\n"
        }
        let last = try #require(
            try play(script, context: GestureArena.Context(rotates: true)).manipulations.last)
        #expect(last.rotation > 0)
    }

    @Test func aContactOfFingerSizeIsNotAPalm() throws {
        let gestures = try play(
            """
            0 touch down 0 500 500
            0 touch shape 0 40 30
            0 touch frame
            60 touch up 0
            60 touch frame
            2000 end
            """
        ).withoutCatches
        #expect(gestures.count == 1)
    }
}

@Suite struct JoinedPinchTests {
    /// A touchpad ends a pinch and begins another when a finger joins: the rotation continues.
    @Test(arguments: [(100.0, 10.0), (400, 0)])
    func aRotationContinuesAfterAShortPause(pause: Double, degrees: Double) throws {
        let gestures = try play(
            """
            0 pinch begin 2
            10 pinch update 0 0 1 20
            20 pinch end
            \(20 + pause) pinch begin 3
            \(30 + pause) pinch update 0 0 1 10
            """)
        let degreesRotated = (gestures.manipulations.last?.rotation ?? 0) * 180 / .pi
        #expect(abs(degreesRotated - degrees) < 1e-9)
    }

    /// Quantised touchpad steps of 1/256 are smoothed and reach the same end value.
    @Test func theStepsOfATouchpadAreSmoothed() {
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        func send(_ event: PinchEvent, _ time: Double) {
            arena.handle(
                .pinch(event), at: Moment(milliseconds: time), context: .init(), into: &gestures)
        }
        send(.begin(fingers: 2), 0)
        send(.update(delta: .zero, scale: 1.1, rotation: 0), 10)
        var seen: [Double] = []
        for time in 10..<200 {
            gestures.removeAll()
            arena.sample(at: Moment(milliseconds: Double(time)), into: &gestures)
            guard case .manipulationPredicted(let held)? = gestures.last?.gesture else { continue }
            seen.append(held.scale)
        }
        #expect(seen.first == 1)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 < 0.004 })
        #expect(abs((seen.last ?? 0) - 1.1) < 1e-4)
        #expect(!arena.isAnimating(after: Moment(milliseconds: 200)))
        // After an early release the rest of the zoom is reported as `residualZoom`.
        gestures.removeAll()
        send(.update(delta: .zero, scale: 1.2, rotation: 0), 200)
        send(.end(cancelled: false), 210)
        let shown = gestures.manipulations.last?.scale ?? 0
        let residual = gestures.releases.last?.residualZoom ?? 0
        #expect(abs(shown * exp(residual) - 1.2) < 1e-9)
        #expect(residual > 0.01)
    }
}
