import CoreTestKit
import SeededRandom
import Geometry
import Gestures
import Glibc
import Input
import Motion
import Testing

/// A source of random input events of every kind, valid and invalid.
private struct Hands {
    private var random: SeededGenerator
    private(set) var time = 0.0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private static let wild = [
        Double.nan, .infinity, -.infinity, 1e300, -1e300, 0, -0.0, 8_388_608,
    ]

    private mutating func number() -> Double {
        Int.random(in: 0..<40, using: &random) == 0
            ? Self.wild.randomElement(using: &random) ?? 0
            : Double.random(in: -200...1500, using: &random)
    }

    private mutating func point() -> Point { Point(x: number(), y: number()) }

    mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    mutating func moment() -> Moment {
        switch Int.random(in: 0..<60, using: &random) {
        case 0: time += Double.random(in: 0...900, using: &random)
        case 1: return Moment(milliseconds: number())
        default: time += Double(Int.random(in: 0...12, using: &random))
        }
        return Moment(milliseconds: time)
    }

    mutating func context() -> GestureArena.Context {
        .init(
            contentIsMoving: chance(3), doubleTapMatters: !chance(4), rotates: !chance(4),
            chrome: chance(5)
                ? .init([Rect(x: 0, y: 0, width: 900, height: 60)]) : .init(),
            modifiers: chance(8) ? .control : [])
    }

    private mutating func pen() -> PenEvent {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .down(chance(3) ? .eraser : .tip, at: point())
        case 1, 2: return .move(to: point())
        case 3: return .up
        case 4: return chance(4) ? .cancel : .up
        default:
            return .button(PenButton.allCases.randomElement(using: &random) ?? .first, at: point())
        }
    }

    mutating func event() -> InputEvent {
        let id = Int.random(in: 0..<14, using: &random)
        switch Int.random(in: 0..<40, using: &random) {
        case 0...4: return .touch(.down(id: id, at: point()))
        case 5...10: return .touch(.move(id: id, to: point()))
        case 11...13: return .touch(.up(id: id))
        case 14: return .touch(.shape(id: id, major: number() / 4, minor: number() / 4))
        case 15...21: return .touch(.frame)
        case 22: return chance(6) ? .touch(.cancel) : .touch(.frame)
        case 23: return .pinch(.begin(fingers: 2))
        case 24:
            return .pinch(
                .update(
                    delta: Vector(dx: number(), dy: number()), scale: number() / 200,
                    rotation: number() / 20))
        case 25: return .pinch(.end(cancelled: chance(2)))
        case 26: return chance(2) ? .hold(.begin(fingers: 2)) : .hold(.end(cancelled: chance(2)))
        case 27: return .pointer(.move(to: point()))
        case 28: return .pointer(.button(.left, isDown: chance(2)))
        case 29:
            return .pointer(chance(4) ? .leave : .axisStop(chance(2) ? .vertical : .horizontal))
        case 34...39: return .pen(pen())
        default:
            return .pointer(
                .axis(
                    chance(2) ? .vertical : .horizontal, value: number() / 10,
                    source: AxisSource.allCases.randomElement(using: &random) ?? .wheel,
                    value120: chance(2) ? id : nil))
        }
    }
}

/// Checks the order of the emitted gestures and that all their values are finite.
private struct Referee {
    private var isHolding = false
    private var isOnChrome = false
    private var isZooming = false
    private(set) var complaints: [String] = []

    mutating func watch(_ gesture: Gesture) {
        switch gesture {
        case .manipulationBegan(let held):
            require(!isHolding && !isZooming, gesture)
            isHolding = true
            check(held, gesture)
        case .manipulationRebased(let held, let seen):
            require(isHolding, gesture)
            check(seen, gesture)
            require(held.scale == 1 && held.rotation == 0 && held.base == held.centroid, gesture)
        case .manipulationChanged(let held):
            require(isHolding, gesture)
            check(held, gesture)
        case .manipulationEnded(let release):
            require(isHolding, gesture)
            isHolding = false
            require(
                release.velocity.length <= 12_000 && abs(release.zoomRate) <= 20
                    && abs(release.rotationRate) <= 20 && release.centroid.isFinite, gesture)
        case .manipulationPredicted(let held):
            require(isHolding, gesture)
            check(held, gesture)
        case .manipulationReverted:
            require(isHolding, gesture)
            isHolding = false
        // Ends an active manipulation, if one exists.
        case .resumed:
            require(!isZooming, gesture)
            isHolding = false
        case .quickZoomBegan(let point):
            require(!isHolding && !isZooming && point.isFinite, gesture)
            isZooming = true
        case .quickZoomChanged(let distance), .quickZoomPredicted(let distance):
            require(isZooming && distance.isFinite, gesture)
        case .quickZoomEnded:
            require(isZooming, gesture)
            isZooming = false
        case .caught(let point), .tap(let point, _), .doubleTap(let point),
            .twoFingerTap(let point), .longPress(let point, _), .pen(_, let point),
            .dragOut(let point, _):
            require(point.isFinite, gesture)
        case .wheel(let vector, let point, _):
            require(vector.length.isFinite && point.isFinite, gesture)
        case .chrome(let part): check(part, gesture)
        case .scrollZoom(let distance, let point):
            require(distance.isFinite && point.isFinite, gesture)
        }
    }

    /// A touch on chrome begins once, and ends once: as a tap, a drag or a cancelled touch.
    private mutating func check(_ part: ChromeGesture, _ gesture: Gesture) {
        switch part {
        case .down(let point, _):
            require(!isOnChrome && point.isFinite, gesture)
            isOnChrome = true
        case .dragged(let translation):
            require(isOnChrome && translation.length.isFinite, gesture)
        case .tap, .dragEnded, .cancelled:
            require(isOnChrome, gesture)
            isOnChrome = false
        case .longPress(let point): require(isOnChrome && point.isFinite, gesture)
        case .hover(let point): require(point?.isFinite ?? true, gesture)
        }
    }

    private mutating func check(_ held: Manipulation, _ gesture: Gesture) {
        require(
            held.base.isFinite && held.centroid.isFinite && held.scale.isFinite && held.scale > 0
                && held.rotation.isFinite && (1...10).contains(held.fingers), gesture)
    }

    private mutating func require(_ isRight: Bool, _ gesture: Gesture) {
        if !isRight { complaints.append("\(gesture)") }
    }

    var isIdle: Bool { !isHolding && !isZooming }
}

@Suite struct ArenaPropertyTests {
    @Test(arguments: 0..<40)
    func anyInputGivesAWellFormedStream(seed: Int) {
        var hands = Hands(seed: UInt64(seed))
        var referee = Referee()
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        for _ in 0..<2500 {
            let (event, moment, context) = (hands.event(), hands.moment(), hands.context())
            gestures.removeAll(keepingCapacity: true)
            arena.handle(event, at: moment, context: context, into: &gestures)
            if hands.chance(9) {
                let now = Moment(milliseconds: hands.time)
                arena.expire(to: now, inclusive: true, into: &gestures)
                arena.sample(at: now, into: &gestures)
                #expect(arena.deadline.map { $0 > now || arena.isTouching } ?? true)
            }
            for timed in gestures {
                referee.watch(timed.gesture)
                #expect(timed.moment.milliseconds.isFinite)
            }
        }
        gestures.removeAll()
        arena.cancelAll(at: Moment(milliseconds: hands.time), into: &gestures)
        for timed in gestures { referee.watch(timed.gesture) }
        #expect(referee.complaints == [])
        #expect(referee.isIdle && !arena.isTouching && arena.deadline == nil)
    }

    @Test func deadlinesComeInOrder() {
        var hands = Hands(seed: 77)
        var arena = GestureArena()
        var last = -Double.infinity
        for step in 0..<4000 {
            var gestures: [TimedGesture] = []
            let id = step % 3
            let time = Moment(milliseconds: Double(step * 11))
            let events: [InputEvent] = [
                hands.chance(2)
                    ? .touch(.down(id: id, at: Point(x: 50, y: 50))) : .touch(.up(id: id)),
                .touch(.frame),
            ]
            for event in events {
                arena.handle(event, at: time, context: .init(), into: &gestures)
            }
            for timed in gestures {
                #expect(timed.moment.milliseconds >= last)
                last = timed.moment.milliseconds
            }
        }
    }

    /// The taps do not depend on whether the fingers lift in one frame or in one frame each.
    @Test(arguments: [[0], [0, 1], [1, 0], [0, 1, 2], [2, 0, 1]])
    func splittingTheFrameOfUpsChangesNoTap(order: [Int]) throws {
        var script = ""
        for id in order.sorted() { script += "0 touch down \(id) \(100 + 60 * id) 100\n" }
        script += "0 touch frame\n"
        let together = order.map { "90 touch up \($0)\n" }.joined() + "90 touch frame\n2000 end"
        let apart = order.map { "90 touch up \($0)\n90 touch frame\n" }.joined() + "2000 end"
        let gestures = try play(script + together)
        #expect(try play(script + apart) == gestures)
        #expect(gestures.withoutCatches.count == (order.count < 3 ? 1 : 0))
    }

    /// A frame in which fingers join or leave does not move the held content.
    @Test(arguments: 0..<20)
    func changingFingersMovesNothing(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var arena = GestureArena()
        var placement = Placement(scale: 1, origin: .zero)
        var down: Set<Int> = []
        for step in 0..<400 {
            // The pause between steps, longer than the horizon, makes the release velocity zero.
            let time = Moment(milliseconds: Double(step * 150))
            let before = placement
            let changes = Bool.random(using: &random)
            var events: [InputEvent] = []
            for id in 0..<4 {
                let point = Point(
                    x: Double.random(in: 0...800, using: &random),
                    y: Double.random(in: 0...800, using: &random))
                if !changes {
                    events.append(.touch(.move(id: id, to: point)))
                } else if !down.contains(id), Bool.random(using: &random) {
                    down.insert(id)
                    events.append(.touch(.down(id: id, at: point)))
                } else if down.count > 1, down.contains(id), Bool.random(using: &random) {
                    down.remove(id)
                    events.append(.touch(.up(id: id)))
                }
            }
            var gestures: [TimedGesture] = []
            for event in events + [.touch(.frame)] {
                arena.handle(
                    event, at: time, context: .init(contentIsMoving: true), into: &gestures)
            }
            for timed in gestures { placement.apply(timed.gesture) }
            guard changes else { continue }
            #expect(isNear(placement.origin, before.origin, within: 1e-6 * (1 + before.scale)))
            #expect(abs(placement.scale / before.scale - 1) < 1e-9)
        }
    }

    @Test func tooManyFingersAreIgnored() {
        var arena = GestureArena()
        var gestures: [TimedGesture] = []
        for id in 0..<40 {
            arena.handle(
                .touch(.down(id: id, at: Point(x: Double(id), y: 0))), at: .zero,
                context: .init(contentIsMoving: true), into: &gestures)
        }
        arena.handle(.touch(.frame), at: .zero, context: .init(), into: &gestures)
        #expect(arena.isTouching)
        for id in 0..<40 {
            arena.handle(.touch(.up(id: id)), at: .zero, context: .init(), into: &gestures)
        }
        arena.handle(.touch(.frame), at: .zero, context: .init(), into: &gestures)
        #expect(!arena.isTouching)
    }
}
