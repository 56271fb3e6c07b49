import Localization

/// The viewer's side of the desktop's services, on a thread of its own.
///
/// A client lives as long as its connection to the session bus; the next command after its end starts
/// another one. The thread sleeps while nothing happens.
final class DesktopClient {
    let mailbox: DesktopMailbox
    private let loop: MainLoop
    private var bus: Bus?
    /// The open requests to the portal, by their numbers.
    private var requests: [Int: PortalRequest] = [:]
    /// The tasks that have no answer yet, by the numbers of their requests.
    private var tasks: [Int: DesktopTask] = [:]
    /// Nil until the settings were read.
    private var settings: DesktopSettings?
    private var followsSettings = false
    /// Nil before the viewer is a media player.
    private var player: MediaPlayer?
    /// Nil while accessibility is not enabled.
    var assistiveTechnology: AssistiveTechnology?
    /// The number of the last question about `assistiveTechnology`: only its answer counts.
    var statusNumber = 0
    /// Whether the launcher of the accessibility bus was asked, and has not gone since.
    var hasLauncher = false
    private var lastToken = 0
    /// Why the connection has ended.
    private var reason = localized("the session bus went away")

    private init(_ mailbox: DesktopMailbox, _ loop: MainLoop) {
        self.mailbox = mailbox
        self.loop = loop
    }

    /// Connects to the bus, and handles commands until the connection ends or `stop`.
    static func run(_ mailbox: DesktopMailbox, address: String?) {
        guard let address else {
            return mailbox.finish(localized("this session has no desktop services"))
        }
        guard let loop = MainLoop() else {
            return mailbox.finish(localized("GIO (libgio-2.0) is not installed"))
        }
        let client = DesktopClient(mailbox, loop)
        client.run(address)
        mailbox.finish(client.reason)
    }

    private func run(_ address: String) {
        loop.begin { [unowned self] in handleCommands() }
        do throws(BusError) {
            bus = try Bus(address: address) { [loop] in loop.quit() }
            followPortal()
            mailbox.setLoop(loop)
            handleCommands()
            loop.run()
        } catch {
            reason = localized("the session bus cannot be reached: \(error.text)")
        }
        endRequests()
        if assistiveTechnology != nil { post(.accessibility(nil)) }
        bus?.close()
        loop.end()
    }

    /// Ends the open requests, which fail.
    private func endRequests() {
        for (number, request) in requests {
            request.cancel()
            guard tasks[number] == nil else { continue }
            post(.choice(number, .unavailable(FileChoice.Message.unreachable(reason))))
        }
        for (number, task) in tasks { post(.answer(number, task.answer(unreachable: reason))) }
        (requests, tasks) = ([:], [:])
    }

    func post(_ event: DesktopMailbox.Event) { mailbox.post(event) }

    private func handleCommands() {
        guard let bus else { return }
        for command in mailbox.fetchCommands() {
            switch command {
            case .readSettings: readSettings(bus)
            case .followAccessibility: followAccessibility(bus)
            case .serveApplication: serveApplication(bus)
            case .choose(let number, let kind, let parent):
                choose(kind, parent: parent, number, bus)
            case .begin(let number, let task):
                tasks[number] = task
                begin(task, number, bus)
            case .cancel(let number):
                tasks[number] = nil
                requests.removeValue(forKey: number)?.cancel()
            case .play(let state): play(state, bus)
            case .stop: loop.quit()
            }
        }
    }

    // MARK: Requests

    private func choose(_ kind: FileKind, parent: String, _ number: Int, _ bus: Bus) {
        let call = PortalRequest.Call(
            interface: Portal.fileChooser, method: ChooserArguments.method(kind),
            arguments: { ChooserArguments.arguments(kind, token: $0, parent: parent) })
        request(number, call, bus) { [unowned self] in post(.choice(number, FileChoice($0))) }
    }

    /// Makes a request of the portal.
    func request(
        _ number: Int, _ call: PortalRequest.Call, _ bus: Bus,
        report: @escaping (Result<BusValue, PortalRequest.Failure>) -> Void
    ) {
        lastToken += 1
        requests[number] = PortalRequest(call, token: "vitrine\(lastToken)", on: bus) {
            [unowned self] result in
            requests[number] = nil
            report(result)
        }
    }

    /// Ends a task.
    func answer(_ number: Int, _ answer: DesktopAnswer) {
        guard tasks.removeValue(forKey: number) != nil else { return }
        post(.answer(number, answer))
    }

    /// Leaves the answer of a task to another thread.
    func release(_ number: Int) { tasks[number] = nil }

    // MARK: Media player

    private func play(_ state: MediaPlayerState, _ bus: Bus) {
        if let player { return player.show(state) }
        let mailbox = mailbox
        player = MediaPlayer(bus, state) { mailbox.post(.media($0)) }
    }

    // MARK: Portal

    /// Notices when the portal ends or is started again.
    private func followPortal() {
        _ = bus?.subscribe(Portal.bus, "NameOwnerChanged", argument: Portal.program) {
            [unowned self] parameters in
            guard let names = parameters.tuple?.map(\.text), names.count == 3 else { return }
            if names[1] != "" {
                for request in requests.values { request.portalEnded() }
            }
            // Settings may have changed while no portal could say so.
            if names[2] != "", settings != nil, let bus { readSettings(bus) }
        }
    }

    // MARK: Settings

    private func readSettings(_ bus: Bus) {
        if !followsSettings {
            followsSettings = true
            _ = bus.subscribe(Portal.settings, "SettingChanged") { [unowned self] change in
                // The answer to `ReadAll` contains earlier changes.
                guard var settings else { return }
                settings.apply(change: change)
                deliver(settings)
            }
        }
        let namespaces = DesktopSettings.namespaces.map { BusValue.text($0) }
        bus.call(Portal.settings, "ReadAll", .tuple([.array(namespaces, of: "s")])) {
            [weak self] result in
            switch result {
            case .success(let answer): self?.deliver(DesktopSettings(all: answer))
            case .failure(let error): self?.mailbox.post(.settingsProblem(error.text))
            }
        }
    }

    /// Delivers settings that differ from those before.
    private func deliver(_ new: DesktopSettings) {
        guard settings != new else { return }
        settings = new
        mailbox.post(.settings(new))
    }
}
