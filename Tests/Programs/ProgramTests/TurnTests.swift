import TestKit
import Testing

/// Turns of real files, by keys.
@Suite struct TurnTests {
    /// JPEG XL with a profile in its codestream cannot be turned in place; the copy has no thumbnail.
    @Test func aTurnedCopySaysWhatItLacks() throws {
        let folder = TemporaryFolder()
        let bench = ["bash", "-ec", "cd \(folder.path); \(Self.make)"]
        _ = folder.file("photo.png", TestPicture.photograph(120, 80).png())
        _ = folder.file("swapped.icc", TestProfile.swapped)
        let made = ChildProcess.run(bench)
        try #require(made.status == 0, "\(made)")
        let script = folder.file("script.txt", "300 key r\n4000 end\n")
        let result = Binaries.vitrine(
            [
                "--headless", "400x300", "--set", "files.save_turns=true", "--script", script,
                "--trace", folder / "trace.txt", folder / "it.jxl",
            ], environment: ["HOME=\(folder.path)", "LANG=C.UTF-8"])
        #expect(result.status == 0, "\(result.errors)")
        let trace = TestFile.text(folder / "trace.txt") ?? ""
        #expect(trace.contains("saved as a copy"))
        #expect(trace.contains("; in the copy "), "\(trace.suffix(600))")
    }

    private static let make = """
        convert photo.png -profile swapped.icc tagged.png
        cjxl -d 0 -e 3 --container=1 tagged.png it.jxl 2>/dev/null
        convert photo.png -resize 40x tiny.jpg
        exiftool -q -overwrite_original -Artist=Ada '-ThumbnailImage<=tiny.jpg' it.jxl
        """
}
