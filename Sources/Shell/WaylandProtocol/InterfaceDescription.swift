/// What libwayland has to know of one message; the signature is in its own notation.
struct MessageDescription {
    var name: StaticString
    var signature: StaticString
    /// The interface's version that brought the message.
    var since: UInt32
    /// For each argument on the wire the index of its object's interface, where that is fixed.
    var types: [Int?]
    /// Whether the object is gone after it.
    var isDestructor = false
}

/// What libwayland has to know of one interface.
struct InterfaceDescription {
    var name: StaticString
    var version: UInt32
    var requests: [MessageDescription]
    var events: [MessageDescription]
}
