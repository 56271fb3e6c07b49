package import Geometry

/// How fast a point moves at the end of what was seen of it, each axis by itself.
package struct VelocityTracker: Sendable {
    private var x: ScalarVelocityTracker
    private var y: ScalarVelocityTracker

    /// The fastest that a finger is believed to move, in logical pixels per second.
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

    /// The velocity with which the point is let go at `up`, in units per second.
    package func velocity(at up: Moment) -> Vector {
        Vector(dx: x.velocity(at: up), dy: y.velocity(at: up))
    }
}

/// How fast a number (a coordinate, the logarithm of a scale, an angle) changes at the end of
/// what was seen of it.
///
/// A parabola is fitted to the last tenth of a second, and its slope at the newest sample is the
/// velocity. The guard against the parabola's one weakness, turning back after a stop, is that a
/// velocity against the way made is none at all.
package struct ScalarVelocityTracker: Sendable {
    private struct Sample {
        var moment: Moment
        var value: Double
    }

    /// A ring: 240 Hz for the whole horizon need 24, and at higher rates a part of it suffices.
    private var samples: [32 of Sample]
    private var count = 0
    private var newest = 0
    private let maximumSpeed: Double

    /// Samples older than this, in milliseconds before the newest, say nothing of the speed now.
    private static let horizon = 100.0
    /// A pause this long, in milliseconds, means that the finger had stopped: a touchscreen sends
    /// nothing for a finger that is still.
    package static let pause = 40.0

    /// - Parameter maximumSpeed: In units per second, in either direction.
    package init(maximumSpeed: Double) {
        self.maximumSpeed = maximumSpeed
        samples = .init(repeating: Sample(moment: .zero, value: 0))
    }

    /// Forgets every sample.
    package mutating func reset() {
        count = 0
    }

    /// Notes where the value was; of several at the same moment the last one counts.
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

    /// The velocity with which the value is let go at `up`, in units per second.
    package func velocity(at up: Moment) -> Double {
        guard count > 0 else { return 0 }
        let last = samples[newest]
        guard up.milliseconds - last.moment.milliseconds <= Self.pause else { return 0 }
        let used = recentCount
        guard used > 1 else { return 0 }
        let slope = slope(of: used)
        let way = last.value - sample(used - 1).value
        guard slope.isFinite, slope * way > 0 else { return 0 }
        return min(max(slope, -maximumSpeed), maximumSpeed)
    }

    /// The sample `age` places before the newest.
    private func sample(_ age: Int) -> Sample {
        samples[(newest - age + samples.count) % samples.count]
    }

    /// How many samples up to the newest are recent, with no pause among them.
    private var recentCount: Int {
        let end = samples[newest].moment.milliseconds
        var later = end
        for age in 1..<max(count, 1) {
            let time = sample(age).moment.milliseconds
            if end - time > Self.horizon || later - time > Self.pause { return age }
            later = time
        }
        return count
    }

    /// The slope, per second, at the newest sample of the least-squares parabola through the
    /// newest `used` samples, or of the straight line where they are less than four.
    ///
    /// Time and value are taken from their means, which makes the odd sums vanish and keeps the
    /// equations well conditioned: S₂·b + S₃·c = B₁ and S₃·b + (S₄ − S₂²/n)·c = B₂.
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
