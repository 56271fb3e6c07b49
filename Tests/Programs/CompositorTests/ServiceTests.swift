import CLinux
import CompositorKit
import Glibc
import TestKit
import Testing

extension LiveTests {
    /// The program with a service manager.
    @Suite struct ServiceTests {
        @Test func theManagerHearsOfTheFirstFrameOfLifeAndOfTheEnd() throws {
            let folder = TemporaryFolder()
            let path = folder / "notify"
            let manager = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(manager) }
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
            let code = withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(manager, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(code == 0)
            func received() -> [String] {
                var texts: [String] = []
                var bytes = [UInt8](repeating: 0, count: 4096)
                while case let count = recv(manager, &bytes, bytes.count, Int32(MSG_DONTWAIT)),
                    count > 0
                {
                    texts.append(String(decoding: bytes.prefix(count), as: UTF8.self))
                }
                return texts
            }

            let stage = try Stage.shown(
                in: .program, pictures: [Stage.small, Stage.small],
                environment: ["NOTIFY_SOCKET=\(path)", "WATCHDOG_USEC=200000"])
            stage.compositor.run(seconds: 1)
            let first = received()
            #expect(first.count { $0 == "READY=1" } == 1)
            #expect(first.contains("STATUS=card.png, 1 of 2"))
            // Twice in 200 ms.
            #expect((5...40).contains(first.count { $0 == "WATCHDOG=1" }))
            stage.press("space")
            stage.compositor.run(seconds: 1.2)
            #expect(received().contains("STATUS=card-2.png, 2 of 2"))
            try stage.expectGoodEnd()
            #expect(received().last == "STOPPING=1")
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
