import CompositorKit
import Glibc
import TestKit
import Testing

extension LiveTests {
    /// Settings files of a running viewer.
    @Suite struct SettingsTests {
        private let folder = TemporaryFolder()

        private func stage() throws -> Stage {
            try Stage.shown(
                Setup(), in: .program, pictures: [Stage.small],
                environment: ["XDG_CONFIG_HOME=\(folder.path)"])
        }

        private func write(_ text: String, _ name: String = "config.toml") {
            folder.folder("vitrine")
            folder.folder("vitrine/config.d")
            _ = folder.file("vitrine/\(name)", text)
        }

        @Test func theUsersFilesCountInTheirOrder() throws {
            write("viewer.enlarge = false\n")
            write("viewer.enlarge = true\n", "config.d/b.toml")
            write("viewer.enlarge = false\nnothing = 1", "config.d/a.toml")
            write("viewer.enlarge = false\n", "config.d/c.txt")
            let stage = try stage()
            #expect(try stage.last.numbers("rect")[2] > 384)
            let path = folder / "vitrine/config.d/a.toml"
            #expect(stage.errors.hasPrefix("vitrine: \(path):2: nothing: is not a setting"))
            #expect(try stage.close() == 0)
        }

        @Test func keysOfAPersonsOwnApplyAtOnce() throws {
            write("[keys]\none-to-one = \"w\"\n")
            let stage = try stage()
            stage.press("1")
            #expect(try !stage.last.showsHelp)
            stage.press("w", "question")
            #expect(try stage.last.showsHelp)
            stage.press("question")
            write("[keys]\nhelp = \"w\"\n")
            stage.compositor.run {
                stage.message("commands").output.contains(
                    "\"id\":\"help\",\"title\":\"Help\",\"keys\":{\"viewer\":[\"w\"]")
            }
            stage.press("w")
            #expect(try stage.last.showsHelp)
            try stage.expectGoodEnd()
        }

        @Test func aChangeAppliesAtOnceAndARemovedLineIsTheDefault() throws {
            let stage = try stage()
            let width = try stage.last.numbers("rect")[2]
            // The folder is new, too.
            write("viewer.enlarge = true\n")
            stage.until { $0.numbers("rect")[2] > width }
            write("# viewer.enlarge = true\n")
            stage.until { $0.numbers("rect")[2] == width }
            // By a rename, as editors write.
            _ = folder.file("new", "viewer.enlarge = true\n")
            rename(folder / "new", folder / "vitrine/config.toml")
            stage.until { $0.numbers("rect")[2] > width }
            try stage.expectGoodEnd()
        }
    }
}
