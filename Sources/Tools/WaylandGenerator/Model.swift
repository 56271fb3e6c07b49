/// One interface of a protocol description, in the description's own words.
struct Interface: Equatable {
    var name: String
    var version: Int
    var summary: String?
    var requests: [Message] = []
    var events: [Message] = []
    var enumerations: [Enumeration] = []
}

/// A request or an event; its opcode is its place in the list.
struct Message: Equatable {
    var name: String
    /// The interface's version that brought the message.
    var since: Int
    /// Whether the object is gone after it.
    var isDestructor: Bool
    var summary: String?
    var arguments: [Argument]

    /// The object that the message creates, where it creates one.
    var created: Argument? { arguments.first { $0.type == .newID } }

    /// What libwayland calls the signature: the version, then a letter an argument.
    var signature: String {
        (since > 1 ? String(since) : "") + arguments.map(\.signature).joined()
    }
}

struct Argument: Equatable {
    /// The kinds of the wire, by the description's words.
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
    /// The class of the object, where it is fixed.
    var interface: String?
    /// `name` or `interface.name` of the enumeration that the value belongs to.
    var enumeration: String?
    var isNullable: Bool

    /// Whether it is a new object whose class the caller chooses: three arguments on the wire.
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
