import Folders
import SystemCalls
import TestKit
import Testing

@testable import Desktop

/// The one instance that the desktop calls, on a real bus.
@Suite struct ApplicationServiceTests {
    private let bus: PrivateBus

    init() throws {
        bus = try PrivateBus(environment: ["XDG_DATA_DIRS=/nonexistent", "GIO_USE_VFS=local"])
    }

    /// An instance, and what the desktop has asked of it.
    private final class Instance {
        let services: DesktopServices
        var calls: [ApplicationCall] = []
        var isTaken = false

        init(_ address: String) {
            services = DesktopServices { address }
            services.onApplicationCall = { [unowned self] in calls.append($0) }
            services.onApplicationTaken = { [unowned self] in isTaken = true }
            services.serveApplication()
        }

        func wait(_ condition: () -> Bool) -> Bool {
            for _ in 0..<400 where !condition() {
                waitUntilReady(services.pollDescriptor, milliseconds: 50)
                services.handleReadable()
            }
            return condition()
        }
    }

    /// Calls the instance as the desktop does; returns the exit code.
    @discardableResult
    private func call(_ method: String, _ arguments: String...) -> Int32 {
        ChildProcess.run(
            [
                "/usr/bin/gdbus", "call", "--address", bus.address, "--dest",
                ApplicationInterface.identifier, "--object-path", ApplicationInterface.path,
                "--method", "\(ApplicationInterface.name).\(method)", "--timeout", "20",
            ] + arguments
        ).status
    }

    private func waitForName() -> Bool {
        for _ in 0..<200 {
            let status = ChildProcess.run([
                "/usr/bin/gdbus", "wait", "--address", bus.address, "--timeout", "1",
                ApplicationInterface.identifier,
            ]).status
            if status == 0 { return true }
        }
        return false
    }

    @Test func callsArrive() throws {
        let instance = Instance(bus.address)
        try #require(waitForName())
        #expect(
            call("Open", "['file:///a%20b.png']", "{'activation-token': <'token'>}") == 0)
        #expect(call("ActivateAction", "grid", "[]", "{}") == 0)
        #expect(call("Activate", "{}") == 0)
        #expect(instance.wait { instance.calls.count == 3 })
        #expect(
            instance.calls == [
                ApplicationCall(paths: [FilePath("/a b.png")], token: "token"),
                ApplicationCall(action: .grid), ApplicationCall(),
            ])
        // The bus checks types, and an unknown action is no call.
        #expect(call("Open", "1", "{}") != 0)
        #expect(call("Quit") != 0)
        call("ActivateAction", "format", "[]", "{}")
        call("Activate", "{}")
        #expect(instance.wait { instance.calls.count >= 4 })
        #expect(instance.calls.count == 4 && !instance.isTaken)
    }

    @Test func aSecondInstanceIsNotCalled() throws {
        let first = Instance(bus.address)
        try #require(waitForName())
        let second = Instance(bus.address)
        #expect(second.wait { second.isTaken })
        #expect(call("Activate", "{}") == 0)
        #expect(first.wait { first.calls.count == 1 })
        #expect(second.calls.isEmpty && !first.isTaken)
    }

    @Test func withoutABusNothingIsCalled() {
        let instance = Instance("unix:path=/nonexistent")
        #expect(instance.wait { instance.isTaken })
    }
}
