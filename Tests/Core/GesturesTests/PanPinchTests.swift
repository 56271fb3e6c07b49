import Geometry
import Gestures
import Glibc
import Motion
import Testing

@Suite struct PanTests {
    private static let down = "0 touch down 0 100 100\n0 touch frame\n"

    @Test func s1WithinTheSlopNothingPans() throws {
        let gestures = try play(Self.down + "8 touch move 0 106 108\n8 touch frame")
        #expect(gestures.manipulations.isEmpty)
    }

    @Test func s2AndS3TheSlopIsSubtractedWithoutAJump() throws {
        let gestures = try play(
            Self.down + """
                8 touch move 0 109 112
                8 touch frame
                16 touch move 0 119 122
                16 touch frame
                """)
        let ways = gestures.manipulations.map(\.translation)
        #expect(ways.count == 2)
        #expect(abs(ways[0].dx - 3) < 5e-5 && abs(ways[0].dy - 4) < 5e-5)
        #expect(abs(ways[1].dx - 13) < 5e-5 && abs(ways[1].dy - 14) < 5e-5)
        #expect(gestures.manipulations.allSatisfy { $0.source == .touch && $0.scale == 1 })
    }

    @Test func aPanSwallowsLongPressAndTap() throws {
        let gestures = try play(
            Self.down + """
                8 touch move 0 140 100
                8 touch frame
                900 touch up 0
                900 touch frame
                2000 end
                """)
        #expect(gestures.withoutPredictions.count == 3)
        #expect(gestures.releases == [Release(centroid: Point(x: 140, y: 100))])
    }

    @Test func afterALongPressNothingPans() throws {
        let gestures = try play(
            Self.down + "600 touch move 0 200 100\n600 touch frame\n700 touch up 0\n700 touch frame"
        )
        #expect(
            gestures.withoutCatches == [
                at(500, .longPress(at: Point(x: 100, y: 100), source: .touch))
            ])
    }

    @Test func aCancelEndsAtRest() throws {
        var script = Self.down
        for step in 1...10 {
            script += "\(8 * step) touch move 0 \(100 + 20 * step) 100\n\(8 * step) touch frame\n"
        }
        let gestures = try play(script + "84 touch cancel\n2000 end")
        #expect(
            gestures.last
                == at(
                    84,
                    .manipulationEnded(Release(centroid: Point(x: 300, y: 100), isCancelled: true)))
        )
    }

    @Test func theMouseDragsAndClicks() throws {
        let gestures = try play(
            """
            0 pointer move 10 10
            0 pointer button left down
            700 pointer move 40 10
            710 pointer button left up
            800 pointer button left down
            810 pointer button left up
            900 pointer button left down
            910 pointer button left up
            1000 pointer button right down
            1010 pointer button right up
            2000 end
            """)
        #expect(gestures.manipulations.map(\.source) == [.mouse])
        #expect(gestures.manipulations.first?.translation == Vector(dx: 20, dy: 0))
        #expect(
            gestures.suffix(2) == [
                at(910, .doubleTap(at: Point(x: 40, y: 10))),
                at(1000, .longPress(at: Point(x: 40, y: 10), source: .mouse)),
            ])
    }
}

@Suite struct PinchTests {
    /// Caught content has no slop: the reference values P1 to P7 start with a recognised pinch.
    private func place(
        _ script: String, scale: Double, origin: Point, rotates: Bool = false,
        contentIsMoving: Bool = true
    ) throws -> [Placement] {
        var placement = Placement(scale: scale, origin: origin)
        return try play(
            script, context: .init(contentIsMoving: contentIsMoving, rotates: rotates)
        ).map { timed in
            placement.apply(timed.gesture)
            return placement
        }
    }

    private func expect(_ placement: Placement?, _ scale: Double, _ x: Double, _ y: Double) {
        #expect(abs((placement?.scale ?? 0) - scale) < 5e-5)
        #expect(isNear(placement?.origin ?? .zero, Point(x: x, y: y), within: 1e-4))
    }

    @Test func p1KeepsThePointUnderTheFingers() throws {
        let placements = try place(
            """
            0 touch down 0 300 400
            0 touch down 1 500 400
            0 touch frame
            8 touch move 0 250 380
            8 touch move 1 590 460
            8 touch frame
            """, scale: 0.5, origin: Point(x: 50, y: 80))
        expect(placements.last, 0.8732, -191.2487, -138.8560)
    }

    @Test func p2RotatesBeyondTheLock() throws {
        let angle = 40 * Double.pi / 180
        let arm = Vector(dx: 100 * cos(angle), dy: 100 * sin(angle))
        let placements = try place(
            """
            0 touch down 0 300 400
            0 touch down 1 500 400
            0 touch frame
            8 touch move 0 \(400 - arm.dx) \(400 - arm.dy)
            8 touch move 1 \(400 + arm.dx) \(400 + arm.dy)
            8 touch frame
            """, scale: 0.5, origin: Point(x: 50, y: 80), rotates: true, contentIsMoving: false)
        expect(placements.last, 0.5, 218.0301, -37.9349)
        let rotation: Double = placements.last?.rotation ?? 0
        #expect(abs(rotation - 25 * Double.pi / 180) < 1e-6)
    }

    private static let p3 = """
        0 touch down 0 100 100
        0 touch down 1 300 100
        0 touch frame
        8 touch move 0 80 100
        8 touch move 1 320 100
        8 touch frame

        """

    @Test func p3SpreadingZoomsAboutTheMiddle() throws {
        expect(try place(Self.p3, scale: 1, origin: .zero).last, 1.2, -40, -20)
    }

    @Test func p4AThirdFingerMovesNothing() throws {
        let script = Self.p3 + "16 touch down 2 200 400\n16 touch frame\n"
        expect(try place(script, scale: 1, origin: .zero).last, 1.2, -40, -20)
    }

    @Test func p5ThreeFingersPinch() throws {
        let script =
            Self.p3 + """
                16 touch down 2 200 400
                16 touch frame
                24 touch move 0 90 110
                24 touch move 1 330 110
                24 touch move 2 210 470
                24 touch frame
                """
        expect(try place(script, scale: 1, origin: .zero).last, 1.3668, -63.3575, -20.5777)
    }

    @Test func p6MergedContactsDoNotExplode() throws {
        let placements = try place(
            """
            0 touch down 0 0 0
            0 touch down 1 20 0
            0 touch frame
            8 touch move 1 100 0
            8 touch frame
            """, scale: 1, origin: .zero)
        #expect(abs((placements.last?.scale ?? 0) - 2.5) < 5e-5)
    }

    /// Vector P7 with 20° more, so that the accumulated rotation exceeds the lock.
    @Test func p7RotationPast180DegreesIsAccumulated() throws {
        func pair(_ degrees: Double) -> (Point, Point) {
            let arm = Vector(
                dx: 100 * cos(degrees * .pi / 180), dy: 100 * sin(degrees * .pi / 180))
            return (Point(x: 200, y: 200) - arm, Point(x: 200, y: 200) + arm)
        }
        var script = ""
        for (index, degrees) in [170.0, 179, -175, -155].enumerated() {
            let (a, b) = pair(degrees)
            let verb = index == 0 ? "down" : "move"
            script += """
                \(8 * index) touch \(verb) 0 \(a.x) \(a.y)
                \(8 * index) touch \(verb) 1 \(b.x) \(b.y)
                \(8 * index) touch frame

                """
        }
        let gestures = try play(script, context: .init(contentIsMoving: true))
        let rotation: Double = gestures.manipulations.last?.rotation ?? 0
        #expect(abs(rotation - 20 * Double.pi / 180) < 1e-11)
    }

    @Test func aPinchStartsBeyondItsOwnSlop() throws {
        let down = "0 touch down 0 100 100\n0 touch down 1 200 100\n0 touch frame\n"
        let within = down + "8 touch move 0 92 100\n8 touch move 1 208 100\n8 touch frame\n"
        #expect(try play(within).manipulations.isEmpty)
        let beyond = within + "16 touch move 0 90 100\n16 touch move 1 210 100\n16 touch frame\n"
        let held = try play(beyond).manipulations
        #expect(held.count == 1)
        let scale: Double = held.first?.scale ?? 0
        #expect(abs(scale - 120.0 / 116) < 1e-12)
        #expect(held.first?.translation == .zero)
    }

    @Test func aPanBecomesAPinchAndAPanAgainWithoutAJump() throws {
        let script = """
            0 touch down 0 100 100
            0 touch frame
            8 touch move 0 130 100
            8 touch frame
            16 touch down 1 330 100
            16 touch frame
            24 touch move 1 350 140
            24 touch frame
            32 touch up 0
            32 touch frame
            40 touch move 1 352 140
            40 touch frame
            148 touch move 1 354 140
            148 touch frame
            """
        let placements = try place(
            script, scale: 1, origin: .zero, contentIsMoving: false)
        let gestures = try play(script)
        for (index, timed) in gestures.enumerated() {
            guard case .manipulationRebased = timed.gesture else { continue }
            #expect(isNear(placements[index].origin, placements[index - 1].origin))
            #expect(abs(placements[index].scale - placements[index - 1].scale) < 1e-12)
        }
        let last = placements[placements.count - 1].origin
        #expect(isNear(last, placements[placements.count - 2].origin + Vector(dx: 2, dy: 0)))
    }

    @Test func rotationStaysOffIfDisabled() throws {
        let gestures = try play(
            """
            0 touch down 0 100 200
            0 touch down 1 300 200
            0 touch frame
            8 touch move 0 200 100
            8 touch move 1 200 300
            8 touch frame
            """, context: .init(rotates: false))
        #expect(gestures.manipulations.map(\.rotation) == [0])
    }
}
