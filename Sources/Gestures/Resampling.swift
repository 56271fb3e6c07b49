import Geometry
import Motion

/// Where a finger is at the time of a frame, between and shortly after the samples that it sends.
///
/// A touchscreen has a clock of its own: frames that show the latest sample jump ahead and lag
/// behind in turn, which is seen as a tremble. Positions are interpolated at the frame's time, or
/// extrapolated for a moment. Source: Android's input resampling, with its limits; that a finger
/// from which nothing more comes is let go back to its last sample is ours.
enum Resampling {
    /// Samples nearer or farther in time than this say nothing of the way between, in ms.
    private static let intervals = 2.0...40.0
    /// The farthest that is looked ahead, in milliseconds, and as a part of the last interval.
    private static let farthest = 8.0
    private static let share = 0.5
    /// How many times as long as it looks ahead it takes to come back to the last sample.
    private static let relief = 2.0

    /// How far past the newest of two samples, `interval` apart, a position is predicted
    /// `age` after it; all in milliseconds. Negative before the newest sample.
    static func prediction(age: Double, interval: Double) -> Double {
        guard intervals.contains(interval) else { return 0 }
        guard age > 0 else { return max(age, -interval) }
        let reach = min(farthest, share * interval)
        guard age > reach else { return age }
        return max(0, reach - (age - reach) / relief)
    }

    /// When the prediction has come back to the last sample, in milliseconds after it.
    static func end(interval: Double) -> Double {
        guard intervals.contains(interval) else { return 0 }
        return min(farthest, share * interval) * (1 + relief)
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

    /// How far past the newest sample the position at `moment` is predicted, in milliseconds.
    func prediction(at moment: Moment) -> Double {
        Resampling.prediction(
            age: moment.milliseconds - newest.moment.milliseconds, interval: interval)
    }

    func position(at moment: Moment) -> Point {
        let ahead = prediction(at: moment)
        guard let older, ahead != 0 else { return newest.point }
        return newest.point + (newest.point - older.point) * (ahead / interval)
    }

    /// Until when the position changes by itself.
    var end: Moment { newest.moment.advanced(byMilliseconds: Resampling.end(interval: interval)) }
}
