import CompositorKit
import Geometry
import Glibc
import Motion
import TestKit
import Testing

/// How the viewer answered during faults of one kind: a row of the tables that `meson-helpers/faults`
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
    /// The times to answers, in milliseconds.
    let times: [Double]
    /// The message on the surface or on standard error; empty if there was none.
    let seen: String

    /// Appends the record to the file, if tables are made.
    func write() {
        guard !times.isEmpty, let path = Self.path, let file = fopen(path, "a") else { return }
        let sorted = times.sorted()
        let fields = [
            table.rawValue, fault, "\(sorted.count)", "\(sorted[sorted.count / 2])",
            "\(sorted[sorted.count - 1])", seen.replacing("\t", with: " "),
        ]
        fputs(fields.joined(separator: "\t").replacing("\n", with: " ") + "\n", file)
        fclose(file)
    }
}

extension Stage {
    /// The message that the surface shows; empty if there is none.
    var messageShown: String { trace.last?.text("message") ?? trace.last?.text("toast") ?? "" }

    /// Pings the viewer 100 times a second while `action` runs, and returns the times to its answers in
    /// milliseconds.
    ///
    /// The times include that of a frame in between, and waits of a busy machine for a processor.
    func answerTimes(during action: () throws -> Void) rethrows -> [Double] {
        let first = compositor.answerTimes.count
        var isRunning = true
        compositor.repeat(hertz: 100) { [unowned self] in
            guard isRunning, exitCode == nil else { return false }
            compositor.ping()
            return true
        }
        defer { isRunning = false }
        try action()
        isRunning = false
        compositor.run(seconds: 2) { exitCode != nil || compositor.openPings.isEmpty }
        return Array(compositor.answerTimes.dropFirst(first))
    }
}
