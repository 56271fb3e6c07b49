import Folders
import TestKit
import Testing

@testable import Desktop

/// Calls of `org.freedesktop.Application` as values.
@Suite struct ApplicationCallTests {
    private static let none = BusValue.options([:])

    private func call(_ method: String, _ arguments: BusValue...) -> ApplicationCall? {
        ApplicationCall(method, .tuple(arguments)) { LocalFileURI.path(of: $0) }
    }

    @Test func filesAreOpened() {
        let uris = BusValue.array(
            ["file:///a%20b.png", "sftp://host/c.png", "file:///d"].map { .text($0) }, of: "s")
        #expect(
            call("Open", uris, Self.none)
                == ApplicationCall(
                    paths: [FilePath("/a b.png"), FilePath("/d")], refused: ["sftp://host/c.png"]))
    }

    /// GIO would open the file of another computer as one of this.
    @Test(arguments: [
        "file://other/p", "FILE://other/p", "file:///a%zz", "file:a", "file:///dev/stdin",
    ])
    func gvfsIsNotAskedForFiles(uri: String) {
        #expect(DesktopClient.path(uri) == nil)
        #expect(DesktopClient.path("file:///p") == FilePath("/p"))
    }

    @Test func actionsHaveTheNamesOfTheDesktopEntry() throws {
        let path =
            Binaries.package + "/Sources/Distribution/\(ApplicationInterface.identifier).desktop"
        let line = try #require(
            TestFile.text(path)?.split(separator: "\n").first { $0.hasPrefix("Actions=") })
        let names = line.dropFirst("Actions=".count).split(separator: ";").map(String.init)
        #expect(Set(names) == Set(ApplicationCall.Action.allCases.map(\.rawValue)))
    }

    @Test(arguments: ApplicationCall.Action.allCases)
    func actionsAreUnderstood(action: ApplicationCall.Action) {
        let parameters = BusValue.array([], of: "v")
        #expect(
            call("ActivateAction", .text(action.rawValue), parameters, Self.none)
                == ApplicationCall(action: action))
    }

    @Test func theTokenOfTheCompositorCounts() {
        let data = BusValue.options([
            "desktop-startup-id": .text("old"), "activation-token": .text("new"),
        ])
        #expect(call("Activate", data)?.token == "new")
        let old = BusValue.options(["desktop-startup-id": .text("old")])
        #expect(call("Activate", old)?.token == "old")
        #expect(call("Activate", Self.none)?.token == nil)
        let long = BusValue.options([
            "activation-token": .text(String(repeating: "x", count: 2000))
        ])
        #expect(call("Activate", long) == ApplicationCall())
    }

    @Test func callsThatMakeNoSenseAreRefused() {
        #expect(call("Activate") == nil)
        #expect(call("Open", Self.none) == nil)
        #expect(call("Quit", Self.none) == nil)
        #expect(
            call("ActivateAction", .text("format"), .array([], of: "v"), Self.none) == nil)
        #expect(ApplicationCall("Activate", .text("x")) { _ in nil } == nil)
    }

    @Test func filesHaveALimit() {
        let uris = BusValue.array(Array(repeating: .text("file:///a"), count: 70_000), of: "s")
        #expect(call("Open", uris, Self.none)?.paths.count == ApplicationCall.mostFiles)
    }
}
