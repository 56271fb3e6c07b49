import Desktop
import Folders
import Localization
import Synchronization
import Threads

/// Runs commands of a person's own on threads of their own, and reports the results.
///
/// For use in a poll loop: poll `pollDescriptor`, then call `handleReadable`. No method waits.
final class OwnCommands {
    /// The result of a command.
    struct Report: Hashable, Sendable {
        /// How many starts have ended well, of how many.
        var done = 0
        var count = 0
        /// The first problem, a message for the person; nil if there was none.
        var problem: String?
        /// Whether the person has stopped the command before all starts.
        var isStopped = false

        /// The message at the end; nil where there is nothing to say.
        var message: String? {
            guard let problem else {
                return isStopped ? localized("stopped after \(done) of \(count)") : nil
            }
            return count > 1 ? localized("\(problem) (\(done) of \(count) done)") : problem
        }
    }

    /// A command that runs.
    final class Run: Sendable {
        private let stopped = Atomic(false)
        fileprivate let number: Int

        fileprivate init(_ number: Int) { self.number = number }

        /// Starts no further program; the one that runs goes on.
        func stop() { stopped.store(true, ordering: .relaxed) }

        fileprivate var isStopped: Bool { stopped.load(ordering: .relaxed) }
    }

    private final class Mailbox: Sendable {
        struct Event: Sendable {
            var number: Int
            var report: Report
            var isEnd: Bool
        }

        let arrived = Wakeup()
        private let events = Mutex<[Event]>([])

        /// A newer event of a run replaces an older one that was not fetched.
        func post(_ event: Event) {
            events.withLock { events in
                events.removeAll { $0.number == event.number }
                events.append(event)
            }
            arrived.raise()
        }

        func fetch() -> [Event] {
            arrived.lower()
            return events.withLock { events in
                defer { events = [] }
                return events
            }
        }
    }

    private struct Handlers {
        var onProgress: (Report) -> Void
        var onEnd: (Report) -> Void
    }

    /// The command that was started last, while it runs.
    var latest: Run?
    private let mailbox = Mailbox()
    private var handlers: [Int: Handlers] = [:]
    private var lastNumber = 0

    /// Whether a command runs, or its end is not reported yet.
    var isBusy: Bool { !handlers.isEmpty }

    /// Readable when there is something for `handleReadable`.
    var pollDescriptor: Int32 { mailbox.arrived.descriptor }

    /// Runs a command on pictures at absolute paths, one start after the other.
    ///
    /// `onEnd` is called once, by `handleReadable`, when the last program has ended; `onProgress` may be
    /// called before. A problem of one start does not keep the others from running, unless the program
    /// cannot be started at all.
    @discardableResult
    func run(
        _ command: OwnCommandSettings.Entry, _ paths: [FilePath],
        onProgress: @escaping (Report) -> Void = { _ in }, onEnd: @escaping (Report) -> Void
    ) -> Run {
        start(command.name, onProgress, onEnd) { run, post in
            Self.perform(command, paths, run, onProgress: post)
        }
    }

    /// Starts a program that goes on for as long as a person wants; reports whether the start went well.
    func start(
        _ program: ChildProgram, named name: String, onEnd: @escaping (Report) -> Void
    ) {
        _ = start(name, { _ in }, onEnd) { _, _ in
            let problem = program.run(patience: Self.patience).problem
            return Report(problem: problem.map { "\(name): \($0)" })
        }
    }

    /// How long a program that goes on is watched, in milliseconds.
    private static let patience = 1000

    private func start(
        _ name: String, _ onProgress: @escaping (Report) -> Void,
        _ onEnd: @escaping (Report) -> Void,
        _ perform: @escaping @Sendable (Run, _ post: (Report) -> Void) -> Report
    ) -> Run {
        lastNumber += 1
        let run = Run(lastNumber)
        handlers[lastNumber] = Handlers(onProgress: onProgress, onEnd: onEnd)
        let mailbox = mailbox
        let hasThread = Thread.start {
            let report = perform(run) {
                mailbox.post(.init(number: run.number, report: $0, isEnd: false))
            }
            mailbox.post(.init(number: run.number, report: report, isEnd: true))
        }
        if !hasThread {
            let report = Report(problem: localized("\(name): no thread can be started"))
            mailbox.post(.init(number: run.number, report: report, isEnd: true))
        }
        return run
    }

    private static func perform(
        _ command: OwnCommandSettings.Entry, _ paths: [FilePath], _ run: Run,
        onProgress: (Report) -> Void
    ) -> Report {
        let starts = command.template.starts(paths)
        var report = Report(count: starts.count)
        for start in starts {
            guard !run.isStopped else {
                report.isStopped = true
                break
            }
            var program = ChildProgram(start)
            program.environment = ChildProgram.withoutActivation
            let outcome = program.run()
            if let problem = outcome.problem {
                report.problem = report.problem ?? "\(command.name): \(problem)"
            } else {
                report.done += 1
            }
            if case .notStarted = outcome { break }
            onProgress(report)
        }
        return report
    }

    /// Calls the handlers of the events that have arrived.
    func handleReadable() {
        for event in mailbox.fetch() {
            guard let handlers = handlers[event.number] else { continue }
            if event.isEnd {
                self.handlers[event.number] = nil
                handlers.onEnd(event.report)
            } else {
                handlers.onProgress(event.report)
            }
        }
    }
}
