/// One interface of a protocol description, with the names of the description.
struct Interface: Equatable {
    var name: String
    var version: Int
    var summary: String?
    var requests: [Message] = []
    var events: [Message] = []
    var enumerations: [Enumeration] = []
}

/// A request or an event; its opcode is its index in the list.
struct Message: Equatable {
    var name: String
    /// The version of the interface that added the message.
    var since: Int
    /// Whether the message destroys the object.
    var isDestructor: Bool
    var summary: String?
    var arguments: [Argument]

    /// The argument for the object that the message creates; nil if it creates none.
    var created: Argument? { arguments.first { $0.type == .newID } }

    /// The signature in libwayland's notation: the version, then a letter per argument.
    var signature: String {
        (since > 1 ? String(since) : "") + arguments.map(\.signature).joined()
    }
}

struct Argument: Equatable {
    /// The types on the wire, by their names in the description.
    enum Kind: String {
        case int
        case uint
        case fixed
        case string
        case object
        case newID = "new_id"
        case array
        case fd
    }

    var name: String
    var type: Kind
    /// The interface of the object; nil if not fixed.
    var interface: String?
    /// The enumeration of the value, as `name` or `interface.name`.
    var enumeration: String?
    var isNullable: Bool

    /// Whether the argument is a new object whose class the caller chooses; such an argument takes
    /// three places on the wire.
    var isUntypedObject: Bool { type == .newID && interface == nil }

    var signature: String {
        let letter =
            switch type {
            case .int: "i"
            case .uint: "u"
            case .fixed: "f"
            case .string: "s"
            case .object: "o"
            case .newID: interface == nil ? "sun" : "n"
            case .array: "a"
            case .fd: "h"
            }
        return (isNullable ? "?" : "") + letter
    }
}

struct Enumeration: Equatable {
    var name: String
    var isBitfield: Bool
    var summary: String?
    var entries: [Entry]

    struct Entry: Equatable {
        var name: String
        var value: UInt32
        var since: Int
        var summary: String?
    }
}
