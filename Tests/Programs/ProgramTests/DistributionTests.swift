import ImageTypes
import TestKit
import Testing

/// The man page and the completion name all options and settings of the program, and the desktop
/// entry names all formats.
@Suite struct DistributionTests {
    private static let folder = Binaries.package + "/Sources/Distribution/"

    /// A text without the man page's escapes.
    private static func text(_ name: String) -> String {
        String(decoding: TestFile.read(folder + name) ?? [], as: UTF8.self).replacing(
            "\\", with: "")
    }

    /// Whole words, so that `--shot` is not found in `--shot-at`; settings as `name=`.
    private static func words(_ text: String) -> Set<Substring> {
        Set(
            text.split {
                !$0.isLetter && !$0.isNumber && !"-_.=".contains($0)
            }.map { $0.hasSuffix(".") ? $0.dropLast() : $0 })
    }

    private let page = words(text("vitrine.1"))
    private let completion = words(text("completions/vitrine.bash"))

    /// The settings file that `--print-config` prints has every setting.
    @Test func everySettingIsDocumented() {
        var table = ""
        var count = 0
        for line in Binaries.vitrine(["--print-config"]).output.split(separator: "\n") {
            if line.hasPrefix("[") { table = line.dropFirst().dropLast() + "." }
            let parts = line.split(separator: " ")
            guard parts.contains("="), let key = parts.first(where: { $0 != "#" }) else { continue }
            let name = table + key
            #expect(page.contains(Substring(name)), "the man page lacks \(name)")
            #expect(completion.contains("\(name)="), "the completion lacks \(name)=")
            count += 1
        }
        #expect(count > 30)
    }

    @Test func theDesktopEntryListsExactlyTheTypesOfAllFormats() throws {
        let lines = Self.text("io.github.vitrine_viewer.Vitrine.desktop").split(separator: "\n")
        let prefix = "MimeType="
        let line = try #require(lines.first { $0.hasPrefix(prefix) })
        let types = line.dropFirst(prefix.count).split(separator: ";").map(String.init)
        #expect(Set(types) == Set(PictureFormat.all.flatMap(\.mimeTypes)))
        #expect(Set(types).count == types.count)
    }

    @Test func everyOptionIsDocumented() {
        let words = Binaries.vitrine(["--help"]).output.split { " ,\n[]|".contains($0) }
        let options = Set(words.filter { $0.hasPrefix("--") })
        #expect(options.count > 15)
        for option in options {
            #expect(page.contains(option), "the man page lacks \(option)")
            #expect(completion.contains(option), "the completion lacks \(option)")
        }
    }
}
