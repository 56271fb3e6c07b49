import Geometry
import Gestures
import Glibc
import Input
import Motion
import Testing

@Suite struct TouchpadTests {
    /// Vector W2.
    @Test func w2ScaleIsAbsoluteAndTranslationIsRelative() throws {
        var placement = Placement(scale: 0.8, origin: Point(x: -100, y: -50))
        let gestures = try play(
            """
            0 pointer move 400 300
            0 pinch begin 2
            8 pinch update 5 0 1.1 0
            16 pinch update 3 -4 1.3 0
            100 pinch end
            """)
        for timed in gestures { placement.apply(timed.gesture) }
        #expect(abs(placement.scale - 1.04) < 5e-5)
        #expect(isNear(placement.origin, Point(x: -242, y: -159)))
        #expect(gestures.manipulations.allSatisfy { $0.source == .touchpad })
        #expect(gestures.releases.map(\.centroid) == [Point(x: 408, y: 296)])
    }

    @Test func aPinchIsReleasedWithItsZoomRate() throws {
        var script = "0 pointer move 400 300\n0 pinch begin 2\n"
        for step in 1...10 {
            script += "\(8 * step) pinch update 0 0 \(exp(0.016 * Double(step))) 4\n"
        }
        let gestures = try play(script + "84 pinch end")
        let release = try #require(gestures.releases.first)
        #expect(abs(release.zoomRate - 2) < 1e-6)
        let rotation = try #require(gestures.manipulations.last?.rotation)
        #expect(abs(rotation * 180 / .pi - 25) < 1e-9)
    }

    @Test func aCancelledPinchIsReverted() throws {
        let gestures = try play("0 pinch begin 2\n8 pinch update 0 0 2 0\n9 pinch end cancelled")
        #expect(gestures.last == at(9, .manipulationReverted))
    }

    /// Vector W4: the content moves against the axis value.
    @Test func w4AScrollIsReleasedWithItsVelocity() throws {
        let gestures = try play(
            """
            0 pointer move 400 300
            0 pointer axis vertical 4 finger
            8 pointer axis vertical 8 finger
            16 pointer axis vertical 8 finger
            24 pointer axis vertical 8 finger
            32 pointer axis vertical 8 finger
            40 pointer axis-stop vertical
            """)
        #expect(gestures.manipulations.last?.translation == Vector(dx: 0, dy: -36))
        let release = try #require(gestures.releases.first)
        #expect(abs(release.velocity.dy + 1000) < 5e-5)
        #expect(release.velocity.dx == 0)
    }

    @Test(arguments: [40.0, 48])
    func bothAxesMayStopInDifferentFrames(second: Double) throws {
        var script = ""
        for step in 0...4 {
            script += "\(8 * step) pointer axis vertical 8 finger\n"
            script += "\(8 * step) pointer axis horizontal -4 finger\n"
        }
        script += "40 pointer axis-stop vertical\n\(second) pointer axis-stop horizontal"
        let gestures = try play(script)
        #expect(gestures.last?.moment == Moment(milliseconds: second))
        let release = try #require(gestures.releases.first)
        #expect(abs(release.velocity.dy + 1000) < 5e-5)
        #expect(abs(release.velocity.dx - 500) < 5e-5)
    }

    @Test func anAxisWithoutAStopEndsByTimeout() throws {
        let gestures = try play(
            """
            0 pointer axis vertical 8 finger
            0 pointer axis horizontal 8 finger
            8 pointer axis-stop vertical
            500 end
            """)
        #expect(gestures.last?.moment == Moment(milliseconds: 48))
        #expect(gestures.releases.count == 1)
    }

    /// The release of a scroll of three steps from `time` on; the last step is 20 ms later.
    private func scrolling(at time: Double, _ rest: String = "") -> String {
        (0..<3).map { "\(time + 10 * Double($0)) pointer axis vertical 12 finger\n" }.joined()
            + rest
    }

    /// Mir and remote desktops send no stop.
    ///
    /// A device that has sent one has fingers that may rest.
    @Test func aScrollWithoutAStopSettlesAfterAPause() throws {
        let gestures = try play(
            scrolling(at: 0) + scrolling(at: 2000)
                + scrolling(at: 4000, "4030 pointer axis-stop vertical\n") + scrolling(at: 6000)
                + "20000 end")
        let ends = gestures.filter {
            if case .manipulationEnded = $0.gesture { true } else { false }
        }
        #expect(ends.map(\.moment.milliseconds) == [1020, 2320, 4030, 9020])
        #expect(gestures.releases.map { $0.velocity == .zero } == [true, true, false, true])
    }

    /// The next scroll begins anew, with the modifiers of its own time.
    @Test func aScrollAfterOneWithoutAStopMayZoom() throws {
        let script = try GestureScript(parsing: scrolling(at: 0) + scrolling(at: 3000) + "9000 end")
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        for entry in script.entries {
            let control: KeyEvent.Modifiers = entry.moment.milliseconds < 3000 ? [] : .control
            arena.handle(
                entry.event, at: entry.moment, context: .init(modifiers: control), into: &gestures)
        }
        let zooms = gestures.filter { if case .scrollZoom = $0.gesture { true } else { false } }
        #expect(zooms.count == 3)
    }

    /// What a pinch without an end holds settles; fingers that rested go on from there.
    @Test func aPinchWithoutAnEndSettlesAndGoesOn() throws {
        let gestures = try play(
            """
            0 pointer move 400 300
            0 pinch begin 2
            8 pinch update 0 0 2 0
            4000 pinch update 0 0 3 0
            4100 pinch end
            9000 end
            """)
        #expect(gestures.releases.map(\.isCancelled) == [true, false])
        var placement = Placement(scale: 1, origin: .zero)
        for timed in gestures { placement.apply(timed.gesture) }
        #expect(abs(placement.scale - 3) < 1e-9)
    }

    /// What follows a pinch without an end is no part of it.
    @Test func aScrollFollowsAPinchWithoutAnEnd() throws {
        let gestures = try play(
            "0 pinch begin 2\n8 pinch update 0 0 2 0\n" + scrolling(at: 5000) + "9000 end")
        #expect(gestures.manipulations.last?.source == .scroll)
        #expect(gestures.releases.count == 2)
    }

    /// A scroll by another device while fingers rest ends before their pinch goes on.
    @Test func aPinchThatGoesOnEndsAScroll() throws {
        let gestures = try play(
            """
            0 pinch begin 2
            8 pinch update 0 0 2 0
            4000 pointer axis vertical 12 continuous
            4010 pinch update 0 0 3 0
            4020 pinch update 0 0 4 0
            4500 pinch end
            9000 end
            """)
        #expect(gestures.releases.map(\.isCancelled) == [true, true, false])
        #expect(gestures.manipulations.last?.source == .touchpad)
        let scale = try #require(gestures.manipulations.last?.scale)
        #expect(abs(scale - 2) < 1e-6)
    }

    /// Wheels without detents, as those of lan-mouse and FreeRDP: pixels add up to detents.
    @Test(arguments: [
        ("1.5", 10, 180.0), ("-1.5 wheel 0", 10, -180), ("0.01", 1, 0.12), ("10", 1, 120),
        ("15", 1, 120),
        ("-53", 1, -120), ("0", 1, 0), ("15 wheel 120", 1, 120), ("15 wheel -30", 1, -30),
        ("15 wheel 2147483647", 1, 12000), ("15 wheel -2147483648", 1, -12000),
    ]) func pixelsOfAWheelAddUp(axis: String, count: Int, detents: Double) throws {
        let source = axis.contains("wheel") ? "" : " wheel"
        let script = (0..<count).map { "\(16 * $0) pointer axis vertical \(axis)\(source)\n" }
        let gestures = try play(script.joined() + "2000 end")
        let sum = gestures.reduce(0) { sum, timed in
            if case .wheel(let vector, _, _) = timed.gesture { sum + vector.dy } else { sum }
        }
        #expect(abs(sum - detents) < 1e-9)
    }

    @Test func aContinuousScrollEndsByTimeoutWithZeroVelocity() throws {
        let gestures = try play(
            """
            0 pointer axis vertical 80 continuous
            8 pointer axis vertical 80 continuous
            16 pointer axis vertical 80 continuous
            500 end
            """)
        #expect(gestures.last?.moment == Moment(milliseconds: 116))
        #expect(gestures.releases.map(\.velocity) == [.zero])
        #expect(gestures.manipulations.last?.translation == Vector(dx: 0, dy: -240))
    }

    /// Vector W3: a Ctrl-scroll of −50 px zooms by a factor of exp(50/200).
    @Test func w3CtrlZoomsUntilTheFingersLeave() throws {
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        func scroll(_ value: Double, at milliseconds: Double, _ modifiers: KeyEvent.Modifiers) {
            arena.handle(
                .pointer(.axis(.vertical, value: value, source: .finger, value120: nil)),
                at: Moment(milliseconds: milliseconds), context: .init(modifiers: modifiers),
                into: &gestures)
        }
        scroll(-20, at: 0, .control)
        scroll(-30, at: 8, [])
        arena.handle(
            .pointer(.axisStop(.vertical)), at: Moment(milliseconds: 16), context: .init(),
            into: &gestures)
        #expect(
            gestures == [
                at(0, .scrollZoom(distance: -20, at: .zero)),
                at(8, .scrollZoom(distance: -30, at: .zero)),
            ])
        #expect(abs(exp(50.0 / 200) - 1.2840) < 5e-5)
        scroll(5, at: 500, [])
        #expect(gestures.manipulations.last?.translation == Vector(dx: 0, dy: -5))
    }

    /// The arena emits wheel input in units of 1/120 detent.
    @Test func w1WheelsComeInDetents() throws {
        let gestures = try play(
            """
            0 pointer move 7 8
            0 pointer axis vertical -15 wheel -120
            8 pointer axis horizontal 3 wheel 30
            16 pointer axis vertical 10 wheel
            """)
        let pointer = Point(x: 7, y: 8)
        #expect(
            gestures.withoutHovers == [
                at(0, .wheel(Vector(dx: 0, dy: -120), at: pointer, zooms: false)),
                at(8, .wheel(Vector(dx: 30, dy: 0), at: pointer, zooms: false)),
                at(16, .wheel(Vector(dx: 0, dy: 120), at: pointer, zooms: false)),
            ])
    }

    @Test func restingFingersStopMovingContent() throws {
        let still = try play("0 hold begin 2\n90 hold end\n200 end")
        #expect(still == [at(0, .caught(at: .zero))])
        let moving = try play(
            "0 hold begin 2\n90 hold end cancelled\n200 end", context: .init(contentIsMoving: true))
        #expect(moving.count == 3)
        #expect(moving.last == at(90, .manipulationEnded(Release(centroid: .zero))))
    }

    @Test func swipesAreLeftToTheCompositor() throws {
        #expect(try play("0 swipe begin 3\n8 swipe update 30 0\n16 swipe end\n500 end").isEmpty)
    }

    @Test func aTouchEndsTheTouchpadsManipulation() throws {
        let gestures = try play(
            """
            0 pinch begin 2
            8 pinch update 4 0 1.2 0
            16 touch down 0 50 50
            16 touch frame
            24 pinch update 4 0 1.3 0
            32 pinch end
            """)
        #expect(gestures.count == 5)
        #expect(
            gestures.suffix(2) == [
                at(16, .manipulationEnded(Release(centroid: Point(x: 4, y: 0), isCancelled: true))),
                at(16, .caught(at: Point(x: 50, y: 50))),
            ])
    }
}
