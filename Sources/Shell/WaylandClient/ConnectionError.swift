import Glibc
import WaylandProtocol

/// Why there is no connection to a compositor, or none any more.
package enum ConnectionError: Error, Hashable, CustomStringConvertible {
    /// There is no compositor where it was looked for; `errno` of the attempt.
    case noCompositor(errno: Int32)
    /// The compositor lacks what a window cannot do without; `found` is nil where it has none.
    case missingGlobal(name: String, needed: UInt32, found: UInt32?)
    /// The compositor took what we said for a breach of the protocol.
    case protocolError(interface: String, id: UInt32, code: UInt32)
    /// The compositor went away; `errno` of the connection.
    case gone(errno: Int32)

    init(_ error: DisplayError) {
        self =
            switch error {
            case .noCompositor(let code): .noCompositor(errno: code)
            case .protocolError(let interface, let id, let code):
                .protocolError(interface: interface, id: id, code: code)
            case .gone(let code): .gone(errno: code)
            }
    }

    /// One line for a person.
    package var description: String {
        switch self {
        case .noCompositor(let code):
            return "no Wayland compositor: \(String(cString: strerror(code)))"
        case .missingGlobal(let name, let needed, let found):
            let has = found.map { "it has version \($0)" } ?? "it has none"
            return "the compositor is too limited: \(name) version \(needed) is needed, \(has)"
        case .protocolError(let interface, let id, let code):
            return "the compositor reports error \(code) about \(interface)@\(id)"
        case .gone:
            return "the compositor went away"
        }
    }
}
