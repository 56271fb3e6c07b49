/// A value of a D-Bus message.
package indirect enum BusValue: Hashable, Sendable {
    case bool(Bool)
    /// A number of any integer type but the unsigned one of 64 bits; made as one of 64 bits.
    case integer(Int)
    case unsigned(UInt32)
    /// A number of 32 bits that this program has composed; one that is read is an `integer`.
    case short(Int32)
    case double(Double)
    /// A byte that this program has composed; one that is read is an `integer`.
    case byte(UInt8)
    /// The number of a descriptor of a call that this program has composed.
    case handle(Int32)
    /// A string, an object path or a signature.
    case text(String)
    /// An object path that this program has composed; one that is read is a `text`.
    case path(String)
    /// An array of the elements' D-Bus type.
    case array([BusValue], of: String)
    case tuple([BusValue])
    case entry(BusValue, BusValue)
    case variant(BusValue)
    /// A value of another type, or one that is nested too deeply.
    case other

    /// A dictionary of the D-Bus type `a{sv}`.
    static func options(_ options: KeyValuePairs<String, BusValue>) -> BusValue {
        .array(options.map { .entry(.text($0), .variant($1)) }, of: "{sv}")
    }

    /// The value itself, or what its variants contain.
    var content: BusValue {
        if case .variant(let inner) = self { inner.content } else { self }
    }

    var bool: Bool? { if case .bool(let value) = content { value } else { nil } }

    var double: Double? { if case .double(let value) = content { value } else { nil } }

    var text: String? { if case .text(let value) = content { value } else { nil } }

    /// The number of a value of any integer type.
    var integer: Int? {
        switch content {
        case .integer(let value): value
        case .unsigned(let value): Int(value)
        case .short(let value): Int(value)
        default: nil
        }
    }

    var tuple: [BusValue]? { if case .tuple(let values) = content { values } else { nil } }

    var array: [BusValue]? { if case .array(let values, _) = content { values } else { nil } }

    /// A dictionary with strings as keys, of which the last of equal keys counts; else nil.
    var dictionary: [String: BusValue]? {
        guard case .array(let entries, let type) = content, type.hasPrefix("{") || entries.isEmpty
        else { return nil }
        var result: [String: BusValue] = [:]
        for case .entry(let key, let value) in entries {
            if let key = key.text { result[key] = value }
        }
        return result
    }
}
