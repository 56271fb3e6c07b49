import Folders
import Synchronization
import Threads

/// Passes commands to the thread of the bus, and events to the main thread.
final class DesktopMailbox: Sendable {
    enum Command: Sendable {
        /// Read the settings, and follow their changes.
        case readSettings
        /// Report where the accessibility bus is, while accessibility is enabled.
        case followAccessibility
        /// Open the file chooser, for the request with a number.
        case choose(Int, FileKind, parent: String)
        /// Begin a task, for the request with a number.
        case begin(Int, DesktopTask)
        case cancel(Int)
        /// Be the instance that the desktop calls.
        case serveApplication
        /// Be a media player of this state.
        case play(MediaPlayerState)
        case stop

        fileprivate var isPlayer: Bool {
            if case .play = self { true } else { false }
        }
    }

    enum Event: Sendable {
        case settings(DesktopSettings)
        /// Why settings are unknown.
        case settingsProblem(String)
        /// The ends of the requests with these numbers.
        case choice(Int, FileChoice)
        case answer(Int, DesktopAnswer)
        case applications(Int, ApplicationsAnswer)
        case failed(Int, String)
        /// The folder of the files is opened instead of the files.
        case mustOpenFolder(Int, FilePath, token: String?)
        /// A task goes on by another one.
        case mustBegin(Int, DesktopTask)
        case media(MediaCommand)
        /// Nil while accessibility is not enabled.
        case accessibility(AssistiveTechnology?)
        case application(ApplicationCall)
        /// The desktop calls another instance, or no bus can be reached.
        case applicationTaken

        fileprivate var isSettings: Bool {
            if case .settings = self { true } else { false }
        }

        fileprivate var isMedia: Bool {
            if case .media = self { true } else { false }
        }

        fileprivate var isApplication: Bool {
            if case .application = self { true } else { false }
        }
    }

    private struct State {
        var commands: [Command] = []
        var events: [Event] = []
        var hasThread = false
        /// The loop of the thread, once the thread waits in it.
        var loop: MainLoop?
    }

    /// Raised when there is an event.
    let arrived = Wakeup()
    private let state = Mutex(State())

    // MARK: Main thread

    /// Leaves a command; returns whether a thread must be started for it.
    ///
    /// A newer state of the media player replaces one that was not fetched.
    func send(_ command: Command) -> Bool {
        state.withLock { state in
            if command.isPlayer { state.commands.removeAll(where: \.isPlayer) }
            state.commands.append(command)
            state.loop?.wake()
            defer { state.hasThread = true }
            return !state.hasThread
        }
    }

    func fetchEvents() -> [Event] {
        arrived.lower()
        return state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    // MARK: Thread of the bus

    /// Makes `send` wake a loop.
    func setLoop(_ loop: MainLoop) { state.withLock { $0.loop = loop } }

    func fetchCommands() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// How many commands of other programs wait at most.
    private static let mostMediaCommands = 16
    /// How many calls of the desktop wait at most.
    private static let mostCalls = 4

    /// Newer settings replace those that were not fetched; commands of other programs beyond a few are
    /// dropped.
    func post(_ event: Event) {
        state.withLock { state in
            if event.isMedia, state.events.count(where: \.isMedia) >= Self.mostMediaCommands {
                return
            }
            if event.isApplication, state.events.count(where: \.isApplication) >= Self.mostCalls {
                return
            }
            if event.isSettings { state.events.removeAll(where: \.isSettings) }
            state.events.append(event)
        }
        arrived.raise()
    }

    /// Ends the thread's part: the commands that are left fail for this reason.
    func finish(_ reason: String) {
        let commands = state.withLock { state in
            defer { (state.commands, state.loop, state.hasThread) = ([], nil, false) }
            return state.commands
        }
        for command in commands {
            switch command {
            case .readSettings: post(.settingsProblem(reason))
            case .choose(let number, _, _):
                post(.choice(number, .unavailable(FileChoice.Message.unreachable(reason))))
            case .begin(let number, let task):
                post(.answer(number, task.answer(unreachable: reason)))
            case .followAccessibility: post(.accessibility(nil))
            case .serveApplication: post(.applicationTaken)
            case .cancel, .play, .stop: break
            }
        }
    }
}
