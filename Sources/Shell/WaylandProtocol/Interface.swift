package import CWayland

/// An interface of the protocol: name, newest known version and messages.
package struct Interface: Hashable, Sendable {
    private let index: Int

    /// The interface at an index of the generated list.
    package init(index: Int) {
        self.index = index
    }

    /// The interface of that name; nil if this build does not know it.
    package static func named(_ name: String) -> Interface? {
        InterfaceTable.shared.descriptions.firstIndex { "\($0.name)" == name }
            .map(Interface.init(index:))
    }

    package var name: String { "\(description.name)" }

    /// The newest version that this build knows.
    package var version: UInt32 { description.version }

    /// The interface as a libwayland structure; the memory is never freed.
    package var raw: UnsafePointer<wl_interface> { InterfaceTable.shared.interfaces + index }

    /// The name as a C string for a message.
    package var cName: UnsafePointer<CChar>? { raw.pointee.name }

    /// Whether the request destroys the object.
    package func isDestructor(request opcode: UInt32) -> Bool {
        let requests = description.requests
        return requests.indices.contains(Int(opcode)) && requests[Int(opcode)].isDestructor
    }

    /// Whether the event destroys the object.
    package func isDestructor(event opcode: UInt32) -> Bool {
        let events = description.events
        return events.indices.contains(Int(opcode)) && events[Int(opcode)].isDestructor
    }

    /// The destructor request without arguments for an object of that version; nil if there is
    /// none.
    func plainDestructor(version: UInt32) -> UInt32? {
        description.requests.firstIndex {
            $0.isDestructor && $0.types.isEmpty && $0.since <= version
        }.map(UInt32.init)
    }

    private var description: InterfaceDescription { InterfaceTable.shared.descriptions[index] }
}
