import Geometry
package import Input
import Motion

/// What a person's hands do, as it becomes a gesture script: fingers that land, move, rest and
/// lift, on a touchscreen that reports 120 times a second and completes each report by a frame.
///
/// Positions are surface-local logical pixels, durations milliseconds. A finger that rests reports
/// nothing, as on real screens. The hand knows where its fingers are from one script to the next.
package struct Hand {
    /// Fingers by their ids, each with a place.
    package typealias Places = KeyValuePairs<Int, (x: Double, y: Double)>

    /// Between two reports of a device.
    package static let interval = 1000.0 / 120

    /// Whether a frame completes each report; weston and mutter leave some out.
    package var completesReports = true
    private var entries: [GestureScript.Entry] = []
    private(set) var time = 0.0
    private var fingers: [(id: Int, place: Point)] = []
    var pinchScale = 1.0

    package init() {}

    /// Gives what was done since the last time, beginning at 0.
    package mutating func takeScript() -> GestureScript {
        defer { (entries, time) = ([], 0) }
        return GestureScript(entries: entries, end: Moment(milliseconds: time))
    }

    // MARK: Time

    /// Keeps still.
    package mutating func rest(_ duration: Double) { time += duration }

    mutating func report(_ event: InputEvent) {
        entries.append(.init(moment: Moment(milliseconds: time), event: event))
    }

    /// Reports evenly spaced steps of a motion, the last one at its end.
    mutating func steps(in duration: Double, _ body: (inout Hand, _ progress: Double) -> Void) {
        let count = max((duration / Self.interval).rounded(), 1)
        let start = time
        for step in 1...Int(count) {
            let progress = Double(step) / count
            time = start + duration * progress
            body(&self, progress)
        }
    }

    // MARK: Fingers on the screen

    /// Fingers land in one frame.
    package mutating func touch(_ places: Places) {
        for (id, place) in places {
            let point = Point(x: place.x, y: place.y)
            fingers.append((id, point))
            report(.touch(.down(id: id, at: point)))
        }
        complete()
    }

    /// A finger lands, and the screen says how large it is: its ellipse's axes in logical pixels.
    package mutating func touch(
        _ id: Int, at place: (x: Double, y: Double), major: Double, minor: Double
    ) {
        let point = Point(x: place.x, y: place.y)
        fingers.append((id, point))
        report(.touch(.down(id: id, at: point)))
        report(.touch(.shape(id: id, major: major, minor: minor)))
        complete()
    }

    /// Fingers go to other places in straight lines at an even speed.
    package mutating func move(_ places: Places, in duration: Double) {
        let starts = places.map { entry in
            fingers.first { $0.id == entry.key }?.place ?? Point(x: entry.value.x, y: entry.value.y)
        }
        steps(in: duration) { hand, progress in
            for ((id, end), start) in zip(places, starts) {
                let way = Point(x: end.x, y: end.y) - start
                hand.put(id, at: start + way * progress)
            }
            hand.complete()
        }
    }

    /// All fingers go round their midpoint, clockwise.
    package mutating func turn(degrees: Double, in duration: Double) {
        let starts = fingers
        let sum = starts.reduce(Vector.zero) { $0 + ($1.place - .zero) }
        let center = Point.zero + sum * (1 / Double(max(starts.count, 1)))
        steps(in: duration) { hand, progress in
            for finger in starts {
                let arm = (finger.place - center).rotated(by: degrees * progress * .pi / 180)
                hand.put(finger.id, at: center + arm)
            }
            hand.complete()
        }
    }

    private mutating func complete() {
        if completesReports { report(.touch(.frame)) }
    }

    private mutating func put(_ id: Int, at point: Point) {
        guard let index = fingers.firstIndex(where: { $0.id == id }) else { return }
        fingers[index].place = point
        report(.touch(.move(id: id, to: point)))
    }

    /// Fingers lift in one frame, a report after what they did last.
    package mutating func lift(_ ids: Int...) {
        rest(Self.interval)
        for id in ids {
            fingers.removeAll { $0.id == id }
            report(.touch(.up(id: id)))
        }
        complete()
    }

    /// A finger lands and lifts without moving.
    package mutating func tap(_ x: Double, _ y: Double, for duration: Double = 60) {
        touch([1: (x, y)])
        rest(duration - Self.interval)
        lift(1)
    }

    /// The compositor takes all fingers away.
    package mutating func cancel() {
        fingers = []
        report(.touch(.cancel))
    }
}
