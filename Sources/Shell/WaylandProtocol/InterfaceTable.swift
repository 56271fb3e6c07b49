import CWayland

/// The `wl_interface` structures of all interfaces, built once from the descriptions.
///
/// libwayland keeps pointers into the table while objects exist. It compares interfaces by name, so
/// the table is compatible with the tables of libwayland. The `wl_…_interface` constants of C
/// cannot be used: Swift imports them as values, so their address is the address of a copy on the
/// stack.
struct InterfaceTable {
    // The memory is filled before the initialiser returns, never changed afterwards and never
    // freed, so it may be read on any thread.
    nonisolated(unsafe) static let shared = InterfaceTable(GeneratedInterfaces.all)

    let descriptions: [InterfaceDescription]
    let interfaces: UnsafePointer<wl_interface>

    private init(_ descriptions: [InterfaceDescription]) {
        self.descriptions = descriptions
        let table = UnsafeMutablePointer<wl_interface>.allocate(capacity: descriptions.count)
        for (index, description) in descriptions.enumerated() {
            (table + index).initialize(
                to: wl_interface(
                    name: Self.cString(description.name), version: Int32(description.version),
                    method_count: Int32(description.requests.count),
                    methods: Self.messages(description.requests, in: table),
                    event_count: Int32(description.events.count),
                    events: Self.messages(description.events, in: table)))
        }
        interfaces = UnsafePointer(table)
    }

    private static func messages(
        _ descriptions: [MessageDescription], in table: UnsafeMutablePointer<wl_interface>
    ) -> UnsafePointer<wl_message>? {
        guard !descriptions.isEmpty else { return nil }
        let messages = UnsafeMutablePointer<wl_message>.allocate(capacity: descriptions.count)
        for (index, description) in descriptions.enumerated() {
            (messages + index).initialize(
                to: wl_message(
                    name: cString(description.name), signature: cString(description.signature),
                    types: types(description.types, in: table)))
        }
        return UnsafePointer(messages)
    }

    private static func types(
        _ indices: [Int?], in table: UnsafeMutablePointer<wl_interface>
    ) -> UnsafeMutablePointer<UnsafePointer<wl_interface>?> {
        typealias Element = UnsafePointer<wl_interface>?
        let types = UnsafeMutablePointer<Element>.allocate(capacity: max(1, indices.count))
        types.initialize(repeating: nil, count: max(1, indices.count))
        for (position, index) in indices.enumerated() {
            types[position] = index.map { UnsafePointer(table + $0) }
        }
        return types
    }

    /// A static string is null-terminated and has static lifetime.
    private static func cString(_ string: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
