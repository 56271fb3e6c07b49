package import SeededRandom
package import Geometry
package import Input

/// A generator of realistic touch input.
///
/// Fingers land up to 80 ms apart and lift up to 90 ms apart, in any order and in separate frames.
/// Fingers jitter. The screen reports at 60 to 240 Hz with uneven intervals, in units of 1 or 1/256
/// pixel, and loses some reports.
package struct HumanHand: Sendable {
    /// The position of a finger, in logical pixels, `time` milliseconds after the gesture's start.
    package typealias Course = (_ time: Double) -> Point

    package struct Event: Sendable {
        /// Milliseconds.
        package var time: Double
        package var event: InputEvent

        package init(_ time: Double, _ event: InputEvent) {
            (self.time, self.event) = (time, event)
        }
    }

    /// The properties of the hand and of the screen during one gesture.
    package struct Traits: Sendable {
        /// The interval between reports and its largest deviation, in milliseconds.
        package var interval: Double
        package var unevenness: Double
        /// The share of reports that are lost.
        package var loss: Double
        /// The largest jitter of a finger per axis, in logical pixels.
        package var jitter: Double
        /// The unit of coordinates, in logical pixels.
        package var unit: Double
        /// Whether each finger's reports have separate frames.
        package var splitsFrames: Bool
        /// Whether the last report before the end of the movement lags behind.
        package var slowsAtLast: Bool
        /// The longest delay between the landings, and between the lifts, in milliseconds.
        package var landing: Double
        package var lifting: Double

        package init(using random: inout SeededGenerator) {
            interval = 1000 / ([60.0, 90, 120, 240].randomElement(using: &random) ?? 120)
            unevenness = Double.random(in: 0...3, using: &random)
            loss = Bool.random(using: &random) ? 0 : 0.06
            jitter = Double.random(in: 0.2...1.5, using: &random)
            unit = Bool.random(using: &random) ? 1 : 1.0 / 256
            splitsFrames = Int.random(in: 0..<3, using: &random) == 0
            slowsAtLast = Int.random(in: 0..<4, using: &random) == 0
            landing = Double.random(in: 0...80, using: &random)
            lifting = Double.random(in: 0...90, using: &random)
        }
    }

    /// An accidental short contact by another finger or the palm.
    package struct AccidentalContact: Sendable {
        package var place: Point
        /// The major axis of a palm, in logical pixels; nil for a finger, which has no shape report.
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

    /// Returns the events since the last call in order of time, and removes them.
    package mutating func drainEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    package mutating func number(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &random)
    }

    package mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &random) == 0
    }

    /// Chooses new random traits, as of another hand on another screen.
    package mutating func change() { traits = Traits(using: &random) }

    // MARK: Gestures

    /// Plays fingers that follow `courses` for `duration` ms and lift after `pause` ms.
    ///
    /// The courses begin when the last finger has landed; until then the fingers rest at the start.
    /// After the end of their courses the fingers rest until they lift. `brush` touches the screen
    /// for 20 to 60 ms in between.
    package mutating func play(
        _ courses: [Course], for duration: Double, pause: Double = 0,
        brush: AccidentalContact? = nil
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

    /// Plays a tap of `duration` ms with a small drift.
    package mutating func tap(at point: Point, for duration: Double) {
        let drift = Vector(dx: number(-4...4), dy: number(-4...4))
        play([{ point + drift * ($0 / duration) }], for: duration)
    }

    // MARK: Reports

    private mutating func touches(
        of brush: AccidentalContact, from start: Double, to end: Double, finger: Int
    ) -> [(time: Double, finger: Int, event: TouchEvent)] {
        let duration = min(number(20...60), end - start)
        let down = number(start...end - duration)
        let id = AccidentalContact.id
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

    /// The report times of a finger; `isLast` marks the last report before `end`.
    ///
    /// A resting finger is reported too, because it jitters.
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
        let jittered =
            point
            + Vector(
                dx: number(-traits.jitter...traits.jitter),
                dy: number(-traits.jitter...traits.jitter))
        return Point(
            x: (jittered.x / traits.unit).rounded() * traits.unit,
            y: (jittered.y / traits.unit).rounded() * traits.unit)
    }

    /// Emits the reports; without `splitsFrames`, those of the same millisecond share a frame.
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
