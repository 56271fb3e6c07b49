/// The Swift code of one argument: its type, its encoding and its decoding.
struct ArgumentCode {
    let argument: Argument
    let side: Side
    let interface: Interface
    let interfaces: [Interface]

    /// The parameter name in the body.
    var name: String { Naming.member(argument.name) }

    /// The parameter label, where keywords need no escape.
    var label: String { name.filter { $0 != "`" } }

    private var optionalMark: String { argument.isNullable ? "?" : "" }

    private var enumerationType: String? {
        interfaces.enumeration(of: argument, in: interface).map { owner, enumeration in
            Naming.type(owner.name) + "." + Naming.enumeration(enumeration.name)
        }
    }

    /// The class of the object; the base class if the description leaves the class open.
    private var objectType: String {
        argument.interface.map(side.className) ?? (side == .client ? "Proxy" : "Resource")
    }

    /// The parameter type in an outgoing message.
    var outgoingType: String {
        switch argument.type {
        case .object, .newID: objectType + optionalMark
        default: valueType
        }
    }

    /// The type in an incoming message.
    ///
    /// Objects in events are always optional: libwayland replaces an object with NULL if the client
    /// destroyed it while the event was in transit.
    var incomingType: String {
        switch argument.type {
        case .object: objectType + (side == .client || argument.isNullable ? "?" : "")
        case .newID: objectType
        default: valueType
        }
    }

    private var valueType: String {
        switch argument.type {
        case .int: enumerationType ?? "Int32"
        case .uint: enumerationType ?? "UInt32"
        case .fixed: "Double"
        case .string: "String" + optionalMark
        case .array: "WireArray"
        case .fd, .object, .newID: "Int32"
        }
    }

    /// The `wl_argument` of an outgoing message.
    var encoded: String {
        switch argument.type {
        case .int where enumerationType != nil:
            "wl_argument(i: Int32(bitPattern: \(name).rawValue))"
        case .int: "wl_argument(i: \(name))"
        case .uint: "wl_argument(u: \(name)\(enumerationType == nil ? "" : ".rawValue"))"
        case .fixed: "wl_argument(f: WireFixed.encode(\(name)))"
        case .string: "wl_argument(s: \(name))"
        case .array: "wl_argument(a: \(name))"
        case .fd: "wl_argument(h: \(name))"
        case .newID where side == .client: "wl_argument(o: nil)"
        case .object, .newID: "wl_argument(o: \(name)\(optionalMark).target)"
        }
    }

    /// The expression that decodes the argument at an index of an incoming message.
    func decoded(at index: Int) -> String {
        switch argument.type {
        case .int, .uint:
            enumerationType.map { "\($0)(rawValue: arguments.uint(\(index)))" }
                ?? "arguments.\(argument.type.rawValue)(\(index))"
        case .fixed: "arguments.fixed(\(index))"
        case .string: "arguments.\(argument.isNullable ? "optionalString" : "string")(\(index))"
        case .array: "arguments.array(\(index))"
        case .fd: "arguments.descriptor(\(index))"
        case .object where side == .server && !argument.isNullable:
            "arguments.requiredObject(\(index))"
        case .object: "arguments.object(\(index))"
        case .newID: "arguments.newObject(\(index), of: self)"
        }
    }

    /// The call that passes the wire form of the value to the message; nil if none is needed.
    var lending: String? {
        switch argument.type {
        case .string: "withWireString(\(name))"
        case .array: "\(name).withWireArray"
        default: nil
        }
    }
}
