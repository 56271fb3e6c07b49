import Geometry
import Gestures
import Input
import Motion
import Testing

/// A tap script and the gestures expected from it.
struct TapVector: Sendable, CustomTestStringConvertible {
    let id: String
    let script: String
    let gestures: [TimedGesture]
    var testDescription: String { id }

    init(_ id: String, _ script: String, _ gestures: TimedGesture...) {
        self.id = id
        self.script = script
        self.gestures = gestures
    }

    private static let tap = """
        0 touch down 0 100 100
        0 touch frame
        80 touch up 0
        80 touch frame

        """

    /// Another tap at `x`, 60 ms long.
    private static func second(_ time: Int, x: Int) -> String {
        """
        \(time) touch down 0 \(x) 100
        \(time) touch frame
        \(time + 60) touch up 0
        \(time + 60) touch frame
        2000 end
        """
    }

    private static let two = """
        0 touch down 0 100 100
        0 touch frame
        20 touch down 1 180 100
        20 touch frame

        """

    static let all: [TapVector] = [
        TapVector("T1", tap + "380 end", at(380, .tap(at: Point(x: 100, y: 100), source: .touch))),
        TapVector("T1, just before the time limit", tap + "379.9 end"),
        TapVector(
            "T2", tap + second(200, x: 112), at(260, .doubleTap(at: Point(x: 112, y: 100)))),
        TapVector(
            "T3, at the time limit", tap + second(380, x: 100),
            at(440, .doubleTap(at: Point(x: 100, y: 100)))),
        TapVector(
            "T3, too late", tap + second(381, x: 100),
            at(380, .tap(at: Point(x: 100, y: 100), source: .touch)),
            at(741, .tap(at: Point(x: 100, y: 100), source: .touch))),
        TapVector(
            "T4", tap + second(200, x: 160),
            at(200, .tap(at: Point(x: 100, y: 100), source: .touch)),
            at(560, .tap(at: Point(x: 160, y: 100), source: .touch))),
        TapVector(
            "T5",
            two + "120 touch up 0\n120 touch up 1\n120 touch frame\n2000 end",
            at(120, .twoFingerTap(at: Point(x: 140, y: 100)))),
        TapVector(
            "T6, the first finger first",
            two + "100 touch up 0\n100 touch frame\n150 touch up 1\n150 touch frame\n2000 end",
            at(150, .twoFingerTap(at: Point(x: 140, y: 100)))),
        TapVector(
            "T6, the second finger first",
            two + "100 touch up 1\n100 touch frame\n150 touch up 0\n150 touch frame\n2000 end",
            at(150, .twoFingerTap(at: Point(x: 140, y: 100)))),
        TapVector(
            "T7",
            two + """
                60 touch down 2 300 300
                60 touch frame
                150 touch up 0
                150 touch up 1
                150 touch up 2
                150 touch frame
                2000 end
                """),
        TapVector(
            "T8",
            two + """
                90 touch cancel
                400 touch down 0 50 60
                400 touch frame
                450 touch up 0
                450 touch frame
                2000 end
                """, at(750, .tap(at: Point(x: 50, y: 60), source: .touch))),
        TapVector(
            "T9",
            """
            0 touch down 0 100 100
            0 touch frame
            600 touch up 0
            600 touch frame
            2000 end
            """, at(500, .longPress(at: Point(x: 100, y: 100), source: .touch))),
        TapVector(
            "T10",
            """
            0 touch down 0 100 100
            0 touch frame
            480 touch up 0
            480 touch frame
            2000 end
            """, at(780, .tap(at: Point(x: 100, y: 100), source: .touch))),
        TapVector(
            "T10, with a late frame",
            """
            0 touch down 0 100 100
            0 touch frame
            480 touch up 0
            520 touch frame
            2000 end
            """, at(780, .tap(at: Point(x: 100, y: 100), source: .touch))),
        TapVector(
            "an up at the time limit of a long press",
            """
            0 touch down 0 100 100
            0 touch frame
            500 touch up 0
            500 touch frame
            2000 end
            """, at(500, .longPress(at: Point(x: 100, y: 100), source: .touch))),
        TapVector(
            "a contact that bounces is one tap", tap + second(110, x: 100),
            at(470, .tap(at: Point(x: 100, y: 100), source: .touch))),
        TapVector(
            "a tap and then two fingers near it",
            tap + """
                200 touch down 0 100 100
                200 touch frame
                220 touch down 1 180 100
                220 touch frame
                260 touch up 0
                260 touch up 1
                260 touch frame
                2000 end
                """),
        TapVector(
            "two fingers too far apart",
            """
            0 touch down 0 100 100
            0 touch down 1 500 100
            0 touch frame
            90 touch up 0
            90 touch up 1
            90 touch frame
            2000 end
            """),
        TapVector(
            "two fingers for too long",
            two + "490 touch up 0\n490 touch frame\n500 touch up 1\n500 touch frame\n2000 end"),
        TapVector(
            "the first of two fingers strays",
            two + """
                40 touch move 0 100 112
                40 touch frame
                60 touch up 0
                60 touch frame
                90 touch up 1
                90 touch frame
                2000 end
                """),
        TapVector(
            "one finger stays and the other taps twice",
            two + """
                60 touch up 1
                60 touch frame
                120 touch down 1 180 100
                120 touch frame
                160 touch up 1
                160 touch frame
                200 touch up 0
                200 touch frame
                2000 end
                """),
        TapVector(
            "a second tap that is held is not a tap",
            tap + """
                200 touch down 0 100 100
                200 touch frame
                701 touch up 0
                701 touch frame
                2000 end
                """),
        TapVector(
            "all in one frame",
            """
            10 touch down 4 7 8
            40 touch up 4
            40 touch frame
            2000 end
            """, at(340, .tap(at: Point(x: 7, y: 8), source: .touch))),
        TapVector(
            "an id that is reused in the same frame",
            """
            0 touch down 4 7 8
            0 touch frame
            40 touch up 4
            100 touch down 4 9 8
            100 touch frame
            140 touch up 4
            140 touch frame
            2000 end
            """, at(140, .doubleTap(at: Point(x: 9, y: 8)))),
    ]
}

@Suite struct TapTests {
    @Test(arguments: TapVector.all)
    func tapsAreRecognised(_ vector: TapVector) throws {
        #expect(try play(vector.script).withoutCatches == vector.gestures)
    }

    @Test func aTapDoesNotWaitIfDoubleTapsHaveNoEffect() throws {
        let gestures = try play(
            """
            0 touch down 0 100 100
            0 touch frame
            80 touch up 0
            80 touch frame
            200 touch down 0 100 100
            200 touch frame
            260 touch up 0
            260 touch frame
            2000 end
            """, context: .init(doubleTapMatters: false))
        let point = Point(x: 100, y: 100)
        #expect(
            gestures.withoutCatches == [
                at(80, .tap(at: point, source: .touch)), at(260, .tap(at: point, source: .touch)),
            ])
    }

    /// Vector T11.
    @Test func outOfTheSlopAndBackIsNotATap() throws {
        let gestures = try play(
            """
            0 touch down 0 100 100
            0 touch frame
            45 touch move 0 112 100
            45 touch frame
            90 touch move 0 100 100
            90 touch frame
            100 touch up 0
            100 touch frame
            2000 end
            """)
        #expect(gestures.withoutPredictions.count == 4)
        #expect(gestures.first == at(0, .caught(at: Point(x: 100, y: 100))))
        #expect(gestures.last?.moment == Moment(milliseconds: 100))
        #expect(gestures.manipulations.count == 2)
        #expect(gestures.releases.count == 1)
    }

    private static let moving = GestureArena.Context(contentIsMoving: true)

    /// A single tap on moving content emits only `resumed`.
    @Test func aTapOnMovingContentResumesIt() throws {
        let point = Point(x: 5, y: 6)
        let held = Manipulation(source: .touch, fingers: 1, base: point, centroid: point)
        let gestures = try play(
            "0 touch down 0 5 6\n0 touch frame\n60 touch up 0\n60 touch frame\n2000 end",
            context: Self.moving)
        #expect(
            gestures.withoutPredictions == [
                at(0, .caught(at: point)), at(0, .manipulationBegan(held)), at(60, .resumed),
            ])
    }

    @Test func aDoubleTapOnMovingContentIsRecognised() throws {
        let gestures = try play(
            """
            0 touch down 0 5 6
            0 touch frame
            50 touch up 0
            50 touch frame
            200 touch down 0 9 6
            200 touch frame
            250 touch up 0
            250 touch frame
            2000 end
            """, context: Self.moving)
        let point = Point(x: 9, y: 6)
        #expect(
            Array(gestures.withoutPredictions.suffix(3)) == [
                at(200, .caught(at: point)), at(250, .resumed), at(250, .doubleTap(at: point)),
            ])
    }

    @Test func aSecondTapOnMovingContentCanBeDragged() throws {
        let gestures = try play(
            """
            0 touch down 0 5 6
            0 touch frame
            50 touch up 0
            50 touch frame
            200 touch down 0 5 6
            200 touch frame
            250 touch move 0 5 46
            250 touch frame
            260 touch up 0
            260 touch frame
            2000 end
            """, context: Self.moving)
        #expect(
            Array(gestures.withoutPredictions.suffix(3)) == [
                at(250, .quickZoomBegan(at: Point(x: 5, y: 6))),
                at(250, .quickZoomChanged(distance: 30)), at(260, .quickZoomEnded),
            ])
    }

    @Test func aTwoFingerTapOnMovingContentIsRecognised() throws {
        let gestures = try play(
            """
            0 touch down 0 100 100
            0 touch frame
            30 touch down 1 180 100
            30 touch frame
            90 touch up 0
            90 touch frame
            120 touch up 1
            120 touch frame
            2000 end
            """, context: Self.moving)
        #expect(
            Array(gestures.withoutPredictions.suffix(2)) == [
                at(120, .resumed), at(120, .twoFingerTap(at: Point(x: 140, y: 100))),
            ])
    }

    /// A hold longer than a tap also resumes the motion, and is not part of a double tap.
    @Test func aLongHoldOfMovingContentIsNotATap() throws {
        let gestures = try play(
            """
            0 touch down 0 5 6
            0 touch frame
            900 touch up 0
            900 touch frame
            1000 touch down 0 5 6
            1000 touch frame
            1050 touch up 0
            1050 touch frame
            2000 end
            """, context: Self.moving)
        #expect(gestures.count { $0.gesture == .resumed } == 2)
        #expect(!gestures.contains { $0.gesture == .doubleTap(at: Point(x: 5, y: 6)) })
    }

    @Test func aCancelledTouchReleasesMovingContent() throws {
        let caught = try play(
            "0 touch down 0 5 6\n0 touch frame\n60 touch cancel\n2000 end", context: Self.moving)
        #expect(caught.releases.map(\.isCancelled) == [true])
        let second = try play(
            """
            0 touch down 0 5 6
            0 touch frame
            50 touch up 0
            50 touch frame
            90 touch down 0 5 6
            90 touch frame
            120 touch cancel
            2000 end
            """, context: Self.moving)
        #expect(second.last == at(120, .resumed))
    }

    /// Clicks at the edges turn pages without a wait for a double click, also while content moves.
    @Test(arguments: [false, true]) func clicksBesideTheDoubleClickRangeActAtOnce(isMoving: Bool)
        throws
    {
        let gestures = try play(
            """
            0 pointer move 1900 500
            0 pointer button left down
            60 pointer button left up
            140 pointer button left down
            200 pointer button left up
            2000 end
            """,
            context: .init(contentIsMoving: isMoving, doubleClickRange: 100...1800))
        let point = Point(x: 1900, y: 500)
        #expect(
            gestures.withoutCatches == [
                at(60, .tap(at: point, source: .mouse)), at(200, .tap(at: point, source: .mouse)),
            ])
        #expect(gestures.contains { $0.gesture == .caught(at: point) } == !isMoving)
    }

    @Test func deadlinesAreReportedAndMet() {
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        let context = GestureArena.Context()
        func moment(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }
        #expect(arena.deadline == nil)
        arena.handle(
            .touch(.down(id: 0, at: .zero)), at: moment(80), context: context, into: &gestures)
        arena.handle(.touch(.frame), at: moment(80), context: context, into: &gestures)
        #expect(arena.deadline == moment(580))
        #expect(arena.isTouching)
        arena.handle(.touch(.up(id: 0)), at: moment(90), context: context, into: &gestures)
        arena.handle(.touch(.frame), at: moment(90), context: context, into: &gestures)
        #expect(arena.deadline == moment(390))
        #expect(!arena.isTouching)
        arena.expire(to: moment(390), inclusive: true, into: &gestures)
        #expect(arena.deadline == nil)
        #expect(gestures.last == at(390, .tap(at: .zero, source: .touch)))
    }
}
