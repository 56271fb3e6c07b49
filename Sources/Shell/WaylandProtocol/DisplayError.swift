package import SystemCalls

/// Why the connection to the compositor could not be made, or ended.
package enum DisplayError: Error, Hashable {
    /// No compositor answers; the error of the connection attempt.
    case noCompositor(SystemError)
    /// The compositor reported a protocol error for the object `id`.
    case protocolError(interface: String, id: UInt32, code: UInt32)
    /// The compositor closed the connection; the error of the connection.
    case gone(SystemError)
}
