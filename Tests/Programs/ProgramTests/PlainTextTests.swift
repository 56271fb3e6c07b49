import Geometry
import TestKit
import Testing

/// Text on a system without fonts.
@Suite struct PlainTextTests {
    private let folder = TemporaryFolder()

    /// The bar shows letters of patterns, and one message says why.
    @Test func withoutFontsTextsArePlain() throws {
        let fonts = folder.file(
            "fonts.conf",
            Array("<?xml version=\"1.0\"?><fontconfig></fontconfig>".utf8))
        let script = """
            0 touch down 0 200 150
            0 touch frame
            60 touch up 0
            60 touch frame
            500 key i
            900 end
            """
        let dark = TestPicture(size: PixelSize(width: 400, height: 300)) { _, _ in (20, 20, 20) }
        let result = Binaries.vitrine(
            [
                "--headless", "400x300", "--script", folder.file("script.txt", Array(script.utf8)),
                "--shot", folder / "last.png", folder.file("III.png", dark.png()),
            ], environment: ["FONTCONFIG_FILE=\(fonts)", "HOME=\(folder.path)"])
        #expect(result.status == 0)
        #expect(
            result.errors == "vitrine: texts are shown in plain letters: no fonts are installed\n")
        let shot = try #require(Screenshot(folder / "last.png"))
        // The three letters of the name, as columns with dots: a stem with a serif at each side.
        let columns = (54..<83).map { x in (8..<33).count { shot.color(x, $0).g > 170 } }
        let stems = columns.indices.filter { columns[$0] == columns.max() }
        let starts = stems.filter { !stems.contains($0 - 1) }
        #expect(starts.count == 3, "\(columns)")
        #expect(Set(zip(starts, starts.dropFirst()).map { $1 - $0 }) == [9], "\(columns)")
    }
}
