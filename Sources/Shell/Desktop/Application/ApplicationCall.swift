package import Folders

/// What the desktop asks of the program: to come to the front, to open files, or an action of the desktop
/// entry.
package struct ApplicationCall: Hashable, Sendable {
    /// The actions of the desktop entry, by their names there.
    package enum Action: String, CaseIterable, Sendable {
        case slideshow, grid, fullscreen
    }

    /// The files to open; none if the program is only to come to the front.
    package var paths: [FilePath] = []
    /// URIs that are no file of this computer.
    package var refused: [String] = []
    package var action: Action?
    /// The token with which the window comes to the front; nil if there is none.
    package var token: String?
}

extension ApplicationCall {
    /// Files beyond so many are left out.
    static let mostFiles = 1 << 16
    /// A longer token is left out, in bytes.
    private static let longestToken = 1 << 10

    /// A call of the interface; nil for one that makes no sense.
    ///
    /// `path` is the path of a URI, nil for what is no file.
    init?(_ method: String, _ arguments: BusValue, path: (String) -> FilePath?) {
        guard let arguments = arguments.tuple, let data = arguments.last?.dictionary else {
            return nil
        }
        let tokens = ["activation-token", "desktop-startup-id"].compactMap { data[$0]?.text }
        token = tokens.first { !$0.isEmpty && $0.utf8.count <= Self.longestToken }
        switch (method, arguments.count) {
        case ("Activate", 1): break
        case ("Open", 2):
            for uri in (arguments[0].array ?? []).prefix(Self.mostFiles).compactMap(\.text) {
                if let path = path(uri) { paths.append(path) } else { refused.append(uri) }
            }
        case ("ActivateAction", 3):
            guard let action = arguments[0].text.flatMap({ Action(rawValue: $0) }) else {
                return nil
            }
            self.action = action
        default: return nil
        }
    }
}
