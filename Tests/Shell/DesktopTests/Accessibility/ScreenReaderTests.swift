import SystemCalls
import TestKit
import Testing

@testable import Desktop

/// Whether a screen reader is used, by what the launcher of the accessibility bus says.
@Suite struct ScreenReaderTests {
    private let bus: PrivateBus
    private let services: DesktopServices

    init() throws {
        let bus = try PrivateBus()
        let address = bus.address
        self.bus = bus
        services = DesktopServices { address }
    }

    private func start(_ arguments: String...) throws -> RunningProcess {
        let script = "\(Binaries.package)/Tests/Shell/DesktopTests/Support/accessibility-bus"
        return try bus.run(["/usr/bin/python3", script] + arguments)
    }

    private func handle(within milliseconds: Int32) {
        waitUntilReady(services.pollDescriptor, milliseconds: milliseconds)
        services.handleReadable()
    }

    /// Waits until the last state that was told has the address of the launcher, and `hasReader`, or is nil.
    private func isTold(_ hasReader: Bool?, _ states: () -> [AssistiveTechnology?]) -> Bool {
        let wanted = hasReader.map {
            AssistiveTechnology(address: "unix:path=/nonexistent", hasReader: $0)
        }
        for _ in 0..<400 where states().last ?? nil != wanted {
            handle(within: 50)
        }
        return states().last ?? nil == wanted
    }

    @Test(arguments: [("old", false), ("reader", true)])
    func theLauncherKnowsOfAReader(mode: String, hasReader: Bool) throws {
        _ = try start(mode)
        // A launcher that knows is believed, whoever else is on the bus.
        _ = try start("name", "org.gnome.Orca1.Service")
        var states: [AssistiveTechnology?] = []
        services.onAccessibility = { states.append($0) }
        services.followAccessibility()
        #expect(isTold(hasReader) { states })
    }

    /// Accessibility is enabled for an on-screen keyboard, too, whose user touches buttons as always.
    @Test(arguments: ["org.gnome.Orca1.Service", "org.gnome.Orca.Service"])
    func aReaderIsKnownByItsNameElse(name: String) throws {
        _ = try start("new")
        var states: [AssistiveTechnology?] = []
        services.onAccessibility = { states.append($0) }
        services.followAccessibility()
        #expect(isTold(false) { states })
        let reader = try start("name", name)
        #expect(isTold(true) { states })
        reader.terminate()
        #expect(isTold(false) { states })
    }

    /// The launcher disables accessibility when any program ends that has listened to events.
    @Test func aReaderIsServedWhileAccessibilityIsDisabled() throws {
        _ = try start("disabled")
        var states: [AssistiveTechnology?] = []
        services.onAccessibility = { states.append($0) }
        services.followAccessibility()
        #expect(isTold(nil) { states })
        let reader = try start("name", "org.gnome.Orca1.Service")
        #expect(isTold(true) { states })
        reader.terminate()
        #expect(isTold(nil) { states })
        // A reader that leaves before the answer to its coming.
        try start("name", "org.gnome.Orca1.Service").terminate()
        for _ in 0..<20 { handle(within: 50) }
        #expect(states.last == .some(nil))
    }
}
