import Glibc

/// Measures a piece of work and its reference alternately, so that a slow machine slows both.
enum Measurement {
    /// Measures `work`, which receives the number of its round; the first round is a warm-up.
    ///
    /// `calls` is the number of repetitions that `work` does in one round, if a single one is too
    /// short for the clock. Value and reference are times of one call.
    static func figure(
        _ name: String, bar: Double? = nil, rounds: Int = 15, calls: Int = 1,
        unit: TimeUnit = .milliseconds, beside reference: ReferenceWork,
        _ work: (_ round: Int) -> Void
    ) -> Figure {
        var (values, references, ratios): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0...rounds {
            let before = seconds { reference.run() } / Double(reference.calls)
            let value = seconds { work(round) } / Double(calls)
            // Measure the reference before and after the work, so that a change of the processor's
            // speed favours neither.
            let after = seconds { reference.run() } / Double(reference.calls)
            guard round > 0 else { continue }
            values.append(value)
            references.append((before + after) / 2)
            ratios.append(value / ((before + after) / 2))
        }
        return Figure(
            name: name, value: values.median * unit.perSecond, unit: unit.name,
            reference: .init(name: reference.name, value: references.median * unit.perSecond),
            ratio: ratios.median, bar: bar)
    }

    /// The duration of `work` in seconds.
    static func seconds(_ work: () -> Void) -> Double {
        let start = now()
        work()
        return now() - start
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The unit of a figure's times.
enum TimeUnit {
    case milliseconds, nanoseconds

    var name: String {
        switch self {
        case .milliseconds: "ms"
        case .nanoseconds: "ns"
        }
    }

    var perSecond: Double {
        switch self {
        case .milliseconds: 1e3
        case .nanoseconds: 1e9
        }
    }
}

/// Work that figures are compared with.
struct ReferenceWork: Sendable {
    var name: String
    /// The number of times that `run` does the named work.
    var calls = 1
    var run: @Sendable () -> Void
}

extension ReferenceWork {
    /// Depends on the speed of the processor only, not on memory.
    static let thousandAdditions = ReferenceWork(
        name: "1000 additions, one after another", calls: 1000
    ) { dependentAdditions(1_000_000) }

    @inline(never) private static func dependentAdditions(_ count: Int) {
        var sum = Double(getpid())
        for _ in 0..<count { sum += 1e-9 }
        // Without a use of the sum, the compiler would remove the loop.
        if sum < 0 { print(sum) }
    }
}

extension [Double] {
    /// The middle value; the upper one of two.
    var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}
