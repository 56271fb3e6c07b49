import Threads

/// The viewer for assistive technology, while the desktop has enabled accessibility.
///
/// For use in a poll loop: poll `pollDescriptor`, then call `handleReadable`. No method waits.
package final class AccessibilityServer {
    private let arrived = Wakeup()
    private var mailbox: AccessibilityMailbox?
    /// The windows that were shown last; nil before the first time.
    private var shown: [AccessibilityWindow]?

    /// Called with what assistive technology asks for, and the number of the window.
    package var onRequest: (AccessibilityRequest, _ window: Int) -> Void = { _, _ in }

    package init() {}

    deinit { stop() }

    /// Readable when there is something for `handleReadable`.
    package var pollDescriptor: Int32 { arrived.descriptor }

    /// Whether there is a connection to assistive technology, or one is being made.
    package var isOn: Bool { mailbox != nil }

    /// Connects to the accessibility bus at a D-Bus address, instead of another connection.
    package func start(_ address: String) {
        stop()
        let mailbox = AccessibilityMailbox(arrived)
        if Thread.start({ AccessibilityClient.run(mailbox, address: address) }) {
            self.mailbox = mailbox
        }
    }

    package func stop() {
        mailbox?.stop()
        (mailbox, shown) = (nil, nil)
    }

    /// Shows all windows as they are now; changes are reported to assistive technology.
    package func show(_ interfaces: [AccessibleInterface]) {
        guard let mailbox else { return }
        let windows = (shown ?? []).showing(interfaces)
        guard windows != shown else { return }
        shown = windows
        mailbox.show(windows)
    }

    /// Calls the handlers of what has happened.
    package func handleReadable() {
        arrived.lower()
        guard let (requests, hasEnded) = mailbox?.fetchRequests() else { return }
        for request in requests { onRequest(request.request, request.window) }
        if hasEnded { stop() }
    }
}
