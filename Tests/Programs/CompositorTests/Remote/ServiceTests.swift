import CLinux
import CompositorKit
import Glibc
import TestKit
import Testing

extension LiveTests {
    /// The program with a service manager.
    @Suite struct ServiceTests {
        @Test func theManagerHearsOfTheFirstFrameOfLifeAndOfTheEnd() throws {
            let manager = try ServiceManager()
            let stage = try Stage.shown(
                in: .program, pictures: [Stage.small, Stage.small],
                environment: [manager.environment, "WATCHDOG_USEC=200000"])
            stage.compositor.run(seconds: 1)
            let first = manager.received()
            #expect(first.count { $0 == "READY=1" } == 1)
            #expect(first.contains("STATUS=card.png, 1 of 2"))
            // Twice in 200 ms.
            #expect((5...40).contains(first.count { $0 == "WATCHDOG=1" }))
            stage.press("space")
            stage.compositor.run(seconds: 1.2)
            #expect(manager.received().contains("STATUS=card-2.png, 2 of 2"))
            try stage.expectGoodEnd()
            #expect(manager.received().last == "STOPPING=1")
        }

        /// A service manager would end a kiosk that never becomes ready, again and again.
        @Test func aKioskWithoutAScreenIsReady() throws {
            let manager = try ServiceManager()
            let stage = try Stage(
                in: .program, options: ["--kiosk", "--output", "TEST-2"],
                environment: [manager.environment])
            var heard: [String] = []
            stage.compositor.run(seconds: 5) {
                heard += manager.received()
                return heard.count >= 2
            }
            #expect(heard == ["READY=1", "STATUS=waiting for a screen"])
            #expect(stage.compositor.windows.isEmpty && stage.exitCode == nil)
            try stage.compositor.addOutput()
            #expect(stage.compositor.run { !stage.trace.isEmpty })
            stage.compositor.run(seconds: 1.2)
            #expect(manager.received().contains("STATUS=card.png, 1 of 1"))
        }

        /// A shell, as a service manager does, starts the program with a socket as descriptor 3.
        @Test func theInheritedSocketIsUsed() throws {
            let folder = TemporaryFolder()
            let path = folder / "activated.sock"
            let listening = path.withCString { clinux_listen($0, 8) }
            try #require(listening >= 0)
            defer { close(listening) }
            let stage = try Stage.shown(in: .program, inheriting: listening)
            #expect(stage.message("--socket", path, "hello").status == 0)
            #expect(access(try stage.socket, F_OK) != 0)
            try stage.expectGoodEnd()
            // The file belongs to the manager.
            #expect(access(path, F_OK) == 0)
        }
    }
}

/// The socket on which a service manager hears of a program.
private final class ServiceManager {
    private let folder = TemporaryFolder()
    private let descriptor: Int32
    var environment: String { "NOTIFY_SOCKET=" + folder / "notify" }

    init() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let path = folder / "notify"
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(code == 0)
    }

    deinit { close(descriptor) }

    /// What has arrived since the last call.
    func received() -> [String] {
        var texts: [String] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)), count > 0
        {
            texts.append(String(decoding: bytes.prefix(count), as: UTF8.self))
        }
        return texts
    }
}
