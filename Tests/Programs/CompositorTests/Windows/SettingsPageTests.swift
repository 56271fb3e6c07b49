import CompositorKit
import Geometry
import Input
import TestKit
import Testing

extension LiveTests {
    /// The settings page by finger: what it shows, what it changes, and what the file has then.
    @Suite struct SettingsPageTests {
        private let folder = TemporaryFolder()

        private func stage(_ options: [String] = [], pictures: Int = 1) throws -> Stage {
            try Stage.shown(
                in: .program, options: options,
                pictures: Array(repeating: Stage.small, count: pictures),
                environment: ["XDG_CONFIG_HOME=\(folder.path)"])
        }

        private var config: String? { TestFile.text(folder / "vitrine/config.toml") }

        private func write(_ text: String) {
            folder.folder("vitrine")
            _ = folder.file("vitrine/config.toml", text)
        }

        /// Waits until the file is so.
        private func untilConfig(_ text: String, _ stage: Stage) {
            stage.compositor.run { config == text }
            #expect(config == text)
        }

        private func openByKey(_ stage: Stage) {
            stage.play { hand in
                hand.key("comma", .control)
                hand.rest(1000)
            }
        }

        /// Taps a widget by its name.
        private func tap(_ name: String, _ stage: Stage) throws {
            let point = try #require(stage.rect(of: name), "\(name)").center
            stage.play {
                $0.tap(point.x, point.y)
                $0.rest(500)
            }
        }

        /// Opens the menu by a long press, scrolls to its end, and taps the row.
        private func open(_ stage: Stage) throws {
            stage.play {
                $0.touch([1: (200, 60)])
                $0.rest(700)
            }
            stage.until { $0.showsMenu }
            stage.play {
                $0.lift(1)
                $0.rest(300)
                $0.touch([1: (320, 300)])
                $0.move([1: (320, 60)], in: 300)
                $0.lift(1)
                $0.rest(500)
            }
            try tap("Settings…", stage)
            #expect(try stage.last.showsSettings)
        }

        @Test func aFingerChangesASettingAtOnceAndInTheFile() throws {
            write("# mine\n[viewer] # looks\nwheel = \"zoom\" # by wheel\n")
            let stage = try stage()
            let width = try stage.last.numbers("rect")[2]
            try open(stage)
            // A finger scrolls the list.
            let before = try #require(stage.rect(of: "Colours"))
            stage.play {
                $0.touch([1: (200, 300)])
                $0.move([1: (200, 170)], in: 400)
                $0.rest(200)
                $0.lift(1)
                $0.rest(2500)
            }
            // Rows that are not visible are not in the tree.
            let after = stage.rect(of: "Colours")
            #expect(after.map { $0.y < before.y - 90 } ?? true, "\(before) \(after as Any)")
            try tap("Enlarge small pictures", stage)
            #expect(try stage.last.numbers("rect")[2] > width)
            untilConfig(
                "# mine\n[viewer] # looks\nwheel = \"zoom\" # by wheel\nenlarge = true\n", stage)
            try tap("Reset: Enlarge small pictures", stage)
            #expect(try stage.last.numbers("rect")[2] == width)
            untilConfig(
                "# mine\n[viewer] # looks\nwheel = \"zoom\" # by wheel\nenlarge = false\n", stage)
            let dialog = try #require(stage.rect(of: "Settings"))
            stage.play { $0.tap(dialog.maxX - 28, dialog.y + 28) }
            #expect(try !stage.last.showsSettings)
            try stage.expectGoodEnd()
        }

        /// Opens the keys, and taps the row of a command among the first ones.
        private func awaitKey(_ title: String, _ stage: Stage) throws {
            openByKey(stage)
            stage.press("End", "Return", "Down", "Down", "Down", "Down", "Down", "Down", "Down")
            try tap(title, stage)
            #expect(stage.message("ui").output.contains("Press a key, or Escape to cancel."))
        }

        @Test func aCommandGetsAKeyAtOnceAndInTheFile() throws {
            write("# mine\n[keys] # own\ncrop = \"F7\" # by hand\n")
            let stage = try stage()
            let width = try stage.last.numbers("rect")[2]
            try awaitKey("Zoom in", stage)
            // A key with a command is refused once, and named.
            stage.press("F7")
            let text = stage.message("ui").output
            #expect(text.contains("F7 is the key of “Crop and straighten”"))
            stage.press("F9")
            untilConfig(
                "# mine\n[keys] # own\ncrop = \"F7\" # by hand\nzoom-in = \"F9\"\n", stage)
            stage.press("Escape", "Escape")
            #expect(try !stage.last.showsSettings)
            stage.press("plus")
            stage.play { $0.rest(500) }
            #expect(try stage.last.numbers("rect")[2] == width)
            stage.press("F9")
            stage.play { $0.rest(500) }
            #expect(try stage.last.numbers("rect")[2] > width)
            // Back to the key of the table.
            openByKey(stage)
            stage.press("End", "Return", "Down", "Down", "Down", "Down", "Down", "Down", "Down")
            try tap("Reset: Zoom in", stage)
            untilConfig(
                "# mine\n[keys] # own\ncrop = \"F7\" # by hand\nzoom-in = \"default\"\n", stage)
            #expect(stage.rect(of: "Reset: Zoom in") == nil)
            try stage.expectGoodEnd()
        }

        /// A key that another command has in the file: both lines change, and comments stay.
        @Test func aKeyIsTakenInTheFile() throws {
            write("[keys]\ncrop = \"F7\" # by hand\n")
            let stage = try stage()
            try awaitKey("Zoom in", stage)
            stage.press("F7", "F7")
            untilConfig("[keys]\ncrop = [] # by hand\nzoom-in = \"F7\"\n", stage)
            stage.press("Escape", "Escape")
            let width = try stage.last.numbers("rect")[2]
            stage.press("F7")
            stage.play { $0.rest(500) }
            #expect(try stage.last.numbers("rect")[2] > width)
            try stage.expectGoodEnd()
        }

        /// Modifiers alone and a touch that the compositor takes leave the command waiting; a page that
        /// is closed does not.
        @Test func nothingElseIsTakenForAKey() throws {
            let stage = try stage()
            try awaitKey("Zoom in", stage)
            stage.press("Shift_L", "Control_L")
            stage.play {
                $0.touch([1: (200, 200)])
                $0.cancel()
                $0.rest(300)
            }
            #expect(stage.message("ui").output.contains("Press a key, or Escape to cancel."))
            stage.expectDone("do", "settings")
            stage.play { $0.rest(500) }
            #expect(try !stage.last.showsSettings)
            let width = try stage.last.numbers("rect")[2]
            stage.press("F9")
            stage.play { $0.rest(500) }
            #expect(try stage.last.numbers("rect")[2] == width && config == nil)
            try stage.expectGoodEnd()
        }

        /// Taps that are faster than the file: none is lost when the file is read again meanwhile.
        @Test func quickTapsAreAllCounted() throws {
            let stage = try stage()
            openByKey(stage)
            stage.press("End", "Up", "Up")
            let name = "More: Go on after the last touch"
            let point = try #require(stage.rect(of: name)).center
            for _ in 0..<8 {
                stage.play {
                    $0.tap(point.x, point.y, for: 40)
                    $0.rest(70)
                }
            }
            // From 10 s: 15, 20, 30, 60, 120, 300, 600, 1800.
            untilConfig("[slideshow]\nresume = 1800\n", stage)
            stage.play { $0.rest(400) }
            #expect(stage.message("ui").output.contains("\"description\":\"30 min\""))
            try stage.expectGoodEnd()
        }

        /// A change of the file while the page is open shows there, and so does what a menu has chosen.
        @Test func thePageFollowsTheFileAndTheMenus() throws {
            let stage = try stage()
            stage.press("b")
            openByKey(stage)
            #expect(try stage.last.showsSettings)
            stage.press("Down", "Down", "Down", "Down", "Down", "Down", "Down")
            let text = stage.message("ui").output
            let found = try #require(text.firstRange(of: "\"name\":\"Checkerboard\""))
            #expect(text[found.upperBound...].prefix(160).contains("\"checked\""))
            write("viewer.enlarge = true\n")
            stage.compositor.run { stage.rect(of: "Reset: Enlarge small pictures") != nil }
            #expect(stage.rect(of: "Reset: Enlarge small pictures") != nil)
            stage.press("Escape")
            try stage.expectGoodEnd()
        }

        @Test func whatTheCommandLineHasFixedIsDisabled() throws {
            let stage = try stage(["--set", "viewer.enlarge=true"])
            let width = try stage.last.numbers("rect")[2]
            openByKey(stage)
            #expect(stage.message("ui").output.contains("Set on the command line."))
            try tap("Enlarge small pictures", stage)
            #expect(try stage.last.numbers("rect")[2] == width && config == nil)
            try stage.expectGoodEnd()
        }

        /// Settings below a file where a folder should be: the page says that, and changes nothing.
        @Test func aPlaceThatCannotTakeTheFileDisablesThePage() throws {
            _ = folder.file("vitrine", "a file")
            let stage = try stage()
            openByKey(stage)
            stage.compositor.run {
                stage.message("ui").output.contains("config.toml cannot be changed: ")
            }
            try tap("Enlarge small pictures", stage)
            #expect(stage.rect(of: "Reset: Enlarge small pictures") == nil)
            stage.press("End", "Return", "Return", "F9")
            #expect(stage.rect(of: "Reset: Left") == nil)
            #expect(!stage.message("ui").output.contains("Press a key"))
            #expect(try stage.close() == 0)
        }

        /// A write that fails after all is said in a message.
        @Test func aFailedWriteIsSaid() throws {
            write("viewer = 1\n")
            let stage = try stage()
            openByKey(stage)
            try tap("Enlarge small pictures", stage)
            stage.until {
                $0.text("toast")
                    == "viewer.enlarge cannot be stored: config.toml has no place for it"
            }
            #expect(config == "viewer = 1\n")
            #expect(try stage.close() == 0)
        }

        @Test func aKioskHasThePageOnlyWhereItIsAllowed() throws {
            var stage = try stage(["--kiosk"])
            openByKey(stage)
            #expect(try !stage.last.showsSettings)
            stage.expectDone("quit")
            #expect(stage.untilEnded() == 0)
            stage = try self.stage(["--kiosk", "--set", "kiosk.allow=settings,quit"])
            openByKey(stage)
            #expect(try stage.last.showsSettings)
            #expect(stage.message("ui").output.contains("Changes last until the program ends."))
            let width = try stage.last.numbers("rect")[2]
            try tap("Enlarge small pictures", stage)
            #expect(try stage.last.numbers("rect")[2] > width && config == nil)
            stage.expectDone("quit")
            #expect(stage.untilEnded() == 0)
        }
    }
}

extension Stage {
    /// The rectangle of a widget of the interface, by its name; nil if it is not shown.
    fileprivate func rect(of name: String) -> Rect? {
        let text = message("ui").output
        guard let found = text.firstRange(of: "\"name\":\"\(name)\"") else { return nil }
        return TraceFrame.all(String(text[found.lowerBound...])).first?.rect
    }
}
