import Motion
import WaylandProtocol

/// A request for a token that lets another program's window come to the front.
///
/// A compositor that does not answer in time counts as one that has no token.
final class ActivationRequest {
    /// How long to wait for the compositor, in milliseconds.
    private static let patience = 500.0

    let deadline: Moment
    private let token: XdgActivationTokenV1
    private var handler: ((String?) -> Void)?

    /// `seat` is the seat whose input is the reason; `appID` names the program to start.
    init(
        _ manager: XdgActivationV1, for surface: WlSurface, seat: Seat?, appID: String?,
        now: Moment, handler: @escaping (String?) -> Void
    ) {
        deadline = now.advanced(byMilliseconds: Self.patience)
        self.handler = handler
        token = manager.getActivationToken()
        seat?.justify(token)
        if let appID { token.setAppId(appId: Toplevel.sendable(appID)) }
        token.setSurface(surface: surface)
        token.commit()
        token.onEvent = { [weak self] in
            if case .done(let text) = $0 { self?.finish(text) }
        }
    }

    var isFinished: Bool { handler == nil }

    /// Reports the token, or nil without one; further calls do nothing.
    func finish(_ text: String?) {
        guard let handler else { return }
        self.handler = nil
        // An empty token or one with a NUL cannot be handed on in the environment.
        handler(text.flatMap { $0.isEmpty ? nil : $0 })
    }
}
