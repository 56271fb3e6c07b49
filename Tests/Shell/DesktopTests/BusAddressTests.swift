import Glibc
import TestKit
import Testing

@testable import Desktop

@Suite struct BusAddressTests {
    private func address(_ variables: [String: String]) -> String? {
        BusAddress.ofSession { variables[$0] }
    }

    @Test func theEnvironmentNamesTheBus() {
        let path = "unix:path=/run/user/1000/bus"
        #expect(address(["DBUS_SESSION_BUS_ADDRESS": path]) == path)
        #expect(address([:]) == nil)
        #expect(address(["DBUS_SESSION_BUS_ADDRESS": ""]) == nil)
    }

    /// GIO would start a bus of its own.
    @Test func noBusIsLaunched() {
        #expect(address(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"]) == nil)
    }

    @Test func aSocketInTheRuntimeFolderIsTheBus() throws {
        let folder = TemporaryFolder()
        let variables = ["XDG_RUNTIME_DIR": folder.path]
        #expect(address(variables) == nil)
        _ = folder.file("bus", "no socket")
        #expect(address(variables) == nil)
        unlink(folder / "bus")
        let bus = try PrivateBus(at: folder / "bus")
        #expect(address(variables) == "unix:path=\(folder.path)/bus")
        _ = bus
        #expect(address(["XDG_RUNTIME_DIR": "relative"]) == nil)
    }

    @Test func valuesOfAnAddressAreEscaped() {
        #expect(BusAddress.escaped("/run/a_b-c.d*\\9Z") == "/run/a_b-c.d*\\9Z")
        #expect(BusAddress.escaped("/a b,ü") == "/a%20b%2c%c3%bc")
    }
}
