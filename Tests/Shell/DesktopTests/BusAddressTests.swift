import Glibc
import SystemCalls
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

    /// As in a Flatpak, where the launcher of the accessibility bus is not seen.
    @Test func theEnvironmentNamesTheAccessibilityBus() async {
        let variables = ["AT_SPI_BUS_ADDRESS": "unix:path=/run/flatpak/at-spi-bus"]
        #expect(BusAddress.ofAccessibility { variables[$0] } == "unix:path=/run/flatpak/at-spi-bus")
        #expect(BusAddress.ofAccessibility { _ in nil } == nil)
        #expect(BusAddress.ofAccessibility { _ in "" } == nil)
        await #expect(processExitsWith: .success) {
            setenv("AT_SPI_BUS_ADDRESS", "unix:path=/run/flatpak/at-spi-bus", 1)
            let bus = try PrivateBus()
            let address = bus.address
            let services = DesktopServices { address }
            var found: [AssistiveTechnology?] = []
            services.onAccessibility = { found.append($0) }
            services.followAccessibility()
            for _ in 0..<200 where found.isEmpty {
                waitUntilReady(services.pollDescriptor, milliseconds: 50)
                services.handleReadable()
            }
            let flatpak = "unix:path=/run/flatpak/at-spi-bus"
            #expect(found == [AssistiveTechnology(address: flatpak, hasReader: false)])
            withExtendedLifetime(bus) {}
        }
    }

    @Test func valuesOfAnAddressAreEscaped() {
        #expect(BusAddress.escaped("/run/a_b-c.d*\\9Z") == "/run/a_b-c.d*\\9Z")
        #expect(BusAddress.escaped("/a b,ü") == "/a%20b%2c%c3%bc")
    }
}
