import CompositorKit
import Geometry
import Glibc
import Motion
import TestKit
import Testing

/// How the viewer answered pings.
struct Answers {
    /// The times from the ping to the answer in milliseconds.
    ///
    /// They include the time of a frame in between, and waits of a busy machine for a processor.
    var times: [Double]
    /// How late the pings were sent, in milliseconds: the scheduling delays of this machine.
    var waits: [Double] = []
    /// The longest time in milliseconds that the input thread was away from its loop, without its
    /// waits for a processor; 0 where the turns are not measured.
    var longestTurn: Double
}

/// How the viewer answered during faults of one kind: a row of the tables that `meson-helpers/check/faults`
/// writes.
struct FaultRecord {
    /// The table that the row belongs to.
    enum Table: String {
        case stalls, events, calls, cuts, decoders
    }

    /// The tables are made from the records in this file.
    private static let path = getenv("VITRINE_FAULT_LOG").map { String(cString: $0) }
    /// Whether tables are made, so that faults happen to the released program in real time.
    static var isWanted: Bool { path != nil }

    let table: Table
    let fault: String
    let answers: Answers
    /// The message on the surface or on standard error; empty if there was none.
    let seen: String

    /// Appends the record to the file, if tables are made.
    func write() {
        guard let path = Self.path, let file = fopen(path, "a") else { return }
        let sorted = answers.times.sorted()
        // A program that ends before it has a window answers nothing.
        let times = sorted.isEmpty ? [0, 0] : [sorted[sorted.count / 2], sorted[sorted.count - 1]]
        let fields = [
            table.rawValue, fault, "\(sorted.count)", "\(times[0])", "\(times[1])",
            "\(answers.longestTurn)",
            seen.replacing("\t", with: " "),
        ]
        fputs(fields.joined(separator: "\t").replacing("\n", with: " ") + "\n", file)
        fclose(file)
    }
}

extension Stage {
    /// The message that the surface shows; empty if there is none.
    var messageShown: String { trace.last?.text("message") ?? trace.last?.text("toast") ?? "" }

    /// Pings the viewer 100 times a second while `action` runs, and returns its answers.
    func answers(during action: () throws -> Void) rethrows -> Answers {
        let first = compositor.answerTimes.count
        var isRunning = true
        var waits: [Double] = []
        compositor.repeat(hertz: 100) { [unowned self] in
            guard isRunning, exitCode == nil else { return false }
            waits.append(compositor.lateness)
            compositor.ping()
            return true
        }
        defer { isRunning = false }
        _ = takeLongestTurn()
        try action()
        isRunning = false
        compositor.run(seconds: 2) { exitCode != nil || compositor.openPings.isEmpty }
        return Answers(
            times: Array(compositor.answerTimes.dropFirst(first)), waits: waits,
            longestTurn: takeLongestTurn())
    }
}
