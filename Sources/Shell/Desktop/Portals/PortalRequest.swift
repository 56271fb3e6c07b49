/// One request to the desktop's portal, from the call to the answer.
///
/// A person takes as long as needed: only a portal that ends or fails ends a request by itself.
final class PortalRequest {
    /// A method of the portal, and its arguments.
    struct Call {
        var interface: Bus.Interface
        var method: String
        /// The arguments for the token of the request, which is their option `handle_token`.
        var arguments: (_ token: String) -> BusValue
        /// What the handles in the arguments refer to; open during the call only.
        var descriptors: [Int32] = []
    }

    /// Why a request has no answer.
    enum Failure: Error {
        case refused(BusError)
        case ended
        case nonsense
    }

    /// The parameters of the signal `Response`.
    struct Response {
        /// 0 for success, 1 for a person who has cancelled.
        var code: Int
        var results: [String: BusValue]

        /// Nil where the parameters make no sense.
        init?(_ value: BusValue) {
            guard let parameters = value.tuple, parameters.count == 2,
                let code = parameters[0].integer, let results = parameters[1].dictionary
            else { return nil }
            (self.code, self.results) = (code, results)
        }
    }

    private let bus: Bus
    private let report: (Result<BusValue, Failure>) -> Void
    /// The path of the request: predicted, until the portal has answered the call.
    private var path: String
    private var subscription: Bus.Subscription?
    /// Whether the portal has answered the call, so that the request can be closed.
    private var isOpen = false
    private var isOver = false

    /// Makes the call; `report` gets the parameters of the signal `Response`, once, unless the request is
    /// cancelled.
    init(
        _ call: Call, token: String, on bus: Bus,
        report: @escaping (Result<BusValue, Failure>) -> Void
    ) {
        self.bus = bus
        self.report = report
        path = Portal.requestPath(of: bus.name, token: token)
        awaitResponse()
        bus.call(
            call.interface, call.method, call.arguments(token), descriptors: call.descriptors
        ) { self.callReturned($0) }
    }

    private func awaitResponse() {
        subscription = bus.subscribe(Portal.request(path), "Response") { [weak self] in
            self?.finish(.success($0))
        }
    }

    private func callReturned(_ result: Result<BusValue, BusError>) {
        switch result {
        case .failure(let error): finish(.failure(.refused(error)))
        case .success(let value):
            guard let path = value.tuple?.first?.text, path.hasPrefix("/") else {
                return finish(.failure(.nonsense))
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
    func portalEnded() { finish(.failure(.ended)) }

    private func close(_ path: String) {
        // The portal may have ended the request itself.
        bus.call(Portal.request(path), "Close", .tuple([])) { _ in }
    }

    private func finish(_ result: Result<BusValue, Failure>) {
        guard !isOver else { return }
        end()
        report(result)
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
