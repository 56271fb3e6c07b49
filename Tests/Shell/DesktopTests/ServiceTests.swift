import Folders
import SystemCalls
import TestKit
import Testing

@testable import Desktop

/// The services of the desktop on real buses: with the real portal, with none, and with portals that
/// misbehave (`portal`, a program of the test).
@Suite struct ServiceTests {
    private let bus: PrivateBus
    private let log = TemporaryFolder()

    init() throws {
        // A portal that the bus starts must not meet the desktop of the person who runs the tests.
        bus = try PrivateBus(environment: [
            "HOME=\(log.path)", "XDG_RUNTIME_DIR=\(log.path)", "XDG_DATA_DIRS=/usr/share",
            "GIO_USE_VFS=local",
        ])
    }

    private func services() -> DesktopServices {
        let address = bus.address
        return DesktopServices { address }
    }

    /// Starts a portal on the bus that behaves as `mode` says; a line per call goes into its log.
    @discardableResult
    private func startPortal(_ mode: String) throws -> RunningProcess {
        let script = "\(Binaries.package)/Tests/Shell/DesktopTests/Support/portal"
        return try bus.run(["/usr/bin/python3", script, mode, log / "calls.txt"])
    }

    /// Waits until `condition` holds, handling what happens; false after 20 s.
    private func wait(_ services: DesktopServices, _ condition: () -> Bool) -> Bool {
        for _ in 0..<400 where !condition() {
            waitUntilReady(services.pollDescriptor, milliseconds: 50)
            services.handleReadable()
        }
        return condition()
    }

    /// The choice in a file chooser; nil if there is no answer within 20 s.
    private func choice(_ services: DesktopServices, _ kind: FileKind = .files) -> FileChoice? {
        var choice: FileChoice?
        _ = services.openFiles(kind, parent: "wayland:handle") { choice = $0 }
        _ = wait(services) { choice != nil }
        return choice
    }

    private var calls: String { TestFile.text(log / "calls.txt") ?? "" }

    private func waitForCall(_ text: String, _ services: DesktopServices) -> Bool {
        wait(services) { calls.contains(text) }
    }

    // MARK: File chooser

    @Test func chosenFilesArrive() throws {
        try startPortal("chooses")
        let services = services()
        #expect(
            choice(services)
                == .chosen(
                    [FilePath("/tmp/a b.png"), FilePath("/tmp/c.png")], refused: ["sftp://x/y"])
        )
        #expect(calls.contains("OpenFile wayland:handle"))
        #expect(calls.contains("multiple True") && calls.contains("image/avif"))
        #expect(choice(services, .folder) != nil)
        #expect(calls.contains("directory True"))
    }

    /// The answer may come before the portal has returned the path, or under another path.
    @Test(arguments: ["answers-first", "other-path"]) func answersAreNotMissed(mode: String) throws
    {
        try startPortal(mode)
        #expect(choice(services()) == .chosen([FilePath("/tmp/a b.png")], refused: []))
    }

    @Test(arguments: [
        ("cancels", FileChoice.cancelled), ("fails", .failed(FileChoice.Message.ended)),
        ("garbage-answer", .failed(FileChoice.Message.nonsense)),
        ("garbage-results", .failed(FileChoice.Message.nonsense)),
        ("garbage-uris", .failed(FileChoice.Message.nonsense)),
        ("garbage-path", .failed(FileChoice.Message.nonsense)),
        ("refuses", .failed("the desktop's file chooser failed: not today")),
        ("lacks-chooser", .unavailable(FileChoice.Message.missing)),
        ("dies", .failed(FileChoice.Message.ended)),
        ("deep-answer", .failed(FileChoice.Message.nonsense)),
    ])
    func faultsHaveMessages(mode: String, expected: FileChoice) throws {
        try startPortal(mode)
        #expect(choice(services()) == expected)
    }

    /// A person who has not chosen yet: the request stays open until it is cancelled.
    @Test func anOpenChooserIsClosedByCancel() throws {
        try startPortal("waits")
        let services = services()
        var replies = 0
        let request = services.openFiles(.files) { _ in replies += 1 }
        #expect(waitForCall("OpenFile", services))
        // Another request is independent of the first.
        let other = services.openFiles(.folder) { _ in replies += 1 }
        #expect(waitForCall("directory True", services))
        services.cancel(request)
        #expect(waitForCall("Close vitrine1", services))
        services.cancel(request)
        services.cancel(other)
        #expect(waitForCall("Close vitrine2", services))
        #expect(replies == 0)
    }

    /// A request that is cancelled before the portal has returned its path is closed later.
    @Test func aChooserThatOpensTooLateIsClosed() throws {
        try startPortal("returns-late")
        let services = services()
        let request = services.openFiles(.files) { _ in }
        #expect(waitForCall("OpenFile", services))
        services.cancel(request)
        #expect(waitForCall("Close vitrine1", services))
    }

    /// A portal that never answers holds up nothing: neither other requests nor the end.
    @Test func aSilentPortalHoldsNothingUp() throws {
        try startPortal("silent")
        let services = services()
        let request = services.openFiles(.files) { _ in Issue.record("an answer") }
        services.followSettings()
        #expect(waitForCall("OpenFile", services) && waitForCall("ReadAll", services))
        services.cancel(request)
        _ = services.openFiles(.folder) { _ in Issue.record("an answer") }
        #expect(waitForCall("directory True", services))
    }

    /// The thread and its connection end with the services, also while a chooser is open.
    @Test(arguments: ["waits", "silent"])
    func theConnectionEndsWithTheServices(mode: String) throws {
        try startPortal(mode)
        let other = services()
        do {
            let services = services()
            _ = services.openFiles(.files) { _ in Issue.record("an answer") }
            #expect(waitForCall("OpenFile", services))
        }
        #expect(waitForCall("Gone", other))
    }

    @Test func theEndOfTheBusEndsRequests() throws {
        try startPortal("waits")
        let services = services()
        var choice: FileChoice?
        _ = services.openFiles(.files) { choice = $0 }
        #expect(waitForCall("OpenFile", services))
        bus.end()
        #expect(wait(services) { choice != nil })
        #expect(
            choice == .unavailable(FileChoice.Message.unreachable("the session bus went away")))
        // Later requests fail, too: the first may meet the thread before its end.
        for _ in 0..<5 {
            let later = self.choice(services)
            guard case .unavailable = later else {
                Issue.record("\(String(describing: later))")
                return
            }
        }
    }

    // MARK: Settings

    /// The settings that arrive until `condition` holds.
    private func settings(
        _ services: DesktopServices, until condition: (DesktopSettings) -> Bool
    ) -> [DesktopSettings] {
        var all: [DesktopSettings] = []
        services.onSettings = { all.append($0) }
        services.followSettings()
        _ = wait(services) { all.last.map(condition) ?? false }
        return all
    }

    @Test func settingsAndTheirChangesArrive() throws {
        try startPortal("settings")
        let services = services()
        let all = settings(services) { $0.colorScheme == .light }
        #expect(all.first?.textScale == 1.5 && all.first?.enablesAnimations == false)
        #expect(all.last?.textScale == 1.5 && all.last?.colorScheme == .light)
    }

    @Test func hostileSettingsAreIgnored() throws {
        try startPortal("garbage-settings")
        let all = settings(services()) { $0.colorScheme == .light }
        #expect(all.last?.colorScheme == .light && all.last?.textScale == 1)
    }

    /// A portal that was started again may have other settings.
    @Test func aNewPortalIsAskedAgain() throws {
        let portal = try startPortal("settings-once")
        let services = services()
        let all = settings(services) { $0.colorScheme == .dark }
        try #require(all.last?.colorScheme == .dark)
        var last: DesktopSettings?
        services.onSettings = { last = $0 }
        // The name is free once the first portal has ended.
        #expect(wait(services) { portal.exitCode != nil })
        try startPortal("settings")
        #expect(wait(services) { last?.textScale == 1.5 })
    }

    // MARK: The real portal

    /// Without a screen the real portal has no backend, and offers neither chooser nor settings.
    @Test func theRealPortalWithoutABackend() {
        let services = services()
        #expect(choice(services) == .unavailable(FileChoice.Message.missing))
        var problem: String?
        services.onSettingsProblem = { problem = $0 }
        services.followSettings()
        #expect(wait(services) { problem != nil })
    }

    // MARK: No bus

    @Test func withoutABusThereIsAMessage() {
        let services = DesktopServices { nil }
        var problem: String?
        services.onSettingsProblem = { problem = $0 }
        services.followSettings()
        #expect(wait(services) { problem != nil })
        #expect(problem == "this session has no desktop services")
        #expect(
            choice(services)
                == .unavailable(
                    FileChoice.Message.unreachable("this session has no desktop services")))
    }

    @Test(arguments: ["unix:path=/nonexistent/bus", "nonsense", "unix:", ""])
    func anUnreachableBusHasAMessage(address: String) {
        guard case .unavailable(let text) = choice(DesktopServices { address }) else {
            Issue.record("no message")
            return
        }
        #expect(text.contains("the session bus cannot be reached: "))
    }
}
