import CompositorKit
import TestKit
import Testing

extension LiveTests {
    /// What a person chooses in the menus is in the settings file at the next start.
    @Suite struct ChosenSettingsTests {
        private let folder = TemporaryFolder()

        private func stage(_ options: [String] = []) throws -> Stage {
            try Stage.shown(
                in: .program, options: options, pictures: [Stage.small, Stage.small],
                environment: ["XDG_CONFIG_HOME=\(folder.path)"])
        }

        private var config: String? { TestFile.text(folder / "vitrine/config.toml") }

        private func write(_ text: String) {
            folder.folder("vitrine")
            _ = folder.file("vitrine/config.toml", text)
        }

        @Test func choicesAreStoredWithoutLosingComments() throws {
            write("# mine\n[viewer] # looks\nwheel = \"zoom\" # by wheel\n")
            var stage = try stage()
            stage.type("b", "k")
            try stage.expectGoodEnd()
            #expect(
                config == "# mine\n[viewer] # looks\nwheel = \"zoom\" # by wheel\n"
                    + "checkerboard = true\nkeep_zoom = true\n"
                    || config == "# mine\n[viewer] # looks\nwheel = \"zoom\" # by wheel\n"
                        + "keep_zoom = true\ncheckerboard = true\n",
                "\(config ?? "")")
            // The next run begins with that, and another choice takes the place of the first one.
            stage = try self.stage()
            stage.type("b")
            try stage.expectGoodEnd()
            #expect(config?.contains("checkerboard = false\n") == true)
            #expect(config?.contains("keep_zoom = true\n") == true)
        }

        @Test(arguments: [
            ["--kiosk", "--set", "kiosk.allow=checkerboard,keep-zoom,quit"],
            ["--set", "viewer.checkerboard=false", "--set", "viewer.keep_zoom=false"],
        ])
        func choicesForOneRunAreNotStored(_ options: [String]) throws {
            let stage = try stage(options)
            stage.type("b", "k")
            stage.expectDone("quit")
            #expect(stage.untilEnded() == 0)
            #expect(config == nil)
        }

        @Test func aRunWithSettingsOfItsOwnStoresNothing() throws {
            let stage = try stage(["--config", folder.file("own.toml", "")])
            stage.type("b")
            try stage.expectGoodEnd()
            #expect(config == nil)
        }

        /// Messages change the running viewer, not its user's settings.
        @Test func messagesAreNotStored() throws {
            let stage = try stage()
            stage.expectDone("set", "viewer.checkerboard", "true")
            stage.expectDone("do", "keep-zoom")
            try stage.expectGoodEnd()
            #expect(config == nil)
        }
    }
}
