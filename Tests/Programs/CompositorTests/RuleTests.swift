import CompositorKit
import Geometry
import Glibc
import Input
import Motion
import Testing
import ViewerKit
import WaylandClient
import WaylandProtocol
import WaylandServer

/// The test compositor itself: it reports each violation of the rules that it checks.
@Suite struct RuleTests {
    @Test func aCorrectClientBreaksNoRule() throws {
        let client = try RawClient()
        try client.map()
        let (first, second) = (client.buffer(0), client.buffer(1))
        client.paint(0, 0x102030)
        client.show(first)
        client.paint(1, 0x102030)
        client.paint(1, x: 3, y: 4, 0xFF0000)
        client.show(second, x: 3, y: 4, side: 1)
        try client.pump()
        // The unused byte of XRGB8888 may change.
        client.paint(0, 0xAA10_2030)
        client.paint(0, x: 3, y: 4, 0x55FF_0000)
        client.show(first, side: 0)
        try client.pump()
        #expect(client.compositor.violations == [])
        let surface = try #require(client.compositor.surface)
        #expect(surface.commits.count == 3)
        #expect(surface.pixels.map { $0.color(3, 4) == (255, 0, 0) } == true)
        #expect(surface.pixels.map { $0.color(0, 0) == (0x10, 0x20, 0x30) } == true)
    }

    private func violation(_ setup: Setup = Setup(), _ body: (RawClient) throws -> Void) throws
        -> String?
    {
        let client = try RawClient(setup)
        try body(client)
        try client.pump()
        return client.compositor.violations.first
    }

    @Test func contentsBeforeTheFirstConfigure() throws {
        let found = try violation { $0.show($0.buffer(0)) }
        #expect(
            found == "xdg_surface: committed a buffer before the first configure was acknowledged")
    }

    @Test func unknownAndOutdatedSerials() throws {
        let unknown = try violation {
            try $0.map()
            $0.shellSurface.ackConfigure(serial: 4711)
        }
        #expect(unknown == "xdg_surface: acknowledged 4711, which was never sent")
        let past = try violation { client in
            try client.map()
            client.compositor.window?.configure(nil)
            try client.pump()
            client.shellSurface.ackConfigure(serial: client.configures[1])
            client.shellSurface.ackConfigure(serial: client.configures[0])
        }
        #expect(past?.hasPrefix("xdg_surface: acknowledged") == true)
    }

    @Test func paintingIntoAHeldBuffer() throws {
        let found = try violation { client in
            try client.map()
            let buffer = client.buffer(0)
            client.show(buffer)
            try client.pump()
            client.paint(0, x: 0, y: 9, 0xFFFFFF)
            client.show(client.buffer(1))
            try client.pump()
            withExtendedLifetime(buffer) {}
        }
        #expect(found == "wl_surface: painted into row 9 of a buffer that the compositor holds")
    }

    @Test func committingAHeldBuffer() throws {
        let found = try violation { client in
            try client.map()
            let buffer = client.buffer(0)
            client.show(buffer)
            client.show(buffer)
        }
        #expect(found == "wl_surface: committed a buffer that the compositor holds")
    }

    @Test func changesOutsideOfTheDamage() throws {
        let found = try violation { client in
            try client.map()
            client.show(client.buffer(0))
            client.paint(1, x: 5, y: 5, 0xFFFFFF)
            client.paint(1, x: 12, y: 5, 0xFFFFFF)
            client.show(client.buffer(1), x: 4, y: 4, side: 8)
        }
        #expect(found?.hasPrefix("wl_surface: changed row 5 outside of the damage") == true)
    }

    @Test func aMaximizedWindowOfAnotherSize() throws {
        var setup = Setup()
        setup.windowSize = Size(width: 16, height: 16)
        let found = try violation(setup) { client in
            client.toplevel.setMaximized()
            try client.map()
            client.show(client.buffer(0))
        }
        #expect(found?.contains("instead of the maximized size") == true)
    }

    @Test func objectsDestroyedInTheWrongOrder() throws {
        let role = try violation {
            try $0.map()
            $0.shellSurface.destroy()
        }
        #expect(role == "xdg_surface: destroyed before its toplevel")
        let surface = try violation {
            try $0.map()
            $0.surface.destroy()
        }
        #expect(surface == "wl_surface: destroyed before its role")
        let shell = try violation { $0.shell.destroy() }
        #expect(shell == "xdg_wm_base: destroyed before its surfaces")
    }

    @Test func aPongWithoutAPing() throws {
        let pong = try violation { $0.shell.pong(serial: 9) }
        #expect(pong == "xdg_wm_base: sent a pong without a ping")
    }

    @Test func onAManualClockEventsHaveExactTimes() throws {
        let time = ManualTime()
        let compositor = try TestCompositor(Setup(), time: time.timekeeper)
        let connection = try Connection(socket: try compositor.socketForClient()) { time.now }
        var failure: (any Error)?
        time.turn = {
            do {
                _ = try connection.prepareAndFlush()
                try connection.readAndDispatch(isReadable: connection.hasInput)
                _ = try connection.prepareAndFlush()
                try connection.readAndDispatch(isReadable: false)
            } catch { failure = error }
            return nil
        }
        #expect(compositor.run { connection.isReady })
        let window = try Window(connection: connection, options: .init(title: "t", appID: "a"))
        var inputs: [(InputEvent, Double)] = []
        let start = time.now
        window.handler = {
            guard case .input(let event, let moment, _) = $0 else { return }
            inputs.append((event, moment.seconds(since: start) * 1000))
        }
        #expect(compositor.run { window.state != nil })
        let begin = time.now.seconds(since: start) * 1000
        try compositor.play(
            """
            10 touch down 3 20 30.5
            10 touch frame
            250 touch up 3
            250 touch frame
            300 key Ctrl+plus
            400 end
            """)
        #expect(failure == nil)
        #expect(
            inputs.map(\.0) == [
                .touch(.down(id: 0, at: Point(x: 20, y: 30.5))), .touch(.frame),
                .touch(.up(id: 0)), .touch(.frame), .modifiers(.control),
                .key(KeyEvent(name: "plus", modifiers: .control, action: .down)),
                .key(KeyEvent(name: "plus", modifiers: .control, action: .up)),
            ])
        #expect(inputs.prefix(4).map { $0.1 - begin } == [10, 10, 250, 250])
        #expect(time.now.seconds(since: start) * 1000 - begin == 400)
    }
}
