import CoreTestKit
import Browser
import Geometry
import Glibc
import Input
import Motion

/// The events of one gesture and its intended effect.
struct Intent {
    /// The touch events; times are in milliseconds from the start of the gesture.
    var events: [(time: Double, event: InputEvent)]
    /// The times of the first lift and of the last one, in milliseconds.
    var firstLift: Double
    var lastLift: Double
    /// The parameters of the gesture: translation, position, zoom factor.
    var translation = Vector.zero
    var place = Point.zero
    var factor = 1.0
}

/// Generates realistic gestures of a kind.
struct Player {
    var hand: HumanHand
    private let surface: Size

    init(seed: UInt64, on surface: Size) {
        hand = HumanHand(seed: seed)
        self.surface = surface
    }

    private mutating func point(margin: Double) -> Point {
        Point(
            x: hand.number(margin...surface.width - margin),
            y: hand.number(margin...surface.height - margin))
    }

    private mutating func direction() -> Vector {
        let angle = hand.number(0...2 * .pi)
        return Vector(dx: cos(angle), dy: sin(angle))
    }

    private mutating func sign() -> Double { hand.chance(2) ? 1 : -1 }

    /// The progress, 0…1, of a hand that accelerates for a quarter of the time.
    private static func course(_ time: Double) -> Double {
        let start = 0.25
        let slope = 1 / (1 - start / 2)
        return time < start ? slope * time * time / (2 * start) : slope * (time - start / 2)
    }

    // MARK: Gestures

    mutating func gesture(_ kind: Kind) -> Intent {
        hand.change()
        hand.time = 0
        var (translation, place, factor) = (Vector.zero, Point.zero, 1.0)
        switch kind {
        case .tap:
            place = point(margin: 120)
            hand.tap(at: place, for: hand.number(40...200))
        case .cellTap:
            place = point(margin: 30)
            hand.tap(at: place, for: hand.number(40...200))
        case .doubleTap:
            place = point(margin: 120)
            hand.tap(at: place, for: hand.number(40...120))
            hand.time += hand.number(70...240)
            hand.tap(
                at: place + Vector(dx: hand.number(-15...15), dy: hand.number(-15...15)),
                for: hand.number(40...120))
        case .quickZoom:
            place = point(margin: 120)
            translation = Vector(dx: hand.number(-15...15), dy: hand.number(40...220) * sign())
            hand.tap(at: place, for: hand.number(40...120))
            hand.time += hand.number(70...240)
            drag(from: place, by: translation, for: hand.number(150...500))
        case .longPress:
            place = point(margin: 120)
            hand.tap(at: place, for: hand.number(620...1100))
        case .twoFingerTap:
            place = point(margin: 160)
            let arm = direction() * hand.number(45...120)
            // Both fingers must be up within 0.5 s.
            hand.traits.landing = min(hand.traits.landing, 70)
            hand.play(
                [{ [place] _ in place + arm }, { [place] _ in place + arm * -1 }],
                for: hand.number(50...180))
        case .pan:
            place = point(margin: 200)
            translation = direction() * hand.number(60...220)
            drag(
                from: place, by: translation, for: hand.number(200...600),
                pause: hand.number(70...200))
        case .fling:
            place = point(margin: 200)
            translation = direction() * hand.number(100...180)
            drag(from: place, by: translation, for: hand.number(90...200))
        case .swipe, .lastSwipe:
            place = Point(x: surface.width / 2, y: hand.number(100...surface.height - 100))
            let length = hand.number(110...280)
            translation = Vector(
                dx: kind == .lastSwipe ? -length : length * sign(),
                dy: length * hand.number(-0.3...0.3))
            drag(from: place, by: translation, for: hand.number(80...220))
        case .dismissal:
            let length = hand.number(200...300) * sign()
            place = Point(
                x: hand.number(200...surface.width - 200), y: surface.height / 2 - length / 2)
            translation = Vector(dx: length * hand.number(-0.3...0.3), dy: length)
            hand.traits.slowsAtLast = false
            drag(from: place, by: translation, for: hand.number(70...120))
        case .pinchOut:
            factor = hand.number(1.3...2.2)
            place = pinch(factor, travel: 0...0, turn: 0...0)
        case .pinchIn:
            factor = hand.number(0.5...0.8)
            place = pinch(factor, travel: 0...0, turn: 0...0)
        case .pinchTravel:
            factor = hand.chance(2) ? hand.number(1.2...1.7) : hand.number(0.6...0.85)
            place = pinch(factor, travel: 40...120, turn: -0.1...0.1)
        case .pinchTurn:
            factor = hand.number(0.8...1.3)
            place = pinch(factor, travel: 0...40, turn: 0.5...1.2)
        case .pinchAway:
            factor = hand.number(0.35...0.55)
            place = pinch(factor, travel: 0...0, turn: 0...0)
        case .peek:
            factor = hand.number(1.2...1.8)
            place = pinch(factor, travel: 0...80, turn: 0...0)
        case .gridPinch:
            factor = hand.number(1.6...2.2)
            place = pinch(factor, travel: 0...40, turn: 0...0)
        case .gridScroll:
            place = Point(x: hand.number(60...surface.width - 100), y: surface.height / 2)
            translation = Vector(dx: hand.number(-30...30), dy: hand.number(60...180) * sign())
            drag(from: place, by: translation, for: hand.number(100...400))
        }
        let events = hand.drainEvents().map { (time: $0.time, event: $0.event) }
        let lifts = events.filter(\.event.isLift)
        let last = lifts.last?.time ?? 0
        let taps: Set<Kind> = [.doubleTap, .quickZoom]
        let first = taps.contains(kind) ? last : lifts.first?.time ?? 0
        // Movement that the screen has not reported does not count.
        if translation != .zero { translation = Self.reportedTranslation(events) ?? translation }
        return Intent(
            events: events, firstLift: first, lastLift: last, translation: translation,
            place: place,
            factor: factor)
    }

    /// The translation of the last finger from its landing to its last report.
    private static func reportedTranslation(
        _ events: [(time: Double, event: InputEvent)]
    ) -> Vector? {
        var (start, end): (Point?, Point?) = (nil, nil)
        for (_, event) in events {
            switch event {
            case .touch(.down(HumanHand.AccidentalContact.id, _)): break
            case .touch(.down(_, let point)): (start, end) = (point, point)
            case .touch(.move(_, let point)): end = point
            default: break
            }
        }
        guard let start, let end else { return nil }
        return end - start
    }

    private mutating func drag(
        from start: Point, by translation: Vector, for duration: Double, pause: Double = 0
    ) {
        let course: HumanHand.Course = { start + translation * Self.course($0 / duration) }
        hand.play([course], for: duration, pause: pause, brush: brush(palm: true))
    }

    /// An accidental contact in one of eight gestures.
    ///
    /// The contact is a palm, or a third finger during a pinch. A second finger during a drag would
    /// be a pinch.
    private mutating func brush(palm: Bool) -> HumanHand.AccidentalContact? {
        guard hand.chance(8) else { return nil }
        return HumanHand.AccidentalContact(
            at: point(margin: 20), palm: palm || hand.chance(2) ? hand.number(80...140) : nil)
    }

    /// Plays a pinch and returns its initial centroid.
    private mutating func pinch(
        _ factor: Double, travel: ClosedRange<Double>, turn: ClosedRange<Double>
    ) -> Point {
        let middle = point(margin: 170)
        let translation = direction() * hand.number(travel)
        let angle = hand.number(turn) * (turn.lowerBound > 0 ? sign() : 1)
        let widest = 150.0
        let reach = factor > 1 ? widest / factor : widest
        let arm = direction() * hand.number(max(reach * 0.7, 40)...max(reach, 45))
        let duration = hand.number(120...450)
        let place = { (time: Double, sign: Double) -> Point in
            let progress = Self.course(time / duration)
            let spread = pow(factor, progress) * sign
            return middle + translation * progress + (arm * spread).rotated(by: angle * progress)
        }
        hand.play(
            [{ place($0, 1) }, { place($0, -1) }], for: duration, brush: brush(palm: false))
        return middle
    }
}

extension InputEvent {
    /// Whether the event is a lift of an intended finger.
    var isLift: Bool {
        if case .touch(.up(let id)) = self { id != HumanHand.AccidentalContact.id } else { false }
    }
}
