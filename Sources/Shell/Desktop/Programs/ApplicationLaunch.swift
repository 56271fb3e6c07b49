import Folders
import Localization

/// Starts an application of the desktop with files.
struct ApplicationLaunch: Sendable {
    /// The name of the desktop entry.
    var identifier: String
    var files: [FilePath]
    /// The token that lets the window of the application come to the front; nil without.
    var token: String?

    enum Result: Sendable {
        case answer(DesktopAnswer)
        /// The application opens files by a call on the session bus.
        case needsBus
    }

    /// How many times an application that opens one file at a time is started.
    private static let mostStarts = 16
    /// How long an application is watched, in milliseconds, for an end with an error.
    private static let patience = 1000

    /// Starts the application, and watches its first second; call this on a thread of its own.
    func run() -> Result {
        guard let entry = ApplicationEntry.named(identifier) else {
            return .answer(
                .failed(localized("the application “\(shownIdentifier)” is not installed")))
        }
        let name = entry.facts.name
        guard !entry.command.isEmpty else {
            return entry.isOnBus
                ? .needsBus
                : .answer(.failed(localized("\(name): its desktop entry has no command")))
        }
        guard let command = DesktopEntryCommand(entry.command) else {
            return .answer(
                .failed(localized("\(name): the command of its desktop entry makes no sense")))
        }
        guard !entry.needsTerminal else {
            return .answer(
                .failed(localized("\(name) runs in a terminal, which vitrine does not open")))
        }
        let starts = command.starts(files, entry.facts)
        guard starts.count <= Self.mostStarts else {
            return .answer(
                .failed(
                    localized("\(name) opens one file at a time: choose \(Self.mostStarts) at most")
                ))
        }
        let programs = starts.map { program($0, entry) }
        for (index, program) in programs.enumerated() {
            // The last start is watched longer: a mistake is the same for all.
            let isLast = index == programs.count - 1
            if let problem = program.run(patience: isLast ? Self.patience : 100).problem {
                return .answer(.failed("\(name): \(problem)"))
            }
        }
        return .answer(.done)
    }

    private var shownIdentifier: String { DisplayText.line(identifier) }

    private func program(_ arguments: [[UInt8]], _ entry: ApplicationEntry) -> ChildProgram {
        var program = ChildProgram(arguments)
        program.folder = entry.folder
        program.environment = ChildProgram.environment(activation: token)
        return program
    }
}
