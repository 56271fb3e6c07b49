/// Why a connection to the compositor could not be made, or ended.
package enum DisplayError: Error, Hashable {
    /// There is no compositor where it was looked for; `errno` of the attempt.
    case noCompositor(errno: Int32)
    /// We said something that the compositor took for a breach of the protocol.
    case protocolError(interface: String, id: UInt32, code: UInt32)
    /// The compositor went away; `errno` of the connection.
    case gone(errno: Int32)
}
