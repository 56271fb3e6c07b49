import CWayland
import Glibc
import Testing
import WaylandProtocol

/// The generated tables, compared with those that libwayland was built with.
@Suite struct InterfaceTableTests {
    @Test(arguments: [
        WlCompositor.interface, WlShm.interface, WlShmPool.interface, WlBuffer.interface,
        WlSurface.interface, WlSeat.interface, WlPointer.interface, WlKeyboard.interface,
        WlTouch.interface, WlOutput.interface, WlRegion.interface, WlDataDevice.interface,
        WlDataSource.interface, WlDataOffer.interface, WlRegistry.interface, WlCallback.interface,
    ])
    func messagesMatchLibwayland(interface: Interface) throws {
        let symbol = try #require(dlsym(nil, "\(interface.name)_interface"))
        let known = symbol.assumingMemoryBound(to: wl_interface.self).pointee
        let ours = interface.raw.pointee
        // Messages are only appended, so the table of the older version begins that of the newer one.
        if ours.version >= known.version {
            #expect(ours.method_count >= known.method_count)
            #expect(ours.event_count >= known.event_count)
        } else {
            #expect(ours.method_count <= known.method_count)
            #expect(ours.event_count <= known.event_count)
        }
        expectSame(
            ours.methods, known.methods, count: min(ours.method_count, known.method_count))
        expectSame(ours.events, known.events, count: min(ours.event_count, known.event_count))
    }

    private func expectSame(
        _ ours: UnsafePointer<wl_message>?, _ known: UnsafePointer<wl_message>?, count: Int32
    ) {
        guard let ours, let known else { return #expect(count == 0) }
        for index in 0..<Int(count) {
            #expect(strcmp(ours[index].name, known[index].name) == 0)
            #expect(strcmp(ours[index].signature, known[index].signature) == 0)
        }
    }
}
