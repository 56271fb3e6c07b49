import Glibc
import Testing
import WaylandClient
import WaylandServer

/// The ways in which there is no connection.
@Suite struct ConnectionTests {
    @Test func aCompositorThatDoesNotAnswerIsNone() throws {
        let ends = try socketPair()
        defer { close(ends.server) }
        let connection = try Connection(socket: ends.client)
        #expect(throws: ConnectionError.noCompositor(errno: ETIMEDOUT)) {
            try connection.waitUntilReady(timeout: 20)
        }
    }

    @Test func aCompositorThatHangsUpIsGone() throws {
        let ends = try socketPair()
        let connection = try Connection(socket: ends.client)
        close(ends.server)
        #expect(throws: ConnectionError.gone(errno: EPIPE)) { try connection.waitUntilReady() }
        // Going on after the end neither hangs nor succeeds.
        #expect(throws: ConnectionError.gone(errno: EPIPE)) { try connection.waitUntilReady() }
    }

    @Test func errorsAreOneLineForAPerson() {
        let errors: [ConnectionError] = [
            .noCompositor(errno: ENOENT), .gone(errno: EPIPE),
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
