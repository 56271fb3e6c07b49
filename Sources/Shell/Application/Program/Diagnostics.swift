import CLinux
import Folders
import Glibc
import Localization
import SceneModel
import Synchronization

/// One-line messages on standard error.
enum Diagnostics {
    enum Level: String, CaseIterable {
        case error, warning, info, debug

        var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        /// The names of all levels, joined by `separator`.
        static func names(separator: String) -> String {
            allCases.map(\.rawValue).joined(separator: separator)
        }
    }

    /// The rank of the least important level that is written.
    private static let shown = Atomic(Level.warning.rank)

    /// Whether a message about a failure was written.
    private static let hasReported = Atomic(false)

    /// Writes `text` unless a failure was reported already: no failure ends the program without a word.
    static func errorIfNone(_ text: String) {
        if !hasReported.load(ordering: .relaxed) { error(text) }
    }

    static func show(_ level: Level) { shown.store(level.rank, ordering: .relaxed) }

    static func shows(_ level: Level) -> Bool { shown.load(ordering: .relaxed) >= level.rank }

    static func info(_ text: @autoclosure () -> String) {
        if shows(.info) { write(text()) }
    }

    static func debug(_ text: @autoclosure () -> String) {
        if shows(.debug) { write(text()) }
    }

    static func error(_ text: String) {
        hasReported.store(true, ordering: .relaxed)
        write(text)
    }

    static func warning(_ text: String) {
        if shows(.warning) { write(text) }
    }

    static func warning(_ path: FilePath, _ text: String) {
        if shows(.warning) {
            hasReported.store(true, ordering: .relaxed)
            write("\(path.description): \(text)")
        }
    }

    private static let hasReportedWatchLimit = Atomic(false)

    /// Says once that the system watches no more folders.
    static func reportWatchLimit() {
        guard !hasReportedWatchLimit.exchange(true, ordering: .relaxed) else { return }
        warning(
            localized("the limits of inotify are reached: changes in folders are noticed late"))
    }

    /// Limits the written messages, except at the log level debug.
    private static let budget = Mutex(LogBudget())

    /// Writes `vitrine: TEXT` within the budget of a day, with spaces for line breaks and without
    /// characters that control a terminal, or that few terminals know.
    private static func write(_ text: String) {
        let message = text.map { $0.isNewline ? " " : String($0) }.joined().display
            .withoutIsolates
        guard !shows(.debug) else { return writeLine(message) }
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        for line in budget.withLock({ $0.lines(for: message, at: Double(time.tv_sec)) }) {
            writeLine(line)
        }
    }

    private static func writeLine(_ message: String) {
        var bytes = Array("vitrine: \(message)\n".utf8)
        bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            clinux_write_error(base, buffer.count)
        }
    }

    static func error(_ path: FilePath, _ text: String) {
        error("\(path.description): \(text)")
    }
}
