/// Why the connection to the compositor could not be made, or ended.
package enum DisplayError: Error, Hashable {
    /// No compositor answers; `errno` of the connection attempt.
    case noCompositor(errno: Int32)
    /// The compositor reported a protocol error for the object `id`.
    case protocolError(interface: String, id: UInt32, code: UInt32)
    /// The compositor closed the connection; `errno` of the connection.
    case gone(errno: Int32)
}
