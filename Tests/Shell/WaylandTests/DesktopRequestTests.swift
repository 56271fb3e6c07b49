import Geometry
import Input
import Motion
import Testing
import WaylandClient
import WaylandProtocol
import WaylandServer

/// What a window asks of the desktop: moves, the window menu, activation.
@Suite struct DesktopRequestTests {
    /// The serials that the window has named, each after its request.
    final class RequestLog {
        var calls: [String] = []

        init(_ desktop: Desktop) {
            desktop.toplevel?.onRequest = { [unowned self] in
                switch $0 {
                case .move(_, let serial): calls.append("move \(serial)")
                case .showWindowMenu(_, let serial, let x, let y):
                    calls.append("menu \(serial) \(x) \(y)")
                case .setMinimized: calls.append("minimize")
                case .setMaximized: calls.append("maximize")
                case .unsetMaximized: calls.append("restore")
                default: break
                }
            }
        }
    }

    private func prepare(
        _ options: Desktop.Options = Desktop.Options()
    ) throws -> (Desktop, WindowLog, RequestLog) {
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow()
        let requests = RequestLog(desktop)
        _ = log.drain()
        return (desktop, log, requests)
    }

    /// A second finger has tapped meanwhile: the compositor knows only the first one as down.
    @Test func aMoveNamesTheFingerThatIsDown() throws {
        let (desktop, log, requests) = try prepare()
        let surface = try desktop.windowSurface.resource
        desktop.touch?.down(serial: 51, time: 1, surface: surface, id: 3, x: 1, y: 1)
        desktop.touch?.down(serial: 52, time: 2, surface: surface, id: 4, x: 9, y: 9)
        desktop.touch?.up(serial: 53, time: 3, id: 4)
        desktop.touch?.frame()
        try desktop.pump()
        _ = log.drain()
        log.window.beginMove(seat: 0)
        try desktop.pump()
        #expect(requests.calls == ["move 51"])
        #expect(log.drainInputs() == [.touch(.cancel)])
        // The compositor has the finger now: what it still sends of it is ignored.
        desktop.touch?.motion(time: 4, id: 3, x: 5, y: 5)
        desktop.touch?.up(serial: 54, time: 5, id: 3)
        try desktop.pump()
        #expect(log.drainInputs() == [])
    }

    /// Of finger and button, the one that went down last is moved.
    @Test func aMoveByTheMouseNamesTheButton() throws {
        let (desktop, log, requests) = try prepare()
        let surface = try desktop.windowSurface.resource
        desktop.touch?.down(serial: 51, time: 1, surface: surface, id: 3, x: 1, y: 1)
        desktop.pointer?.enter(serial: 52, surface: surface, surfaceX: 5, surfaceY: 6)
        desktop.pointer?.button(serial: 53, time: 3, button: 0x110, state: .pressed)
        desktop.pointer?.frame()
        try desktop.pump()
        log.window.beginMove(seat: 0)
        try desktop.pump()
        #expect(requests.calls == ["move 53"])
        #expect(
            log.drainInputs().suffix(2) == [
                .touch(.cancel), .pointer(.button(.left, isDown: false)),
            ])
    }

    @Test func theWindowMenuOpensAtThePointAndEndsThePress() throws {
        let (desktop, log, requests) = try prepare()
        log.window.showWindowMenu(seat: 0, at: Point(x: 1, y: 1))
        try desktop.pump()
        #expect(requests.calls == [], "nothing was pressed yet")
        let surface = try desktop.windowSurface.resource
        desktop.touch?.down(serial: 51, time: 1, surface: surface, id: 3, x: 10, y: 20)
        try desktop.pump()
        _ = log.drain()
        log.window.showWindowMenu(seat: 0, at: Point(x: 10.4, y: 19.6))
        log.window.showWindowMenu(seat: 7, at: .zero)
        log.window.showWindowMenu(seat: 0, at: Point(x: .infinity, y: .nan))
        log.window.minimize()
        log.window.setMaximized(true)
        log.window.setMaximized(false)
        try desktop.pump()
        #expect(
            requests.calls == [
                "menu 51 10 20", "menu 51 2147483647 0", "minimize", "maximize", "restore",
            ])
        #expect(log.drainInputs() == [.touch(.cancel)])
    }

    @Test func theCompositorSaysWhatItCanDo() throws {
        let (desktop, log, _) = try prepare()
        #expect(log.window.state?.capabilities == .all)
        desktop.toplevel?.wmCapabilities(capabilities: WireArray(words: [3, 2, 99]))
        #expect(log.window.state?.capabilities == .all)
        try desktop.configure(width: 300, height: 200, serial: 2)
        #expect(log.window.state?.capabilities == [.maximize, .fullscreen])
        desktop.toplevel?.wmCapabilities(capabilities: WireArray(words: []))
        try desktop.configure(width: 300, height: 200, serial: 3)
        #expect(log.window.state?.capabilities == [])
    }

    // MARK: Activation

    private var withActivation: Desktop.Options {
        var options = Desktop.Options()
        options.hasActivation = true
        return options
    }

    @Test func theTokenIsHandedInAfterTheFirstFrame() throws {
        let desktop = try Desktop(withActivation)
        let log = try desktop.makeWindow(
            WindowOptions(title: "t", appID: "a", activationToken: "abc"))
        #expect(desktop.activations == [])
        try log.show(0)
        try log.show(1)
        try desktop.pump()
        #expect(desktop.activations == ["abc after 1"])
    }

    @Test func aTokenIsObtainedForTheLatestInput() throws {
        let (desktop, log, _) = try prepare(withActivation)
        let surface = try desktop.windowSurface.resource
        desktop.touch?.down(serial: 51, time: 1, surface: surface, id: 3, x: 10, y: 20)
        desktop.keyboard?.enter(serial: 52, surface: surface, keys: WireArray(words: []))
        desktop.keyboard?.key(serial: 53, time: 2, key: 30, state: .pressed)
        desktop.keyboard?.key(serial: 54, time: 2, key: 30, state: .released)
        try desktop.pump()
        var received: [String?] = []
        log.window.requestActivationToken(seat: 0, appID: "editor") { received.append($0) }
        try desktop.pump()
        let token = try #require(desktop.tokens.first)
        #expect(token.requests == ["serial 53", "app editor", "surface", "commit"])
        #expect(desktop.connection.deadline != nil)
        token.resource.done(token: "xyz")
        token.resource.done(token: "again")
        try desktop.pump()
        #expect(received == ["xyz"])
        #expect(desktop.connection.deadline == nil)
    }

    /// The program to start must not wait for a compositor without an answer, nor for a bad one.
    @Test func withoutATokenTheProgramIsStartedWithoutIt() throws {
        let (desktop, log, _) = try prepare(withActivation)
        var received: [String?] = []
        log.window.requestActivationToken(seat: 0) { received.append($0) }
        log.window.requestActivationToken(seat: 5) { received.append($0) }
        try desktop.pump()
        #expect(desktop.tokens.map(\.requests) == [["surface", "commit"], ["surface", "commit"]])
        desktop.tokens[1].resource.done(token: "")
        try desktop.pump()
        #expect(received == [nil])
        let deadline = try #require(desktop.connection.deadline)
        #expect(deadline.milliseconds == desktop.now + 500)
        desktop.now += 500
        desktop.connection.handleDeadline(now: Moment(milliseconds: desktop.now))
        #expect(received == [nil, nil])
        desktop.tokens[0].resource.done(token: "late")
        try desktop.pump()
        #expect(received == [nil, nil])
        let (other, plain, _) = try prepare()
        plain.window.requestActivationToken(seat: 0) { received.append($0) }
        #expect(received == [nil, nil, nil] && other.connection.deadline == nil)
    }

    // MARK: Exported windows

    @Test func thePortalKnowsTheWindowByItsHandle() throws {
        var options = Desktop.Options()
        options.hasExporter = true
        let desktop = try Desktop(options)
        let log = try desktop.makeWindow()
        #expect(desktop.exported.isEmpty)
        try log.show(0)
        try desktop.pump()
        #expect(desktop.exported.count == 1 && log.window.portalParent == nil)
        desktop.exported[0].handle(handle: String(repeating: "x", count: 4000))
        try desktop.pump()
        #expect(log.window.portalParent == nil)
        desktop.exported[0].handle(handle: "abc")
        try desktop.pump()
        #expect(log.window.portalParent == "wayland:abc")
        let (_, plain, _) = try prepare()
        try plain.show(0)
        #expect(plain.window.portalParent == nil)
    }
}
