import Glibc

/// One measured figure, and what it is measured against.
struct Figure {
    var name: String
    var value: Double
    var unit: String

    /// A JSON object on one line.
    var line: String {
        let rounded = (value * 1000).rounded() / 1000
        return "{\"figure\":\"\(name)\",\"value\":\(rounded),\"unit\":\"\(unit)\"}"
    }
}

/// The processor time that a piece of work takes.
enum ProcessorTime {
    /// Seconds of this process, in all threads.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func measure(_ work: () -> Void) -> Double {
        let start = now()
        work()
        return now() - start
    }
}
