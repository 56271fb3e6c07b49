import CLinux
import Glibc
import SystemCalls
import Testing
import WaylandProtocol
import WaylandServer

/// Both sides of the generated bindings, connected by a socket and dispatched by the test.
@Suite struct BindingsTests {
    @Test func touchPointsKeepTheirFixedPointCoordinates() throws {
        let link = try Link()
        var touch: WlTouchResource?
        try link.server.addGlobal(WlSeatResource.self, version: 8) { seat in
            seat.capabilities(capabilities: .touch)
            seat.onRequest = { if case .getTouch(let id) = $0 { touch = id } }
        }
        let compositor = try link.addCompositor()
        let registry = try link.globals()
        let seat = try registry.bind(WlSeat.self)
        let surface = try registry.bind(WlCompositor.self).createSurface()
        let clientTouch = seat.getTouch()
        var events: [String] = []
        clientTouch.onEvent = { event in
            switch event {
            case .down(_, let time, let on, let id, let x, let y):
                events.append("down \(time) \(on === surface) \(id) \(x) \(y)")
            case .motion(let time, let id, let x, let y):
                events.append("motion \(time) \(id) \(x) \(y)")
            default: events.append("other")
            }
        }
        try link.pump()
        let serverSurface = try #require(compositor.surfaces.first)
        let serverTouch = try #require(touch)
        serverTouch.down(serial: 1, time: 16, surface: serverSurface, id: 288, x: 400.5, y: -3.25)
        serverTouch.motion(time: 32, id: 288, x: 1.0 / 256, y: 0.001)
        try link.pump()
        #expect(events == ["down 16 true 288 400.5 -3.25", "motion 32 288 \(1.0 / 256) 0.0"])
    }

    @Test func aRequestNewerThanTheBoundVersionIsNotSent() throws {
        let link = try Link()
        let compositor = try link.addCompositor(version: 4)
        let surface = try link.globals().bind(WlCompositor.self).createSurface()
        surface.offset(x: 1, y: 2)
        surface.commit()
        try link.pump()
        #expect(surface.version == 4)
        #expect(compositor.requests == ["commit"])
        #expect(link.display.error == nil)
    }

    @Test func sharedMemoryIsReadBackAndTheBufferReleased() throws {
        let link = try Link()
        let compositor = try link.addCompositor()
        let registry = try link.globals()
        let surface = try registry.bind(WlCompositor.self).createSurface()
        let words: [UInt32] = [0xFF01_0203, 0xFF04_0506, 0xFF07_0809, 0xFF0A_0B0C]
        let memory = clinux_memfd_create("test")
        try #require(words.withUnsafeBytes { write(memory, $0.baseAddress, $0.count) } == 16)
        let pool = try registry.bind(WlShm.self).createPool(fd: memory, size: 16)
        close(memory)
        let buffer = pool.createBuffer(
            offset: 0, width: 2, height: 2, stride: 8, format: .xrgb8888)
        var isReleased = false
        buffer.onEvent = { if case .release = $0 { isReleased = true } }
        surface.attach(buffer: buffer, x: 0, y: 0)
        surface.commit()
        try link.pump()
        let attached = try #require(compositor.attached)
        #expect(attached.shm?.pixels == words)
        #expect(attached.shm?.format == .xrgb8888)
        attached.release()
        try link.pump()
        #expect(isReleased)
        buffer.destroy()
        try link.pump()
        #expect(!attached.isAlive)
    }

    @Test func aProtocolErrorNamesItsInterfaceObjectAndCode() throws {
        let link = try Link()
        let compositor = try link.addCompositor()
        let surface = try link.globals().bind(WlCompositor.self).createSurface()
        try link.pump()
        compositor.surfaces.first?.postError(WlSurface.Error.invalidScale.rawValue, "no")
        let id = surface.id
        #expect(throws: DisplayError.protocolError(interface: "wl_surface", id: id, code: 0)) {
            for _ in 0..<3 { try link.pump() }
        }
        #expect(!WaylandLog.lastMessage.isEmpty)
    }

    @Test func aVanishedServerIsAnErrorAndNotAHang() throws {
        let link = try Link()
        _ = try link.globals()
        link.client.disconnect()
        #expect(throws: DisplayError.gone(SystemError(code: EPIPE))) {
            for _ in 0..<3 { try link.display.pump() }
        }
    }

    @Test func floodedEventsArriveInOrder() throws {
        let link = try Link()
        var pointer: WlPointerResource?
        try link.server.addGlobal(WlSeatResource.self, version: 5) { seat in
            seat.onRequest = { if case .getPointer(let id) = $0 { pointer = id } }
        }
        let clientPointer = try link.globals().bind(WlSeat.self).getPointer()
        var received: [UInt32] = []
        clientPointer.onEvent = { event in
            if case .motion(let time, _, _) = event { received.append(time) }
        }
        try link.pump()
        for time in 0..<5000 {
            pointer?.motion(time: UInt32(time), surfaceX: 1, surfaceY: 2)
            if time % 50 == 0 { try link.pump() }
        }
        try link.pump()
        #expect(received == (0..<5000).map(UInt32.init))
    }

    @Test func droppingAnObjectEndsItOnBothSides() throws {
        let link = try Link()
        let compositor = try link.addCompositor()
        let registry = try link.globals()
        let global = try registry.bind(WlCompositor.self)
        var surface: WlSurface? = global.createSurface()
        weak let observed = surface
        surface?.onEvent = { [weak surface] _ in _ = surface }
        try link.pump()
        let resource = try #require(compositor.surfaces.first)
        surface = nil
        try link.pump()
        #expect(observed == nil)
        #expect(!resource.isAlive)
    }

    @Test func eventsAboutDestroyedObjectsCarryNil() throws {
        let link = try Link()
        let compositor = try link.addCompositor()
        var pointer: WlPointerResource?
        try link.server.addGlobal(WlSeatResource.self, version: 5) { seat in
            seat.onRequest = { if case .getPointer(let id) = $0 { pointer = id } }
        }
        let registry = try link.globals()
        let surface = try registry.bind(WlCompositor.self).createSurface()
        let clientPointer = try registry.bind(WlSeat.self).getPointer()
        var left: [WlSurface?] = []
        clientPointer.onEvent = { if case .leave(_, let surface) = $0 { left.append(surface) } }
        try link.pump()
        let resource = try #require(compositor.surfaces.first)
        pointer?.leave(serial: 1, surface: resource)
        link.server.pump()
        surface.destroy()
        try link.pump()
        #expect(left.count == 1)
        #expect(left.allSatisfy { $0 == nil })
    }
}
