package import Geometry
package import Input
import Motion

/// A builder of gesture scripts: fingers land, move, rest and lift.
///
/// The touchscreen reports at 120 Hz and completes each report by a frame. Positions are
/// surface-local logical pixels, durations are milliseconds. A resting finger is not reported, as
/// on real screens. The positions of the fingers are kept from one script to the next.
package struct Hand {
    /// Positions by finger id, in logical pixels.
    package typealias Places = KeyValuePairs<Int, (x: Double, y: Double)>

    /// The time between two reports of a device, in milliseconds.
    package static let interval = 1000.0 / 120

    /// Whether a frame completes each report; weston and mutter leave some out.
    package var completesReports = true
    private var entries: [GestureScript.Entry] = []
    private(set) var time = 0.0
    private var fingers: [(id: Int, place: Point)] = []
    var pinchScale = 1.0

    package init() {}

    /// Returns the script since the last call, starting at time 0, and clears it.
    package mutating func finishScript() -> GestureScript {
        defer { (entries, time) = ([], 0) }
        return GestureScript(entries: entries, end: Moment(milliseconds: time))
    }

    // MARK: Time

    /// Waits `duration` milliseconds without input.
    package mutating func rest(_ duration: Double) { time += duration }

    mutating func report(_ event: InputEvent) {
        entries.append(.init(moment: Moment(milliseconds: time), event: event))
    }

    /// Calls `body` at equal steps of a motion; the last step has progress 1.
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

    /// Puts fingers down in one frame.
    package mutating func touch(_ places: Places) {
        for (id, place) in places {
            let point = Point(x: place.x, y: place.y)
            fingers.append((id, point))
            report(.touch(.down(id: id, at: point)))
        }
        complete()
    }

    /// Puts a finger down with the axes of its contact ellipse, in logical pixels.
    package mutating func touch(
        _ id: Int, at place: (x: Double, y: Double), major: Double, minor: Double
    ) {
        let point = Point(x: place.x, y: place.y)
        fingers.append((id, point))
        report(.touch(.down(id: id, at: point)))
        report(.touch(.shape(id: id, major: major, minor: minor)))
        complete()
    }

    /// Moves fingers in straight lines at constant speed.
    package mutating func move(_ places: Places, in duration: Double) {
        let starts = places.map { entry in
            fingers.first { $0.id == entry.key }?.place ?? Point(x: entry.value.x, y: entry.value.y)
        }
        steps(in: duration) { hand, progress in
            for ((id, end), start) in zip(places, starts) {
                let translation = Point(x: end.x, y: end.y) - start
                hand.put(id, at: start + translation * progress)
            }
            hand.complete()
        }
    }

    /// Puts finger 1 down and moves the finger by `translation` in a straight line at constant speed.
    ///
    /// The middle of the line is `middle`; the finger stays down.
    package mutating func drag(
        through middle: Point, by translation: Vector, in duration: Double
    ) {
        let (start, end) = (middle - translation * 0.5, middle + translation * 0.5)
        touch([1: (start.x, start.y)])
        move([1: (end.x, end.y)], in: duration)
    }

    /// Rotates all fingers clockwise about their centroid.
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

    /// Lifts fingers in one frame, one report interval after the last report.
    package mutating func lift(_ ids: Int...) {
        rest(Self.interval)
        for id in ids {
            fingers.removeAll { $0.id == id }
            report(.touch(.up(id: id)))
        }
        complete()
    }

    /// Taps without movement.
    package mutating func tap(_ x: Double, _ y: Double, for duration: Double = 60) {
        touch([1: (x, y)])
        rest(duration - Self.interval)
        lift(1)
    }

    /// Cancels all touches, as a compositor does.
    package mutating func cancel() {
        fingers = []
        report(.touch(.cancel))
    }
}
