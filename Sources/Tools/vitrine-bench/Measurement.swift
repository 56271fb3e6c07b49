import Glibc

/// Measures a piece of work and its reference in turns, so that whatever slows the machine down
/// slows both.
enum Measurement {
    /// The figure of `work`, each given the number of its round; the first round only warms up.
    ///
    /// `calls` says how often a round does its work for one measurement, where one alone is too short
    /// for the clock; value and reference are of one call.
    static func figure(
        _ name: String, bar: Double? = nil, rounds: Int = 15, calls: Int = 1,
        unit: TimeUnit = .milliseconds, beside reference: ReferenceWork,
        _ work: (_ round: Int) -> Void
    ) -> Figure {
        var (values, references, ratios): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0...rounds {
            let before = seconds { reference.run() } / Double(reference.calls)
            let value = seconds { work(round) } / Double(calls)
            // On both sides of the work: a processor that grows faster or slower favours neither.
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

    /// How long `work` takes.
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

/// What a figure's times are told in.
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

/// A piece of work that others are measured beside.
struct ReferenceWork: Sendable {
    var name: String
    /// How often `run` does what the name says.
    var calls = 1
    var run: @Sendable () -> Void
}

extension ReferenceWork {
    /// What a processor does at its own speed, without memory.
    static let thousandAdditions = ReferenceWork(
        name: "1000 additions, one after another", calls: 1000
    ) { dependentAdditions(1_000_000) }

    @inline(never) private static func dependentAdditions(_ count: Int) {
        var sum = Double(getpid())
        for _ in 0..<count { sum += 1e-9 }
        // A sum that nobody reads would never be made.
        if sum < 0 { print(sum) }
    }
}

extension [Double] {
    /// The one in the middle; the upper one of two.
    var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}
