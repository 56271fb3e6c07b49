package import Geometry

/// Estimates the velocity of a point at its last sample, separately for each axis.
package struct VelocityTracker: Sendable {
    private var x: ScalarVelocityTracker
    private var y: ScalarVelocityTracker

    /// The largest plausible speed of a finger, in logical pixels per second.
    package static let maximumSpeed = 8000.0

    package init(maximumSpeed: Double = VelocityTracker.maximumSpeed) {
        x = ScalarVelocityTracker(maximumSpeed: maximumSpeed)
        y = ScalarVelocityTracker(maximumSpeed: maximumSpeed)
    }

    /// Forgets every sample.
    package mutating func reset() {
        x.reset()
        y.reset()
    }

    package mutating func add(_ point: Point, at moment: Moment) {
        guard point.isFinite else { return }
        x.add(point.x, at: moment)
        y.add(point.y, at: moment)
    }

    /// The velocity of a release at `up`, in units per second.
    package func velocity(at up: Moment) -> Vector {
        Vector(dx: x.velocity(at: up), dy: y.velocity(at: up))
    }
}

/// Estimates how fast a number (a coordinate, ln scale, an angle) changes at its last sample.
///
/// The velocity is the slope, at the newest sample, of a parabola fitted to the last 100 ms. After
/// a stop the parabola can bend back; a velocity opposite to the net displacement therefore counts
/// as zero.
package struct ScalarVelocityTracker: Sendable {
    private struct Sample {
        var moment: Moment
        var value: Double
    }

    /// A ring buffer: 100 ms at 240 Hz are 24 samples; at higher rates a part of the horizon
    /// suffices.
    private var samples: [32 of Sample]
    private var count = 0
    private var newest = 0
    private let maximumSpeed: Double

    /// Samples older than this, in milliseconds before the newest one, are ignored.
    private static let horizon = 100.0
    /// A pause longer than this, in milliseconds, means that the finger had stopped: a touchscreen
    /// sends nothing for a finger at rest.
    package static let pause = 40.0
    /// If all samples are sparse, as from a busy compositor, an interval counts as a pause if it exceeds
    /// the shortest of the last intervals by this factor.
    private static let sparsePause = 1.5
    /// How many intervals tell that, and the smallest number that does.
    private static let (intervals, fewestIntervals) = (6, 2)

    /// - Parameter maximumSpeed: In units per second, in either direction.
    package init(maximumSpeed: Double) {
        self.maximumSpeed = maximumSpeed
        samples = .init(repeating: Sample(moment: .zero, value: 0))
    }

    /// Forgets every sample.
    package mutating func reset() {
        count = 0
    }

    /// Adds a sample; a sample that is not later than the newest one replaces its value.
    package mutating func add(_ value: Double, at moment: Moment) {
        guard value.isFinite, moment.milliseconds.isFinite else { return }
        if count > 0, moment <= samples[newest].moment {
            samples[newest].value = value
            return
        }
        newest = (newest + 1) % samples.count
        count = min(count + 1, samples.count)
        samples[newest] = Sample(moment: moment, value: value)
    }

    /// The velocity of a release at `up`, in units per second.
    package func velocity(at up: Moment) -> Double {
        guard count > 0 else { return 0 }
        let last = samples[newest]
        guard up.milliseconds - last.moment.milliseconds <= patience else { return 0 }
        let used = recentCount
        guard used > 1 else { return 0 }
        let slope = slope(of: used)
        let displacement = last.value - sample(used - 1).value
        guard slope.isFinite, slope * displacement > 0 else { return 0 }
        return min(max(slope, -maximumSpeed), maximumSpeed)
    }

    /// The sample `age` positions before the newest one.
    private func sample(_ age: Int) -> Sample {
        samples[(newest - age + samples.count) % samples.count]
    }

    /// The longest time without a sample that is no pause, in milliseconds.
    private var patience: Double {
        let used = min(count - 1, Self.intervals)
        guard used >= Self.fewestIntervals else { return Self.pause }
        var shortest = Double.infinity
        for age in 0..<used {
            let interval = sample(age).moment.milliseconds - sample(age + 1).moment.milliseconds
            shortest = min(shortest, interval)
        }
        return shortest > Self.pause ? shortest * Self.sparsePause : Self.pause
    }

    /// The number of newest samples within the horizon and without a pause between them.
    private var recentCount: Int {
        let patience = patience
        let end = samples[newest].moment.milliseconds
        var later = end
        for age in 1..<max(count, 1) {
            let time = sample(age).moment.milliseconds
            if end - time > Self.horizon || later - time > patience { return age }
            later = time
        }
        return count
    }

    /// The slope, per second, of the least-squares fit to the newest `used` samples, at the newest
    /// one.
    ///
    /// The fit is a parabola, or a straight line for fewer than four samples. Times and values are
    /// relative to their means: their first-order sums vanish, and the equations are well
    /// conditioned: S₂·b + S₃·c = B₁ and S₃·b + (S₄ − S₂²/n)·c = B₂.
    private func slope(of used: Int) -> Double {
        let last = samples[newest]
        var (meanTime, meanValue) = (0.0, 0.0)
        for age in 0..<used {
            let sample = sample(age)
            meanTime += (sample.moment.milliseconds - last.moment.milliseconds) / Double(used)
            meanValue += (sample.value - last.value) / Double(used)
        }
        var (s2, s3, s4, b1, b2) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for age in 0..<used {
            let sample = sample(age)
            let time = sample.moment.milliseconds - last.moment.milliseconds - meanTime
            let value = sample.value - last.value - meanValue
            let square = time * time
            s2 += square
            s3 += square * time
            s4 += square * square
            b1 += value * time
            b2 += value * square
        }
        guard used > 3 else { return b1 / s2 * 1000 }
        let spread = s4 - s2 * s2 / Double(used)
        let determinant = s2 * spread - s3 * s3
        let linear = (b1 * spread - b2 * s3) / determinant
        let curvature = (s2 * b2 - s3 * b1) / determinant
        return (linear - 2 * curvature * meanTime) * 1000
    }
}
