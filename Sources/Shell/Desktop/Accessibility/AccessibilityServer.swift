package import Interface
import Threads

/// The viewer for assistive technology, while the desktop has enabled accessibility.
///
/// For use in a poll loop: poll `pollDescriptor`, then call `handleReadable`. No method waits.
package final class AccessibilityServer {
    private let arrived = Wakeup()
    private var mailbox: AccessibilityMailbox?
    /// The interface that was shown last.
    private var shown: (tree: AccessibleTree, isActive: Bool)?

    /// Called with what assistive technology asks for.
    package var onRequest: (AccessibilityRequest) -> Void = { _ in }

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

    /// Shows the interface as it is now; changes are reported to assistive technology.
    package func show(_ interface: Widget, isActive: Bool) {
        guard let mailbox else { return }
        let tree = AccessibleTree(interface, after: shown?.tree)
        if let shown, shown.tree == tree, shown.isActive == isActive { return }
        shown = (tree, isActive)
        mailbox.show(.init(tree: tree, isActive: isActive))
    }

    /// Calls the handlers of what has happened.
    package func handleReadable() {
        arrived.lower()
        guard let (requests, hasEnded) = mailbox?.fetchRequests() else { return }
        for request in requests { onRequest(request) }
        if hasEnded { stop() }
    }
}
