package import Folders

/// What a person chooses in the desktop's file chooser.
package enum FileKind: Hashable, Sendable {
    /// One or several files to open.
    case files
    /// A folder to open.
    case folder
    /// A folder into which files go; `title` is that of the chooser, `start` the folder shown first.
    case destination(title: String, start: FilePath?)
    /// The name of a new file.
    case newFile(title: String, name: String, start: FilePath?)
}

/// What came out of the desktop's file chooser.
package enum FileChoice: Hashable, Sendable {
    /// The paths of the chosen files or folder; `refused` are the chosen URIs that are no local files.
    case chosen([FilePath], refused: [String])
    case cancelled
    /// Why the file chooser gave no answer: a message for the user.
    case failed(String)
    /// Why there is no file chooser: a message for the user.
    case unavailable(String)

    /// Reads the parameters of the portal's signal `Response`.
    init(response: BusValue) {
        guard let response = PortalRequest.Response(response) else {
            self = .failed(Message.nonsense)
            return
        }
        switch response.code {
        case 0: self.init(response.results)
        case 1: self = .cancelled
        default: self = .failed(Message.ended)
        }
    }

    private init(_ results: [String: BusValue]) {
        guard let uris = results["uris"]?.array, uris.allSatisfy({ $0.text != nil }) else {
            self = .failed(Message.nonsense)
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

    init(_ result: Result<BusValue, PortalRequest.Failure>) {
        switch result {
        case .success(let response): self.init(response: response)
        case .failure(let failure):
            let message = PortalService.fileChooser.message(failure)
            if case .refused(let error) = failure, error.isMissingService {
                self = .unavailable(message)
            } else {
                self = .failed(message)
            }
        }
    }

    /// Messages for users.
    enum Message {
        static let nonsense = PortalService.fileChooser.nonsense
        static let ended = PortalService.fileChooser.ended
        static let missing = PortalService.fileChooser.missing

        static func unreachable(_ reason: String) -> String {
            PortalService.fileChooser.unreachable(reason)
        }
    }
}
