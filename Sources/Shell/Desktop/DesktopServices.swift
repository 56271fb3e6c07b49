import Threads

/// The services of the desktop: its settings, its file chooser, and its media controls.
///
/// For use in a poll loop: poll `pollDescriptor`, then call `handleReadable`. Nothing is opened before
/// the first request; a thread of its own talks to the session bus. No method waits.
package final class DesktopServices {
    /// Identifies a request to the file chooser.
    package struct Request: Hashable, Sendable { fileprivate let number: Int }

    private let address: @Sendable () -> String?
    private let mailbox = DesktopMailbox()
    private var replies: [Int: (FileChoice) -> Void] = [:]
    private var lastNumber = 0
    private var isStarted = false
    private var followsSettings = false

    /// Called with the settings after `followSettings`, and after each change.
    package var onSettings: (DesktopSettings) -> Void = { _ in }
    /// Called with the reason why settings are unknown, a message for the user; defaults hold then.
    package var onSettingsProblem: (String) -> Void = { _ in }

    /// Called with what media keys and other programs ask of the media player.
    package var onMediaCommand: (MediaCommand) -> Void = { _ in }

    /// `address` returns the D-Bus address of the session bus, nil where there is none.
    package init(address: @escaping @Sendable () -> String? = { BusAddress.ofSession() }) {
        self.address = address
    }

    deinit { if isStarted { _ = mailbox.send(.stop) } }

    /// Readable when there is something for `handleReadable`.
    package var pollDescriptor: Int32 { mailbox.arrived.descriptor }

    private func send(_ command: DesktopMailbox.Command) {
        isStarted = true
        guard mailbox.send(command) else { return }
        // A client after the first one follows the settings, too.
        if followsSettings { _ = mailbox.send(.readSettings) }
        let (mailbox, address) = (mailbox, address)
        let hasThread = Thread.start { DesktopClient.run(mailbox, address: address()) }
        if !hasThread { mailbox.finish("no thread can be started") }
    }

    // MARK: Requests

    /// Reads the settings of the desktop, and follows their changes.
    package func followSettings() {
        send(.readSettings)
        followsSettings = true
    }

    /// Opens the desktop's file chooser.
    ///
    /// `parent` identifies the window above which the file chooser appears, as the portal's
    /// documentation says ("wayland:" and an exported handle). `reply` is called by `handleReadable`,
    /// once, unless the request is cancelled.
    package func openFiles(
        _ kind: FileKind, parent: String? = nil, reply: @escaping (FileChoice) -> Void
    ) -> Request {
        lastNumber += 1
        replies[lastNumber] = reply
        send(.choose(lastNumber, kind, parent: parent ?? ""))
        return Request(number: lastNumber)
    }

    /// Closes the file chooser of a request, if it is open.
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
            case .settingsProblem(let reason): onSettingsProblem(reason)
            case .choice(let number, let choice): replies.removeValue(forKey: number)?(choice)
            }
        }
    }
}
