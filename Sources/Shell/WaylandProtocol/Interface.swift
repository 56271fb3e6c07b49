package import CWayland

/// A class of objects in the protocol: its name, its newest known version and its messages.
package struct Interface: Hashable, Sendable {
    private let index: Int

    /// The interface at a place of the generated list.
    package init(index: Int) {
        self.index = index
    }

    package var name: String { "\(description.name)" }

    /// The newest version that this build knows.
    package var version: UInt32 { description.version }

    /// libwayland's form of it; the memory is never freed.
    package var raw: UnsafePointer<wl_interface> { InterfaceTable.shared.interfaces + index }

    /// The name as libwayland wants it in a message.
    package var cName: UnsafePointer<CChar>? { raw.pointee.name }

    /// Whether the object is gone after the request.
    package func isDestructor(request opcode: UInt32) -> Bool {
        let requests = description.requests
        return requests.indices.contains(Int(opcode)) && requests[Int(opcode)].isDestructor
    }

    /// Whether the object is gone after the event.
    package func isDestructor(event opcode: UInt32) -> Bool {
        let events = description.events
        return events.indices.contains(Int(opcode)) && events[Int(opcode)].isDestructor
    }

    /// The request that ends an object of that version and needs nothing said with it.
    func plainDestructor(version: UInt32) -> UInt32? {
        description.requests.firstIndex {
            $0.isDestructor && $0.types.isEmpty && $0.since <= version
        }.map(UInt32.init)
    }

    private var description: InterfaceDescription { InterfaceTable.shared.descriptions[index] }
}
