import EventLoop
import Glibc
import Input
import Testing
import WaylandClient
import WaylandProtocol
import WaylandServer

/// The cursor over a window: set after the first frame, hidden by a touch.
@Suite struct CursorTests {
    /// The cursor requests that the compositor has received.
    final class CursorLog {
        var calls: [String] = []
        /// The surface with the picture of the cursor.
        var surface: WlSurfaceResource?
    }

    @Test func aNamedCursorIsShownAfterTheFirstFrame() throws {
        let (desktop, log, cursors) = try prepare(hasShapes: true)
        #expect(cursors.calls.isEmpty)
        try log.show(0)
        try desktop.pump()
        #expect(cursors.calls == ["9 shape 1"])
        log.window.cursor = .grabbing
        log.window.cursor = .grabbing
        log.window.cursor = .hidden
        try desktop.pump()
        #expect(cursors.calls == ["9 shape 1", "9 shape 17", "9 hide"])
    }

    @Test func aTouchHidesTheCursorUntilThePointerMoves() throws {
        let (desktop, log, cursors) = try prepare(hasShapes: true)
        try log.show(0)
        let surface = try desktop.windowSurface.resource
        desktop.touch?.down(serial: 10, time: 1, surface: surface, id: 0, x: 1, y: 1)
        try desktop.pump()
        desktop.pointer?.motion(time: 2, surfaceX: 3, surfaceY: 3)
        desktop.pointer?.frame()
        try desktop.pump()
        #expect(cursors.calls == ["9 shape 1", "9 hide", "9 shape 1"])
    }

    @Test func withoutShapesTheThemesCursorIsAttached() throws {
        let (desktop, log, cursors) = try prepare(hasShapes: false)
        try log.show(0)
        try desktop.pump()
        #expect(cursors.calls == ["9 surface"])
        let cursor = try #require(desktop.surfaces.last)
        #expect(cursor !== (try desktop.windowSurface))
        #expect(cursor.committed.last?.shm?.format == .argb8888)
    }

    /// With a loop, the theme is loaded on a thread, and the cursor follows when it is there.
    @Test func aThemeIsLoadedAside() throws {
        let sources = EventSources()
        let (desktop, log, cursors) = try prepare(hasShapes: false, sources: sources)
        try log.show(0)
        try desktop.pump()
        for _ in 0..<1000 where sources.wait(atMost: 10) == 0 {}
        #expect(cursors.calls.isEmpty)
        sources.handleReady()
        try desktop.pump()
        #expect(cursors.calls == ["9 surface"])
        // The next cursor of the theme needs no thread.
        log.window.cursor = .grabbing
        try desktop.pump()
        #expect(cursors.calls == ["9 surface", "9 surface"])
    }

    /// The old cursor stays until the new theme is there, and is freed then.
    @Test func theSizeOfTheDesktopIsFollowed() throws {
        let sources = EventSources()
        let (desktop, log, cursors) = try prepare(hasShapes: false, sources: sources)
        func untilLoaded() throws {
            for _ in 0..<1000 where sources.wait(atMost: 10) == 0 {}
            sources.handleReady()
            try desktop.pump()
        }
        try log.show(0)
        try desktop.pump()
        try untilLoaded()
        let cursor = try #require(desktop.surfaces.first { $0.resource === cursors.surface })
        let small = try #require(cursor.committed.last?.shm?.pixels.count)
        // As before, and in a storm of sizes: one theme is loaded at a time.
        desktop.connection.followCursors(size: nil, theme: nil)
        for size in 40..<48 { desktop.connection.followCursors(size: size, theme: nil) }
        desktop.connection.followCursors(size: 48, theme: nil)
        try desktop.pump()
        #expect(cursors.calls == ["9 surface"])
        try untilLoaded()
        #expect(cursors.calls == ["9 surface"])
        try untilLoaded()
        #expect(cursors.calls == ["9 surface", "9 surface"])
        let large = try #require(cursor.committed.last?.shm?.pixels.count)
        #expect(large >= 3 * small)
    }

    /// Without shapes, the border shows different cursors of the theme.
    @Test func theBorderShowsCursorsOfTheTheme() throws {
        var options = Desktop.Options()
        options.hasSubsurfaces = true
        let (desktop, log, cursors) = try prepare(hasShapes: false, options)
        try log.show(0)
        try desktop.pump()
        let window = try desktop.windowSurface
        let strips = desktop.surfaces.filter { surface in
            surface !== window && surface.resource !== cursors.surface
                && !surface.committed.isEmpty
        }
        #expect(strips.count == 4)
        _ = log.drain()
        var images: Set<[UInt32]> = []
        for strip in strips {
            desktop.pointer?.leave(serial: 8, surface: window.resource)
            desktop.pointer?.enter(
                serial: 9, surface: strip.resource, surfaceX: 25, surfaceY: 25)
            desktop.pointer?.frame()
            try desktop.pump()
            let cursor = desktop.surfaces.first { $0.resource === cursors.surface }
            images.insert(try #require(cursor?.committed.last?.shm?.pixels))
        }
        // Two corners and two sides.
        #expect(images.count == 4)
        #expect(log.drainInputs() == [.pointer(.leave)])
    }

    /// A window without a frame, which the pointer has entered with serial 9.
    private func prepare(
        hasShapes: Bool, _ options: Desktop.Options = Desktop.Options(),
        sources: EventSources? = nil
    ) throws -> (Desktop, WindowLog, CursorLog) {
        let desktop = try Desktop(options)
        let cursors = CursorLog()
        if hasShapes {
            try desktop.server.addGlobal(WpCursorShapeManagerV1Resource.self, version: 1) {
                $0.onRequest = { request in
                    guard case .getPointer(let device, _) = request else { return }
                    device.onRequest = {
                        guard case .setShape(let serial, let shape) = $0 else { return }
                        cursors.calls.append("\(serial) shape \(shape.rawValue)")
                    }
                }
            }
        }
        let log = try desktop.makeWindow()
        if let sources { desktop.connection.loadCursors(in: sources) }
        let pointer = try #require(desktop.pointer)
        pointer.onRequest = {
            guard case .setCursor(let serial, let surface, _, _) = $0 else { return }
            cursors.surface = surface
            cursors.calls.append(surface == nil ? "\(serial) hide" : "\(serial) surface")
        }
        let surface = try desktop.windowSurface.resource
        pointer.enter(serial: 9, surface: surface, surfaceX: 1, surfaceY: 1)
        pointer.frame()
        try desktop.pump()
        return (desktop, log, cursors)
    }
}
