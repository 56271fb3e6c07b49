import TestKit
import Testing

/// The interface as assistive technology sees it, written by `--ui-at` and `--ui`.
@Suite struct InterfaceTreeTests {
    private let folder = TemporaryFolder()

    /// A key shows the bars, which leave again after three seconds.
    @Test func eachChangeIsALine() throws {
        let result = Binaries.vitrine([
            "--headless", "800x600", "--reduced-motion", "--script",
            folder.file("script.txt", "100 key Return\n5000 end\n"), "--ui", "-", "--ui-at",
            "1000:\(folder / "bars.json")",
            folder.file("card.png", TestPicture.card(200, 100).png()),
        ])
        #expect(result.errors == "" && result.status == 0)
        let lines = result.output.split(separator: "\n")
        #expect(lines.map { $0.contains(#""command":"help""#) } == [false, true, false])
        #expect(lines.first == lines.last)
        #expect(TestFile.text(folder / "bars.json") == lines.dropFirst().first.map { $0 + "\n" })
    }

    /// A tree that is written before the surface is resized stays that of its time.
    @Test func aResizeWritesNoTreeAnew() throws {
        let result = Binaries.vitrine([
            "--headless", "800x600", "--script",
            folder.file("script.txt", "500 resize 400x300\n900 end\n"), "--ui-at",
            "100:\(folder / "before.json")", "--ui-at", "700:\(folder / "after.json")",
            folder.file("card.png", TestPicture.card(200, 100).png()),
        ])
        #expect(result.errors == "" && result.status == 0)
        let before = try #require(TestFile.text(folder / "before.json"))
        let after = try #require(TestFile.text(folder / "after.json"))
        #expect(before.contains("[0,0,800,600]") && !before.contains("[0,0,400,300]"))
        #expect(after.contains("[0,0,400,300]"))
    }
}
