import Geometry
import Motion

/// Where a finger is at the time of a frame, between and shortly after the samples that it sends.
///
/// A touchscreen has a clock of its own: frames that show the latest sample jump ahead and lag
/// behind in turn, which is seen as a tremble. Positions are interpolated at the frame's time, or
/// extrapolated until the next sample is due. The idea and the bounds of the interval are those of
/// Android's input resampling; that a finger from which nothing more comes is let go back to its
/// last sample, and that the smallest steps are no course, is ours.
enum Resampling {
    /// Samples nearer or farther in time than this say nothing of the way between, in ms.
    private static let intervals = 2.0...40.0
    /// The farthest that is looked ahead, in milliseconds; never farther than the last interval.
    private static let farthest = 17.0
    /// How many times as long as it looks ahead it takes to come back to the last sample.
    private static let relief = 2.0
    /// A step from sample to sample of the first length, in logical pixels, may be the tremble of a
    /// still finger; one of the second is none.
    private static let tremble = (none: 1.0, whole: 2.0)

    /// How far past the newest of two samples a position is predicted, in milliseconds; negative
    /// before the newest one.
    ///
    /// The samples lie `interval` milliseconds and `step` logical pixels apart, and `age`
    /// milliseconds have passed since the newest.
    static func prediction(age: Double, interval: Double, step: Double) -> Double {
        guard intervals.contains(interval) else { return 0 }
        guard age > 0 else { return max(age, -interval) }
        let reach = min(farthest, interval)
        let ahead = age > reach ? max(0, reach - (age - reach) / relief) : age
        let trust = (step - tremble.none) / (tremble.whole - tremble.none)
        return ahead * min(max(trust, 0), 1)
    }

    /// When the prediction has come back to the last sample, in milliseconds after it.
    static func end(interval: Double, step: Double) -> Double {
        guard intervals.contains(interval), step > tremble.none else { return 0 }
        return min(farthest, interval) * (1 + relief)
    }
}

/// A finger's last two samples.
struct Course: Sendable {
    private var newest: (point: Point, moment: Moment)
    private var older: (point: Point, moment: Moment)?

    init(at point: Point, _ moment: Moment) {
        newest = (point, moment)
    }

    /// Notes a sample; of several at the same moment the last one counts.
    mutating func add(_ point: Point, at moment: Moment) {
        if moment > newest.moment { older = newest }
        newest = (point, moment)
    }

    private var interval: Double {
        older.map { newest.moment.milliseconds - $0.moment.milliseconds } ?? 0
    }

    /// Logical pixels from one sample to the next.
    private var step: Double { older.map { (newest.point - $0.point).length } ?? 0 }

    /// How far past the newest sample the position at `moment` is predicted, in milliseconds.
    func prediction(at moment: Moment) -> Double {
        Resampling.prediction(
            age: moment.milliseconds - newest.moment.milliseconds, interval: interval, step: step)
    }

    func position(at moment: Moment) -> Point {
        let ahead = prediction(at: moment)
        guard let older, ahead != 0 else { return newest.point }
        return newest.point + (newest.point - older.point) * (ahead / interval)
    }

    /// Until when the position changes by itself.
    var end: Moment {
        newest.moment.advanced(byMilliseconds: Resampling.end(interval: interval, step: step))
    }
}
