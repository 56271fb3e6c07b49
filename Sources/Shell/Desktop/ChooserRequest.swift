/// One request to the desktop's file chooser, from the call to the answer.
///
/// A person takes as long as needed: only a portal that ends or fails ends a request by itself.
final class ChooserRequest {
    private let bus: Bus
    private let report: (FileChoice) -> Void
    /// The path of the request: predicted, until the portal has answered the call.
    private var path: String
    private var subscription: Bus.Subscription?
    /// Whether the portal has answered the call, so that the request can be closed.
    private var isOpen = false
    private var isOver = false

    /// Opens a file chooser; `report` is called once, unless the request is cancelled.
    init(
        _ kind: FileKind, parent: String, token: String, on bus: Bus,
        report: @escaping (FileChoice) -> Void
    ) {
        self.bus = bus
        self.report = report
        path = Portal.requestPath(of: bus.name, token: token)
        awaitResponse()
        bus.call(
            Portal.fileChooser, "OpenFile",
            ChooserArguments.openFile(kind, token: token, parent: parent)
        ) { self.callReturned($0) }
    }

    private func awaitResponse() {
        subscription = bus.subscribe(Portal.request(path), "Response") { [weak self] in
            self?.finish(FileChoice(response: $0))
        }
    }

    private func callReturned(_ result: Result<BusValue, BusError>) {
        switch result {
        case .failure(let error): finish(.unavailable(FileChoice.Message.failed(error)))
        case .success(let value):
            guard let path = value.tuple?.first?.text, path.hasPrefix("/") else {
                return finish(.unavailable(FileChoice.Message.nonsense))
            }
            isOpen = true
            // A request that was cancelled in the meantime.
            guard !isOver else { return close(path) }
            guard path != self.path else { return }
            // Portals before version 0.9 choose the path themselves.
            unsubscribe()
            self.path = path
            awaitResponse()
        }
    }

    /// Ends the request without a report; the portal closes its window.
    func cancel() {
        guard !isOver else { return }
        end()
        // The portal may not know the request yet; then it is closed when the call returns.
        if isOpen { close(path) }
    }

    /// Ends the request because the portal has ended.
    func portalEnded() { finish(.unavailable(FileChoice.Message.ended)) }

    private func close(_ path: String) {
        // The portal may have ended the request itself.
        bus.call(Portal.request(path), "Close", .tuple([])) { _ in }
    }

    private func finish(_ choice: FileChoice) {
        guard !isOver else { return }
        end()
        report(choice)
    }

    private func end() {
        isOver = true
        unsubscribe()
    }

    private func unsubscribe() {
        if let subscription { bus.unsubscribe(subscription) }
        subscription = nil
    }
}
