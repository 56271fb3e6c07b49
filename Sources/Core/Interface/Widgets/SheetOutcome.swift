import Commands

/// What a sheet does with a command that comes without a key.
enum SheetOutcome<Request: Hashable & Sendable>: Hashable, Sendable {
    /// The command is not for the sheet.
    case ignored
    case consumed
    /// The owner of the sheet does this.
    case request(Request)

    /// A request, or `consumed` without one.
    init(_ request: Request?) { self = request.map { .request($0) } ?? .consumed }

    /// The response of the chrome; nil where the command is not for the sheet.
    func response(_ action: (Request) -> Widget.Action) -> Chrome.Response? {
        switch self {
        case .ignored: nil
        case .consumed: .consumed
        case .request(let request): .act(action(request))
        }
    }
}

extension Command {
    /// The name of the key that moves or scrolls in a sheet as the command does; nil for other commands.
    var sheetKey: String? {
        switch self {
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .first: "Home"
        case .last: "End"
        case .pageUp: "Prior"
        case .pageDown: "Next"
        default: nil
        }
    }
}
