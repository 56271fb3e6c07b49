import Localization
package import SystemCalls
import WaylandProtocol

/// Why the connection to the compositor could not be made, or ended.
package enum ConnectionError: Error, Hashable, CustomStringConvertible {
    /// No compositor answers; the error of the connection attempt.
    case noCompositor(SystemError)
    /// The compositor lacks a required global; `found` is its version, nil if there is none.
    case missingGlobal(name: String, needed: UInt32, found: UInt32?)
    /// The compositor reported a protocol error for the object `id`.
    case protocolError(interface: String, id: UInt32, code: UInt32)
    /// The compositor closed the connection; the error of the connection.
    case gone(SystemError)

    init(_ error: DisplayError) {
        self =
            switch error {
            case .noCompositor(let cause): .noCompositor(cause)
            case .protocolError(let interface, let id, let code):
                .protocolError(interface: interface, id: id, code: code)
            case .gone(let cause): .gone(cause)
            }
    }

    /// A one-line message for the user.
    package var description: String {
        switch self {
        case .noCompositor(let cause):
            return localized("no Wayland compositor: \(cause)")
        case .missingGlobal(let name, let needed, let found):
            let has = found.map { localized("it has version \($0)") } ?? localized("it has none")
            return localized(
                "the compositor is too limited: \(name) version \(needed) is needed, \(has)")
        case .protocolError(let interface, let id, let code):
            return localized("the compositor reports error \(code) about \(interface)@\(id)")
        case .gone:
            return localized("the compositor went away")
        }
    }
}
