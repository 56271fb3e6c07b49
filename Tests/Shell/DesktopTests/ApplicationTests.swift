import Folders
import Glibc
import SystemCalls
import TestKit
import Testing

@testable import Desktop

/// Applications that are registered for a test.
///
/// GIO looks up the folders once in a process, so that each test
/// has a process of its own.
@Suite struct ApplicationTests {
    /// A data folder with applications for `image/png` and for folders.
    private final class Desk {
        let folder = TemporaryFolder()
        let services: DesktopServices

        init(address: String? = nil) {
            for name in ["config", "data", "data/applications"] { folder.folder(name) }
            setenv("HOME", folder.path, 1)
            setenv("XDG_DATA_HOME", folder / "data", 1)
            setenv("XDG_DATA_DIRS", folder / "nothing", 1)
            setenv("XDG_CONFIG_HOME", folder / "config", 1)
            setenv("XDG_CONFIG_DIRS", folder / "nothing", 1)
            services = DesktopServices { address }
        }

        /// Registers an application; `command` is its key `Exec`.
        func add(_ name: String, _ command: String, _ more: String = "") {
            _ = folder.file(
                "data/applications/\(name).desktop",
                """
                [Desktop Entry]
                Type=Application
                Name=Test \(name)
                Icon=icon-\(name)
                MimeType=image/png;
                \(command.isEmpty ? "" : "Exec=\(command)")
                \(more)
                """)
        }

        func register(_ names: [String], for type: String = "image/png") {
            let list = names.map { $0 + ".desktop;" }.joined()
            _ = folder.file(
                "config/mimeapps.list",
                "[Default Applications]\n\(type)=\(names[0]).desktop\n"
                    + "[Added Associations]\n\(type)=\(list)\n")
        }

        func wait(_ condition: () -> Bool) -> Bool {
            for _ in 0..<400 where !condition() {
                waitUntilReady(services.pollDescriptor, milliseconds: 50)
                services.handleReadable()
            }
            return condition()
        }

        func applications(_ type: String) -> ApplicationsAnswer? {
            var answer: ApplicationsAnswer?
            services.applications(for: type) { answer = $0 }
            _ = wait { answer != nil }
            return answer
        }

        func launch(_ name: String, _ files: [String], token: String? = nil) -> DesktopAnswer? {
            var answer: DesktopAnswer?
            services.launch(name + ".desktop", files.map { FilePath($0) }, token: token) {
                answer = $0
            }
            _ = wait { answer != nil }
            return answer
        }

        /// A program that writes its arguments and token to a file.
        func program(_ name: String, then end: String = "") -> String {
            let path = folder.file(
                name,
                """
                #!/bin/sh
                for word in "$@"; do echo "$word"; done > "\(folder / "out.tmp")"
                echo "token $XDG_ACTIVATION_TOKEN $DESKTOP_STARTUP_ID" >> "\(folder / "out.tmp")"
                mv "\(folder / "out.tmp")" "\(folder / "out")"
                \(end)
                """)
            chmod(path, 0o755)
            return path
        }

        var output: String { TestFile.text(folder / "out") ?? "" }
    }

    @Test func theDefaultApplicationComesFirst() async {
        await #expect(processExitsWith: .success) {
            let desk = Desk()
            defer { withExtendedLifetime(desk) {} }
            desk.add("one", desk.program("run") + " %F")
            desk.add("two", desk.program("run") + " %F")
            desk.add("gone", "no-such-program-of-vitrine %F")
            desk.register(["two", "one", "gone"])
            guard case .applications(let all)? = desk.applications("image/png") else {
                Issue.record("no applications")
                return
            }
            #expect(all.map(\.identifier) == ["two.desktop", "one.desktop"])
            #expect(all.map(\.name) == ["Test two", "Test one"])
            #expect(all.map(\.icon) == ["icon-two", "icon-one"])
            #expect(desk.applications("image/x-unknown") == .applications([]))
        }
    }

    @Test func anApplicationOpensFiles() async {
        await #expect(processExitsWith: .success) {
            let desk = Desk()
            defer { withExtendedLifetime(desk) {} }
            desk.add("one", desk.program("run") + " --open %U")
            #expect(desk.launch("one", ["/a b.png", "/c.png"], token: "tok") == .done)
            #expect(desk.wait { !desk.output.isEmpty })
            #expect(desk.output == "--open\nfile:///a%20b.png\nfile:///c.png\ntoken tok tok\n")
        }
    }

    @Test func anApplicationThatDoesNotStartHasAMessage() async {
        await #expect(processExitsWith: .success) {
            let desk = Desk()
            defer { withExtendedLifetime(desk) {} }
            desk.add("fails", desk.program("bad", then: "echo 'no display' >&2; exit 7") + " %F")
            let plain = desk.folder.file("plain", "no program")
            desk.add("plain", plain + " %F")
            desk.add("terminal", desk.program("run") + " %F", "Terminal=true")
            desk.add("single", desk.program("run") + " %f")
            desk.add("late", desk.program("late") + " %F")
            desk.add("open-quote", desk.program("run") + " \"%f")
            #expect(
                desk.launch("fails", ["/a"])
                    == .failed("Test fails: it ended with code 7: no display"))
            #expect(
                desk.launch("no-such", ["/a"])
                    == .failed("the application “no-such.desktop” is not installed"))
            // GIO takes an entry whose program cannot be executed for one that is not installed.
            guard case .failed? = desk.launch("plain", ["/a"]) else {
                Issue.record("a plain file was executed")
                return
            }
            #expect(
                desk.launch("terminal", ["/a"])
                    == .failed("Test terminal runs in a terminal, which vitrine does not open"))
            #expect(
                desk.launch("single", (0..<17).map { "/\($0)" })
                    == .failed("Test single opens one file at a time: choose 16 at most"))
            guard case .failed? = desk.launch("open-quote", ["/a"]) else {
                Issue.record("a command without an end was executed")
                return
            }
            // A program that is removed after GIO has read its entry.
            unlink(desk.folder / "late")
            guard case .failed? = desk.launch("late", ["/a"]) else {
                Issue.record("no message")
                return
            }
        }
    }

    @Test func anApplicationOnTheBusOpensFiles() async throws {
        await #expect(processExitsWith: .success) {
            let bus = try PrivateBus()
            defer { withExtendedLifetime(bus) {} }
            let desk = Desk(address: bus.address)
            defer { withExtendedLifetime(desk) {} }
            // GIO notices entries that are added later by and by.
            desk.add("org.example.Test", "", "DBusActivatable=true")
            desk.add("org.example.Gone", "", "DBusActivatable=true")
            let script = "\(Binaries.package)/Tests/Shell/DesktopTests/Support/desktop-program"
            let calls = desk.folder / "calls.txt"
            _ = try bus.run(["/usr/bin/python3", script, "application", calls])
            #expect(desk.launch("org.example.Test", ["/a b"], token: "tok") == .done)
            let text = TestFile.text(calls) ?? ""
            #expect(text.contains("Open (['file:///a%20b']"))
            #expect(text.contains("'activation-token': 'tok'"))
            guard case .failed(let message)? = desk.launch("org.example.Gone", ["/a"]) else {
                Issue.record("no message")
                return
            }
            #expect(message.hasPrefix("the application “org.example.Gone” cannot be started: "))
        }
    }

    /// Without a file manager on the bus, the folder is opened by the application for folders.
    @Test func theFolderIsShownWithoutAFileManager() async {
        await #expect(processExitsWith: .success) {
            let bus = try PrivateBus(environment: ["XDG_DATA_DIRS=/nonexistent"])
            defer { withExtendedLifetime(bus) {} }
            let desk = Desk(address: bus.address)
            defer { withExtendedLifetime(desk) {} }
            var answer: DesktopAnswer?
            desk.services.showInFiles([FilePath("/pictures/a.png")], token: "tok") { answer = $0 }
            _ = desk.wait { answer != nil }
            #expect(answer == .failed("the desktop has no file manager"))
            desk.add("files", desk.program("run") + " %U")
            desk.register(["files"], for: "inode/directory")
            answer = nil
            // GIO notices new entries by and by.
            for _ in 0..<50 where answer != .done {
                answer = nil
                desk.services.showInFiles([FilePath("/pictures/a.png")], token: "tok") {
                    answer = $0
                }
                _ = desk.wait { answer != nil }
                usleep(100_000)
            }
            #expect(answer == .done)
            #expect(desk.wait { !desk.output.isEmpty })
            #expect(desk.output == "file:///pictures/\ntoken tok tok\n")
        }
    }
}
