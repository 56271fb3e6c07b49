package import Folders

/// What a person opens in the desktop's file chooser.
package enum FileKind: Hashable, Sendable {
    /// One or several files.
    case files
    case folder
}

/// What came out of the desktop's file chooser.
package enum FileChoice: Hashable, Sendable {
    /// The paths of the chosen files or folder; `refused` are the chosen URIs that are no local files.
    case chosen([FilePath], refused: [String])
    case cancelled
    /// Why there is no file chooser: a message for the user.
    case unavailable(String)

    /// Reads the parameters of the portal's signal `Response`.
    init(response: BusValue) {
        guard let parameters = response.tuple, parameters.count == 2,
            let code = parameters[0].integer, let results = parameters[1].dictionary
        else {
            self = .unavailable(Message.nonsense)
            return
        }
        switch code {
        case 0: self.init(results)
        case 1: self = .cancelled
        default: self = .unavailable(Message.ended)
        }
    }

    private init(_ results: [String: BusValue]) {
        guard let uris = results["uris"]?.array, uris.allSatisfy({ $0.text != nil }) else {
            self = .unavailable(Message.nonsense)
            return
        }
        var paths: [FilePath] = []
        var refused: [String] = []
        for uri in uris.compactMap(\.text) {
            if let path = LocalFileURI.path(of: uri) {
                paths.append(path)
            } else {
                refused.append(uri)
            }
        }
        self = uris.isEmpty ? .cancelled : .chosen(paths, refused: refused)
    }

    /// Messages for users.
    enum Message {
        static let nonsense = "the desktop's file chooser sent an answer that makes no sense"
        static let ended = "the desktop's file chooser ended without an answer"
        static let missing =
            "the desktop has no file chooser: install xdg-desktop-portal and one of its backends"

        static func unreachable(_ reason: String) -> String {
            "the desktop's file chooser cannot be reached: \(reason)"
        }

        static func failed(_ error: BusError) -> String {
            error.isMissingService ? missing : "the desktop's file chooser failed: \(error.text)"
        }
    }
}
