import CompositorKit
import Glibc
import Input
import TestKit
import Testing

extension LiveTests {
    /// Other programs of the desktop, asked by keys in the window of the program: a registered application,
    /// a file manager on a bus of the test, and neither.
    @Suite struct OtherProgramsTests {
        private let folder = TemporaryFolder()

        init() {
            for name in ["data", "data/applications", "empty"] { folder.folder(name) }
        }

        /// Registers an application that writes its arguments and its activation token to a file.
        private func register(_ name: String, exitCode: Int = 0) {
            let tool = folder.file(
                name,
                """
                #!/bin/sh
                printf '%s\\n' "$@" "token $XDG_ACTIVATION_TOKEN" > '\(folder / "part")'
                mv '\(folder / "part")' '\(folder / "record")'
                exit \(exitCode)
                """)
            chmod(tool, 0o755)
            _ = folder.file(
                "data/applications/\(name).desktop",
                """
                [Desktop Entry]
                Type=Application
                Name=The \(name)
                Exec=\(tool) --open %U
                MimeType=image/png;inode/directory;
                """)
            _ = folder.file(
                "data/applications/mimeinfo.cache",
                "[MIME Cache]\nimage/png=\(name).desktop;\ninode/directory=\(name).desktop;\n")
        }

        private func stage(bus: String? = nil) throws -> Stage {
            try Stage.shown(
                in: .program,
                environment: [
                    "XDG_DATA_HOME=" + folder / "data", "XDG_DATA_DIRS=" + folder / "empty",
                    "XDG_CONFIG_HOME=" + folder / "empty", "HOME=" + folder.path,
                    "DBUS_SESSION_BUS_ADDRESS=" + (bus ?? "unix:path=" + folder / "none"),
                ])
        }

        private var record: [Substring]? {
            TestFile.text(folder / "record")?.split(separator: "\n")
        }

        @Test func anApplicationOpensThePictureAndMayComeToTheFront() throws {
            register("editor")
            let stage = try stage()
            stage.press("o")
            #expect(stage.offers("The editor") && stage.offers("Other…"))
            stage.press("Return")
            stage.compositor.run { record != nil }
            #expect(record?.first == "--open")
            #expect(record?.dropFirst().first?.hasSuffix("/card.png") == true)
            #expect(record?.last == "token token")
            #expect(stage.compositor.violations == [])
        }

        @Test func anApplicationThatFailsIsReported() throws {
            register("editor", exitCode: 3)
            let stage = try stage()
            stage.press("o")
            #expect(stage.offers("The editor"))
            stage.press("Return")
            stage.compositor.run { stage.errors.contains("code 3") }
            #expect(stage.errors.contains("The editor: it ended with code 3"))
        }

        /// A command that is started for each picture shows how far it is, and can be stopped.
        @Test func aLongCommandShowsItsProgressAndIsStopped() throws {
            let command = "sleep 0.3; echo >>'\(folder / "runs")'"
            let settings = folder.file(
                "settings.toml",
                """
                [commands]
                slow = ["sh", "-c", "\(command)", "%f"]
                [command_keys]
                slow = "F6"
                """)
            let stage = try Stage.shown(
                in: .program, options: ["--config", settings],
                pictures: [[UInt8]](repeating: Stage.small, count: 12), onGrid: true)
            stage.play {
                $0.key("a", [.control])
                $0.rest(300)
                $0.key("F6")
                // The prompt with the progress takes the key; without one it would end the selection.
                $0.rest(1500)
                $0.key("Escape")
            }
            stage.compositor.run {
                (try? stage.last.text("toast")?.contains("stopped after")) == true
            }
            #expect(try stage.last.text("toast")?.contains("stopped after") == true)
            let runs = TestFile.text(folder / "runs")?.count ?? 0
            #expect((1..<12).contains(runs), "\(runs)")
            #expect(stage.compositor.violations == [])
        }

        /// Without a bus the usual application for folders shows the folder, or a message says why not.
        @Test func withoutABusOtherProgramsAreReported() throws {
            let stage = try stage()
            for (key, text) in [("e", "cannot be reached"), ("w", "cannot be reached")] {
                stage.press(key)
                stage.compositor.run { stage.errors.contains(text) }
                #expect(stage.errors.contains(text), "\(key): \(stage.errors)")
            }
            #expect(stage.exitCode == nil && stage.compositor.violations == [])
        }
    }
}

extension Stage {
    /// Whether the interface names `text`, as assistive technology sees it; waits for that.
    fileprivate func offers(_ text: String) -> Bool {
        for _ in 0..<100 where !message("ui").output.contains(text) { usleep(20_000) }
        return message("ui").output.contains(text)
    }
}
