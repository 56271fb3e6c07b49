import Glibc
import SystemCalls
import Testing
import WaylandClient
import WaylandServer

/// Connections that fail.
@Suite struct ConnectionTests {
    @Test func aCompositorThatDoesNotAnswerTimesOut() throws {
        let ends = try socketPair()
        defer { close(ends.server) }
        let connection = try Connection(socket: ends.client)
        #expect(throws: ConnectionError.noCompositor(SystemError(code: ETIMEDOUT))) {
            try connection.waitUntilReady(timeout: 20)
        }
    }

    @Test func aClosedConnectionIsAnError() throws {
        let ends = try socketPair()
        let connection = try Connection(socket: ends.client)
        close(ends.server)
        #expect(throws: ConnectionError.gone(SystemError(code: EPIPE))) {
            try connection.waitUntilReady()
        }
        // Another wait after the end neither hangs nor succeeds.
        #expect(throws: ConnectionError.gone(SystemError(code: EPIPE))) {
            try connection.waitUntilReady()
        }
    }

    @Test func errorMessagesAreOneLine() {
        let errors: [ConnectionError] = [
            .noCompositor(SystemError(code: ENOENT)), .gone(SystemError(code: EPIPE)),
            .missingGlobal(name: "xdg_wm_base", needed: 1, found: nil),
            .protocolError(interface: "wl_surface", id: 3, code: 1),
        ]
        #expect(
            errors.map(\.description) == [
                "no Wayland compositor: No such file or directory", "the compositor went away",
                "the compositor is too limited: xdg_wm_base version 1 is needed, it has none",
                "the compositor reports error 1 about wl_surface@3",
            ])
    }
}
