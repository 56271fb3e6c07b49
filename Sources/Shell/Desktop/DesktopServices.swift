import Localization
import Threads

/// The services of the desktop: its settings, its file chooser, its media controls, and what it does with
/// files.
///
/// For use in a poll loop: poll `pollDescriptor`, then call `handleReadable`. Nothing is opened before
/// the first request; a thread of its own talks to the session bus. No method waits.
package final class DesktopServices {
    /// Identifies a request.
    package struct Request: Hashable, Sendable { let number: Int }

    /// What the end of a request is reported to.
    enum Reply {
        case choice((FileChoice) -> Void)
        case answer((DesktopAnswer) -> Void)
        case applications((ApplicationsAnswer) -> Void)
    }

    private let address: @Sendable () -> String?
    let mailbox = DesktopMailbox()
    private var replies: [Int: Reply] = [:]
    private var lastNumber = 0
    private var isStarted = false
    private var followsSettings = false
    private var followsAccessibility = false
    private var servesApplication = false

    /// Called with the settings after `followSettings`, and after each change.
    package var onSettings: (DesktopSettings) -> Void = { _ in }
    /// Called with the reason why settings are unknown, a message for the user; defaults hold then.
    package var onSettingsProblem: (String) -> Void = { _ in }

    /// Called with changes while accessibility is enabled, nil when it is not enabled any more.
    package var onAccessibility: (AssistiveTechnology?) -> Void = { _ in }

    /// Called with what the desktop asks of the program, after `serveApplication`.
    package var onApplicationCall: (ApplicationCall) -> Void = { _ in }
    /// Called when the desktop calls another instance of the program, or none can be called.
    package var onApplicationTaken: () -> Void = {}

    /// Called with what media keys and other programs ask of the media player.
    package var onMediaCommand: (MediaCommand) -> Void = { _ in }

    /// `address` returns the D-Bus address of the session bus, nil where there is none.
    package init(address: @escaping @Sendable () -> String? = { BusAddress.ofSession() }) {
        self.address = address
    }

    deinit { if isStarted { _ = mailbox.send(.stop) } }

    /// Readable when there is something for `handleReadable`.
    package var pollDescriptor: Int32 { mailbox.arrived.descriptor }

    /// Adds a request that is still to be made.
    func add(_ reply: Reply) -> Request {
        lastNumber += 1
        replies[lastNumber] = reply
        return Request(number: lastNumber)
    }

    func send(_ command: DesktopMailbox.Command) {
        isStarted = true
        guard mailbox.send(command) else { return }
        // A client after the first one follows the settings, too.
        if followsSettings { _ = mailbox.send(.readSettings) }
        if followsAccessibility { _ = mailbox.send(.followAccessibility) }
        if servesApplication { _ = mailbox.send(.serveApplication) }
        let (mailbox, address) = (mailbox, address)
        let hasThread = Thread.start { DesktopClient.run(mailbox, address: address()) }
        if !hasThread { mailbox.finish(localized("no thread can be started")) }
    }

    // MARK: Requests

    /// Reads the settings of the desktop, and follows their changes.
    package func followSettings() {
        send(.readSettings)
        followsSettings = true
    }

    /// Follows whether the desktop wants programs to serve assistive technology.
    package func followAccessibility() {
        send(.followAccessibility)
        followsAccessibility = true
    }

    /// Makes this process the one that the desktop calls for the program.
    package func serveApplication() {
        send(.serveApplication)
        servesApplication = true
    }

    /// Opens the desktop's file chooser.
    ///
    /// `parent` identifies the window above which the file chooser appears, as the portal's
    /// documentation says ("wayland:" and an exported handle). `reply` is called by `handleReadable`,
    /// once, unless the request is cancelled.
    package func openFiles(
        _ kind: FileKind, parent: String? = nil, reply: @escaping (FileChoice) -> Void
    ) -> Request {
        let request = add(.choice(reply))
        send(.choose(request.number, kind, parent: parent ?? ""))
        return request
    }

    /// Ends a request without a reply; the desktop closes the dialog that is open for it.
    package func cancel(_ request: Request) {
        guard replies.removeValue(forKey: request.number) != nil else { return }
        send(.cancel(request.number))
    }

    /// Makes the viewer a media player of this state for the other programs of the desktop.
    package func play(_ state: MediaPlayerState) { send(.play(state)) }

    // MARK: Events

    /// Calls the handlers of what has happened.
    package func handleReadable() {
        for event in mailbox.fetchEvents() {
            switch event {
            case .media(let command): onMediaCommand(command)
            case .settings(let settings): onSettings(settings)
            case .accessibility(let state): onAccessibility(state)
            case .application(let call): onApplicationCall(call)
            case .applicationTaken: onApplicationTaken()
            case .settingsProblem(let reason): onSettingsProblem(reason)
            case .mustOpenFolder(let number, let folder, let token):
                if replies[number] != nil { openFolder(folder, token, number) }
            case .mustBegin(let number, let task):
                if replies[number] != nil { send(.begin(number, task)) }
            case .choice, .answer, .applications, .failed: reply(event)
            }
        }
    }

    private func reply(_ event: DesktopMailbox.Event) {
        switch event {
        case .choice(let number, let choice):
            if case .choice(let reply) = replies.removeValue(forKey: number) { reply(choice) }
        case .answer(let number, let answer):
            if case .answer(let reply) = replies.removeValue(forKey: number) { reply(answer) }
        case .applications(let number, let answer):
            if case .applications(let reply) = replies.removeValue(forKey: number) {
                reply(answer)
            }
        case .failed(let number, let message):
            switch replies.removeValue(forKey: number) {
            case .choice(let reply): reply(.unavailable(message))
            case .answer(let reply): reply(.failed(message))
            case .applications(let reply): reply(.failed(message))
            case nil: break
            }
        default: break
        }
    }
}
