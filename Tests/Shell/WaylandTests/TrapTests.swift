import Testing
import WaylandProtocol
import WaylandServer

/// Tests of faults that end the process; they run on their own.
@Suite struct TrapTests {
    @Test func usingADestroyedObjectTraps() async {
        await #expect(processExitsWith: .failure) {
            let link = try Link()
            _ = try link.addCompositor()
            let surface = try link.globals().bind(WlCompositor.self).createSurface()
            surface.destroy()
            surface.commit()
        }
    }
}
