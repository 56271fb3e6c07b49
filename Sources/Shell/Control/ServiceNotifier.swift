import CLinux
package import EventLoop
package import Motion

/// Reports to the service manager, as sd_notify(3) does: ready, alive, what is shown, and the end.
///
/// The signs of life come from the main loop, so that they end when the loop hangs.
package final class ServiceNotifier {
    private let address: String
    private let sources: EventSources
    private let now: () -> Moment
    private var registered: [EventSources.Source] = []
    private var nextSign: Moment?
    private var status = ""
    private var sentStatus = ""
    private var lastStatus: Moment?
    private var isReady = false

    /// The shortest time between two status lines, in milliseconds.
    private static let statusInterval = 1000.0

    /// Nil if there is no service manager to report to.
    package init?(
        _ environment: ServiceEnvironment, _ sources: EventSources, now: @escaping () -> Moment
    ) {
        guard let address = environment.notify else { return nil }
        (self.address, self.sources, self.now) = (address, sources, now)
        if let watchdog = environment.watchdog {
            nextSign = now()
            registered.append(
                sources.add(quietDeadline: { [unowned self] in nextSign }) { [unowned self] in
                    send("WATCHDOG=1")
                    nextSign = now().advanced(byMilliseconds: watchdog / 2)
                })
        }
        registered.append(
            sources.add(quietDeadline: { [unowned self] in statusDeadline }) { [unowned self] in
                sendStatus()
            })
    }

    deinit { for source in registered { sources.remove(source) } }

    /// The first frame is on its way to the screen, or there is no screen.
    package func ready() {
        guard !isReady else { return }
        isReady = true
        send("READY=1")
    }

    /// What the program does, for `systemctl status`; at most one line a second is sent.
    package func setStatus(_ text: String) {
        status = String(text.map { $0.isNewline ? " " : $0 })
        if statusDeadline.map({ $0 <= now() }) ?? false { sendStatus() }
    }

    package func stopping() { send("STOPPING=1") }

    private var statusDeadline: Moment? {
        guard status != sentStatus else { return nil }
        return lastStatus?.advanced(byMilliseconds: Self.statusInterval) ?? .zero
    }

    private func sendStatus() {
        sentStatus = status
        lastStatus = now()
        send("STATUS=" + status)
    }

    /// Nobody can be told of a failure.
    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = address.withCString { clinux_send_datagram($0, bytes, bytes.count) }
    }
}
