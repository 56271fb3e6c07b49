package import Geometry
package import Input

/// Fingers as they are on a touchscreen.
///
/// They land up to 80 ms apart and lift up to 90 ms apart, in any order and in frames of their own;
/// they tremble; the screen reports them 60 to 240 times a second, unevenly, in whole pixels or in
/// parts of 1/256, and loses some reports.
package struct HumanHand: Sendable {
    /// What a finger does: where it is so many milliseconds after the gesture's start.
    package typealias Course = (_ time: Double) -> Point

    package struct Event: Sendable {
        /// Milliseconds.
        package var time: Double
        package var event: InputEvent

        package init(_ time: Double, _ event: InputEvent) {
            (self.time, self.event) = (time, event)
        }
    }

    /// How this hand and this screen are, for one gesture.
    package struct Traits: Sendable {
        /// Between two reports, in milliseconds, and by how much they come too early or too late.
        package var interval: Double
        package var unevenness: Double
        /// The share of reports that are lost.
        package var loss: Double
        /// How far a finger trembles about its place, in logical pixels.
        package var tremble: Double
        /// The unit of coordinates, in logical pixels.
        package var unit: Double
        /// Whether each finger's reports have frames of their own.
        package var splitsFrames: Bool
        /// Whether the last report before a lift is of only a part of the way.
        package var slowsAtLast: Bool
        /// The longest time between the landings, and between the lifts, in milliseconds.
        package var landing: Double
        package var lifting: Double

        package init(using random: inout SeededGenerator) {
            interval = 1000 / ([60.0, 90, 120, 240].randomElement(using: &random) ?? 120)
            unevenness = Double.random(in: 0...3, using: &random)
            loss = Bool.random(using: &random) ? 0 : 0.06
            tremble = Double.random(in: 0.2...1.5, using: &random)
            unit = Bool.random(using: &random) ? 1 : 1.0 / 256
            splitsFrames = Int.random(in: 0..<3, using: &random) == 0
            slowsAtLast = Int.random(in: 0..<4, using: &random) == 0
            landing = Double.random(in: 0...80, using: &random)
            lifting = Double.random(in: 0...90, using: &random)
        }
    }

    /// Something of a hand that touches the screen for a moment, and means nothing.
    package struct Brush: Sendable {
        package var place: Point
        /// The longer axis of a palm, in logical pixels; no screen reports that of a finger.
        package var palm: Double?
        package static let id = 8

        package init(at place: Point, palm: Double? = nil) {
            (self.place, self.palm) = (place, palm)
        }
    }

    package private(set) var random: SeededGenerator
    package var traits: Traits
    /// The next gesture's start, in milliseconds.
    package var time: Double
    private var events: [Event] = []
    private var nextFinger = 0

    package init(seed: UInt64, at time: Double = 0) {
        random = SeededGenerator(seed: seed)
        traits = Traits(using: &random)
        self.time = time
    }

    /// Gives what was done since the last time, in the order of time.
    package mutating func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    package mutating func number(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &random)
    }

    package mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &random) == 0
    }

    /// Another hand on another screen.
    package mutating func change() { traits = Traits(using: &random) }

    // MARK: Gestures

    /// Fingers that follow their courses for so long, and then lift after a pause.
    ///
    /// A course begins when the last finger has landed; until then fingers stay at its beginning. After
    /// the first lift the others stay about where they are. Meanwhile `brush` may touch the screen for
    /// 20 to 60 ms.
    package mutating func play(
        _ courses: [Course], for duration: Double, pause: Double = 0, brush: Brush? = nil
    ) {
        let landings = spread(courses.count, over: traits.landing)
        let start = time + (landings.max() ?? 0)
        let end = start + duration
        let lifts = spread(courses.count, over: traits.lifting).map { end + pause + $0 }
        var reports: [(time: Double, finger: Int, event: TouchEvent)] = []
        for (finger, course) in courses.enumerated() {
            let id = nextFinger
            nextFinger = (nextFinger + 1) % 8
            let down = time + landings[finger]
            reports.append((down, finger, .down(id: id, at: reported(course(0)))))
            for (moment, isLast) in samples(from: down, to: lifts[finger], stopping: end) {
                var progress = min(max(moment - start, 0), duration)
                if isLast, traits.slowsAtLast, moment <= end {
                    progress = max(progress - traits.interval * number(0.3...0.7), 0)
                }
                reports.append((moment, finger, .move(id: id, to: reported(course(progress)))))
            }
            reports.append((lifts[finger], finger, .up(id: id)))
        }
        if let brush { reports += touches(of: brush, from: start, to: end, finger: courses.count) }
        send(reports)
        time = lifts.max() ?? end
    }

    /// A finger that lands and lifts again, and drifts a little.
    package mutating func tap(at point: Point, for duration: Double) {
        let drift = Vector(dx: number(-4...4), dy: number(-4...4))
        play([{ point + drift * ($0 / duration) }], for: duration)
    }

    // MARK: Parts

    private mutating func touches(
        of brush: Brush, from start: Double, to end: Double, finger: Int
    ) -> [(time: Double, finger: Int, event: TouchEvent)] {
        let duration = min(number(20...60), end - start)
        let down = number(start...end - duration)
        let id = Brush.id
        var reports: [(time: Double, finger: Int, event: TouchEvent)] = [
            (down, finger, .down(id: id, at: reported(brush.place))),
            (down + duration, finger, .up(id: id)),
        ]
        if let major = brush.palm {
            reports.insert((down, finger, .shape(id: id, major: major, minor: major / 2)), at: 1)
        }
        return reports
    }

    private mutating func spread(_ count: Int, over longest: Double) -> [Double] {
        guard count > 1 else { return Array(repeating: 0, count: count) }
        var delays = (0..<count).map { _ in number(0...longest) }
        delays[Int.random(in: 0..<count, using: &random)] = 0
        return delays
    }

    /// When a finger is reported, and whether it is so for the last time before `end`.
    ///
    /// A finger that rests is reported, too, since it trembles.
    private mutating func samples(
        from down: Double, to lift: Double, stopping end: Double
    ) -> [(moment: Double, isLast: Bool)] {
        var moments: [Double] = []
        var moment = down + traits.interval
        while moment < lift - 1 {
            let uneven = moment + number(-traits.unevenness...traits.unevenness)
            if number(0...1) >= traits.loss, uneven > (moments.last ?? down) + 1, uneven < lift {
                moments.append(uneven)
            }
            moment += traits.interval
        }
        let last = moments.last { $0 <= end }
        return moments.map { ($0, $0 == last) }
    }

    private mutating func reported(_ point: Point) -> Point {
        let trembled =
            point
            + Vector(
                dx: number(-traits.tremble...traits.tremble),
                dy: number(-traits.tremble...traits.tremble))
        return Point(
            x: (trembled.x / traits.unit).rounded() * traits.unit,
            y: (trembled.y / traits.unit).rounded() * traits.unit)
    }

    /// Reports at the same millisecond share a frame, unless each finger has its own.
    private mutating func send(_ reports: [(time: Double, finger: Int, event: TouchEvent)]) {
        let sorted = reports.map { (time: $0.time.rounded(), $0.finger, $0.event) }
            .enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            .map(\.element)
        for (index, (moment, finger, event)) in sorted.enumerated() {
            events.append(Event(moment, .touch(event)))
            let next = index + 1 < sorted.count ? sorted[index + 1] : nil
            let endsFrame = next.map { $0.0 != moment || traits.splitsFrames && $0.1 != finger }
            if endsFrame ?? true { events.append(Event(moment, .touch(.frame))) }
        }
    }
}
