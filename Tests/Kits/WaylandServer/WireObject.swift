import CWayland
import WaylandProtocol

/// Any object of a client, for events with arguments that no correct server sends.
///
/// A value is valid until the server handles requests, or destroys objects.
package struct WireObject {
    /// An argument of an event.
    package enum Argument {
        /// An integer, with or without a sign.
        case bits(UInt32)
        /// In 256ths.
        case fixed(Int32)
        /// Bytes without NUL; nil for no string.
        case string([UInt8]?)
        case object(WireObject?)
        case array([UInt8])
        /// The caller keeps the descriptor.
        case descriptor(Int32)
    }

    /// An event of an interface.
    package struct Event {
        package var opcode: UInt32
        package var name: String
        package var since: UInt32
        package var parameters: [Parameter]
    }

    /// A parameter of an event.
    package struct Parameter {
        /// The letter of libwayland's signatures: i, u, f, s, o, n, a or h.
        package var kind: UInt8
        package var isOptional: Bool
        /// The interface of an object; nil for any.
        package var interface: String?
    }

    package let interface: String
    package let version: UInt32
    package let id: UInt32
    private let raw: OpaquePointer
    private let description: UnsafePointer<wl_interface>

    /// Nil for an object of an unknown interface.
    init?(_ raw: OpaquePointer) {
        interface = String(cString: wl_resource_get_class(raw))
        guard let known = Interface.named(interface) else { return nil }
        description = known.raw
        version = UInt32(wl_resource_get_version(raw))
        id = wl_resource_get_id(raw)
        self.raw = raw
    }

    /// The events that the version of the object has.
    package var events: [Event] {
        (0..<Int(description.pointee.event_count)).compactMap { opcode in
            let event = event(opcode)
            return event.since <= version ? event : nil
        }
    }

    private func event(_ opcode: Int) -> Event {
        let message = description.pointee.events[opcode]
        var event = Event(
            opcode: UInt32(opcode), name: String(cString: message.name), since: 1, parameters: [])
        var isOptional = false
        for letter in String(cString: message.signature).utf8 {
            switch letter {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                event.since = UInt32(letter - UInt8(ascii: "0"))
            case UInt8(ascii: "?"): isOptional = true
            default:
                let type = message.types?[event.parameters.count]
                event.parameters.append(
                    Parameter(
                        kind: letter, isOptional: isOptional,
                        interface: type.map { String(cString: $0.pointee.name) }))
                isOptional = false
            }
        }
        return event
    }

    /// Sends an event; the arguments must have the kinds of its parameters.
    package func post(_ opcode: UInt32, _ arguments: [Argument]) {
        var scratch = Scratch()
        defer { scratch.free() }
        var wire = arguments.map { scratch.wire($0) }
        wl_resource_post_event_array(raw, opcode, &wire)
    }

    /// The memory of arguments during a call.
    private struct Scratch {
        private var strings: [UnsafeMutablePointer<CChar>] = []
        private var arrays: [UnsafeMutablePointer<wl_array>] = []

        mutating func wire(_ argument: Argument) -> wl_argument {
            switch argument {
            case .bits(let bits): return wl_argument(u: bits)
            case .fixed(let value): return wl_argument(f: value)
            case .object(let object): return wl_argument(o: object?.raw)
            case .descriptor(let descriptor): return wl_argument(h: descriptor)
            case .string(nil): return wl_argument(s: nil)
            case .string(let bytes?): return wl_argument(s: UnsafePointer(copy(bytes + [0])))
            case .array(let bytes):
                let array = UnsafeMutablePointer<wl_array>.allocate(capacity: 1)
                array.initialize(
                    to: wl_array(size: bytes.count, alloc: 0, data: copy(bytes + [0])))
                arrays.append(array)
                return wl_argument(a: array)
            }
        }

        private mutating func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
            let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            for (index, byte) in bytes.enumerated() {
                (memory + index).initialize(to: CChar(bitPattern: byte))
            }
            strings.append(memory)
            return memory
        }

        func free() {
            for string in strings { string.deallocate() }
            for array in arrays { array.deallocate() }
        }
    }
}
