import CDesktop

extension BusValue {
    /// How much of a message is read: it may come from a hostile program.
    private struct Budget {
        /// How deeply values may be nested; deeper ones become `other`.
        static let depth = 16
        /// The number of values; arrays end early after that.
        var values = 1 << 20
    }

    /// Reads a value of a message, and frees it.
    init(consuming value: OpaquePointer) {
        defer { cdesktop_value_free(value) }
        var budget = Budget()
        self.init(value, depth: 0, &budget)
    }

    private init(_ value: OpaquePointer, depth: Int, _ budget: inout Budget) {
        let kind = UInt8(bitPattern: cdesktop_value_kind(value))
        switch Character(UnicodeScalar(kind)) {
        case "b": self = .bool(cdesktop_value_is_true(value) != 0)
        case "u": self = .unsigned(UInt32(clamping: cdesktop_value_integer(value)))
        case "y", "n", "q", "i", "x": self = .integer(Int(cdesktop_value_integer(value)))
        case "d": self = .double(cdesktop_value_number(value))
        case "s", "o", "g": self = .text(String(cString: cdesktop_value_text(value)))
        case "(": self = .tuple(Self.children(of: value, depth, &budget))
        case "a":
            let children = Self.children(of: value, depth, &budget)
            let isDictionary = children.first.map { if case .entry = $0 { true } else { false } }
            self = .array(children, of: isDictionary == true ? "{}" : "")
        case "{":
            let children = Self.children(of: value, depth, &budget)
            self = children.count == 2 ? .entry(children[0], children[1]) : .other
        case "v":
            self = Self.children(of: value, depth, &budget).first.map { .variant($0) } ?? .other
        default: self = .other
        }
    }

    private static func children(
        of value: OpaquePointer, _ depth: Int, _ budget: inout Budget
    ) -> [BusValue] {
        guard depth < Budget.depth else { return [.other] }
        let count = min(cdesktop_value_count(value), budget.values)
        budget.values -= count
        return (0..<count).map { index in
            guard let child = cdesktop_value_child(value, index) else { return .other }
            defer { cdesktop_value_free(child) }
            return BusValue(child, depth: depth + 1, &budget)
        }
    }

    /// Makes a value for a message, which consumes it.
    ///
    /// The value is one that this program has composed: it holds no `other`.
    func encoded() -> OpaquePointer? {
        switch self {
        case .bool(let value): return cdesktop_value_make_bool(value ? 1 : 0)
        case .unsigned(let value): return cdesktop_value_make_unsigned(value)
        case .short(let value): return cdesktop_value_make_short_integer(value)
        case .integer(let value): return cdesktop_value_make_integer(Int64(value))
        case .byte(let value): return cdesktop_value_make_byte(value)
        case .handle(let value): return cdesktop_value_make_handle(value)
        case .path(let value): return cdesktop_value_make_path(value)
        case .double(let value): return cdesktop_value_make_double(value)
        case .text(let value): return cdesktop_value_make_text(value)
        case .tuple(let values):
            let children = values.map { $0.encoded() }
            return cdesktop_value_make_tuple(children, children.count)
        case .array(let values, let type):
            let children = values.map { $0.encoded() }
            return cdesktop_value_make_array(type, children, children.count)
        case .entry(let key, let value):
            return cdesktop_value_make_entry(key.encoded(), value.encoded())
        case .variant(let value): return cdesktop_value_make_variant(value.encoded())
        case .other: preconditionFailure("the program composes no such value")
        }
    }
}
