import Geometry
import Motion

/// Resamples a finger's position at the time of a frame, between and shortly after its samples.
///
/// A touchscreen samples on a clock of its own: frames that show the latest sample alternately lead
/// and lag, which is visible as jitter. Positions are interpolated at the frame's time, or
/// extrapolated until the next sample is due. The method and the bounds of the interval are those
/// of Android's input resampling. Two rules are additions: a position returns to the last sample if
/// no further sample comes, and the smallest steps are not extrapolated.
enum Resampling {
    /// Intervals between samples, in milliseconds, that allow conclusions about the movement
    /// between them.
    private static let intervals = 2.0...40.0
    /// The longest prediction, in milliseconds; the last interval is another limit.
    private static let longest = 17.0
    /// How many times as long as the prediction the return to the last sample takes.
    private static let returnFactor = 2.0
    /// Limits of the step between samples, in logical pixels: a step up to `none` may be the jitter
    /// of a finger at rest and is not predicted, a step from `whole` on is predicted in full.
    private static let jitter = (none: 1.0, whole: 2.0)

    /// How far past the newest of two samples a position is predicted, in milliseconds; negative
    /// before the newest one.
    ///
    /// The samples are `interval` milliseconds and `step` logical pixels apart; `age` milliseconds
    /// have passed since the newest one.
    static func prediction(age: Double, interval: Double, step: Double) -> Double {
        guard intervals.contains(interval) else { return 0 }
        guard age > 0 else { return max(age, -interval) }
        let reach = min(longest, interval)
        let ahead = age > reach ? max(0, reach - (age - reach) / returnFactor) : age
        let confidence = (step - jitter.none) / (jitter.whole - jitter.none)
        return ahead * min(max(confidence, 0), 1)
    }

    /// When the prediction has returned to the last sample, in milliseconds after that sample.
    static func end(interval: Double, step: Double) -> Double {
        guard intervals.contains(interval), step > jitter.none else { return 0 }
        return min(longest, interval) * (1 + returnFactor)
    }
}

/// A finger's last two samples.
struct Course: Sendable {
    private var newest: (point: Point, moment: Moment)
    private var older: (point: Point, moment: Moment)?

    init(at point: Point, _ moment: Moment) {
        newest = (point, moment)
    }

    /// Adds a sample; of several samples at the same moment the last one counts.
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

    /// The moment from which the position is constant without a further sample.
    var end: Moment {
        newest.moment.advanced(byMilliseconds: Resampling.end(interval: interval, step: step))
    }
}
