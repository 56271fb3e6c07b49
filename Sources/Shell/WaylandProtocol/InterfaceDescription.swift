/// The description of one message for libwayland; the signature is in libwayland's notation.
struct MessageDescription {
    var name: StaticString
    var signature: StaticString
    /// The version of the interface that added the message.
    var since: UInt32
    /// For each argument on the wire, the index of its object's interface; nil if there is no fixed
    /// one.
    var types: [Int?]
    /// Whether the message destroys the object.
    var isDestructor = false
}

/// The description of one interface for libwayland.
struct InterfaceDescription {
    var name: StaticString
    var version: UInt32
    var requests: [MessageDescription]
    var events: [MessageDescription]
}
