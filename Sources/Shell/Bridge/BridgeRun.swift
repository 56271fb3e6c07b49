import CLinux
import Control
import EventLoop
import Glibc
import Motion
import SystemCalls
import Threads

/// Runs the bridge: one poll loop for the viewer and signals, and a thread for the broker.
final class BridgeRun {
    private let options: BridgeOptions
    private let sources = EventSources()
    private let mailbox = BrokerMailbox()
    private let notifier: ServiceNotifier?
    private let backlight: Backlight?
    private var model: BridgeModel
    private let topics: BridgeTopics
    /// What the broker knows by this connection.
    private var published: [String: String] = [:]
    private var link: ViewerLink?
    private var viewerPause = RetryPause(from: 500, to: 8000)
    /// When to look for the viewer again; nil while it is connected.
    private var nextAttempt: Moment?
    /// When changes are published; nil without a change.
    private var nextPublishing: Moment?
    private var lastPublishing = Moment.zero
    private var isConnected = false
    private var hasEnded = false
    private var commands = RateLimit(atOnce: 20, perSecond: 10)
    private var complaints = RateLimit(atOnce: 5, perSecond: 1 / 60)
    private var log = BridgeLog()

    /// The shortest time between two rounds of publications, in milliseconds.
    private static let publishingInterval = 200.0
    /// How long the thread of the broker may take at the end, in milliseconds.
    private static let endTime = 1500

    init(_ options: BridgeOptions, _ topics: BridgeTopics, _ service: ServiceEnvironment) {
        (self.options, self.topics) = (options, topics)
        backlight = Backlight(options.backlight.map { String(decoding: $0, as: UTF8.self) })
        model = BridgeModel(
            topics, allowsOpening: options.allowsOpening, version: BridgeProgram.version)
        notifier = ServiceNotifier(service, sources, now: MonotonicClock.now)
        nextAttempt = MonotonicClock.now()
    }

    /// Runs until a signal ends the process.
    func run(_ settings: BrokerSettings) throws(BridgeFailure) {
        let signals: Int32
        do throws(SystemError) { signals = try Self.openSignals() } catch {
            throw BridgeFailure("cannot create a file descriptor: \(error)")
        }
        let registered = [
            sources.add(descriptor: signals) { [unowned self] in hasEnded = true },
            sources.add(descriptor: mailbox.arrived.descriptor) { [unowned self] in
                handleBrokerEvents()
            },
            sources.add(deadline: { [unowned self] in nextAttempt }) { [unowned self] in connect()
            },
            sources.add(deadline: { [unowned self] in nextPublishing }) { [unowned self] in
                publish()
            },
        ]
        let mailbox = mailbox
        guard Thread.start({ BrokerThread.run(settings, mailbox) }) else {
            throw BridgeFailure("no thread can be started")
        }
        notifier?.ready()
        reportStatus()
        while !hasEnded { turn() }
        notifier?.stopping()
        mailbox.stop()
        _ = mailbox.ended.wait(atMost: Self.endTime)
        for source in registered { sources.remove(source) }
    }

    private static func openSignals() throws(SystemError) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        sigprocmask(SIG_BLOCK, &signals, nil)
        return try reporting { signalfd(-1, &signals, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) }
    }

    private func turn() {
        let now = MonotonicClock.now()
        let wait = sources.deadline.map {
            Int32(clamping: Int(max(0, ($0.milliseconds - now.milliseconds)).rounded(.up)))
        }
        if sources.wait(atMost: wait ?? -1) > 0 { sources.handleReady() }
        sources.handleDeadlines(at: MonotonicClock.now())
    }

    // MARK: The viewer

    private func connect() {
        nextAttempt = nil
        do throws(BridgeFailure) {
            let link = try ViewerLink(
                path: try ViewerLink.find(options.socket), sources,
                onLine: { [unowned self] in receive($0) }, onEnd: { [unowned self] in lose($0) })
            self.link = link
            link.send("hello")
            link.send("history")
            link.send("watch")
        } catch { lose(error.reason) }
    }

    private func lose(_ reason: String) {
        log.note(.viewer, reason)
        link = nil
        model.viewer = nil
        nextAttempt = MonotonicClock.now().advanced(byMilliseconds: viewerPause.next())
        change()
    }

    private func receive(_ line: ViewerLine) {
        switch line {
        case .hello(let program): model.program = program
        case .state(let state):
            viewerPause.reset()
            if model.viewer == nil { log.note(.viewer, "connected to the viewer") }
            if model.viewer.map({ $0.path != state.path }) ?? false { link?.send("history") }
            model.viewer = state
            model.brightness = backlight?.percent
        case .history(let pictures): model.history = pictures
        case .error(let reason): complain("the viewer refuses a command: \(reason)")
        case .done, .unknown: return
        }
        change()
    }

    // MARK: The broker

    private func handleBrokerEvents() {
        let (events, dropped) = mailbox.fetchEvents()
        for event in events {
            switch event {
            case .connected:
                log.note(.broker, "connected to the broker")
                // The broker may have forgotten everything.
                (isConnected, published) = (true, [:])
                change()
            case .disconnected(let reason):
                log.note(.broker, "no connection to the broker: \(reason)")
                isConnected = false
                reportStatus()
            case .command(let part, let payload): perform(part, payload)
            }
        }
        if dropped > 0 { complain("\(dropped) commands came too fast, and were ignored") }
    }

    private func perform(_ part: String, _ payload: [UInt8]) {
        guard commands.allows(at: MonotonicClock.now()) else {
            return complain("commands come too fast, and are ignored")
        }
        guard let command = BrokerCommand(part, payload) else {
            return complain("“\(part.prefix(32))” got \(payload.count) bytes that are no command")
        }
        guard options.allowsOpening || !command.opens else {
            return complain("“\(part)” is ignored; --allow-open allows it")
        }
        if case .brightness(let percent) = command { return setBrightness(percent) }
        guard let request = command.request, let link else { return }
        if !link.send(request.command, request.arguments) {
            complain("the viewer does not answer; a command is ignored")
        }
    }

    private func setBrightness(_ percent: Int) {
        guard let backlight else { return complain("there is no brightness to be set") }
        do throws(SystemError) { try backlight.set(percent: percent) } catch {
            complain("the brightness cannot be set: \(error)")
        }
        model.brightness = backlight.percent
        change()
    }

    private func change() {
        guard nextPublishing == nil else { return }
        nextPublishing = max(
            MonotonicClock.now(), lastPublishing.advanced(byMilliseconds: Self.publishingInterval))
    }

    /// Publishes what the broker does not know yet.
    private func publish() {
        nextPublishing = nil
        lastPublishing = MonotonicClock.now()
        reportStatus()
        guard isConnected else { return }
        let news = model.publications.filter { published[$0.topic] != $0.payload }
        for publication in news { published[publication.topic] = publication.payload }
        mailbox.publish(news)
    }

    private func reportStatus() {
        let viewer = model.viewer.map { "viewer shows \(ViewerState.name($0.path))" } ?? "no viewer"
        notifier?.setStatus((isConnected ? "connected, " : "no broker, ") + viewer)
    }

    private func complain(_ text: String) {
        if complaints.allows(at: MonotonicClock.now()) { BridgeLog.write(text) }
    }
}
