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

    /// A turn is written after a pause of one second on the clock of the script, or at its end: each run
    /// of a script shows the same frames, and leaves the same file.
    @Test(arguments: [
        ("300 key r\n3000 end", 1, true), ("300 key r\n400 end", 1, false),
        ("300 key r\n1200 key r\n1400 end", 2, false),
        ("300 key r\n2000 key r\n2100 key r\n3500 end", 3, true),
    ])
    func theEndOfAScriptWaitsForTurns(script: String, turns: Int, isSaid: Bool) throws {
        let folder = TemporaryFolder()
        let script = folder.file("script.txt", script)
        for (name, bytes) in [
            ("it.webp", try Self.animation(in: folder)),
            ("it.jpg", TestPicture.photograph(60, 40).jpeg(quality: 85)),
        ] {
            var (traces, files): (Set<String>, Set<[UInt8]>) = ([], [])
            for _ in 0..<4 {
                let path = folder.file(name, bytes)
                let result = Self.play(script, path, in: folder)
                #expect(result.status == 0 && result.errors == "")
                traces.insert(result.output)
                files.insert(TestFile.read(path) ?? [])
            }
            #expect(traces.count == 1 && files.count == 1 && files != [bytes], "\(name)")
            #expect(traces.first?.contains("turned and saved") == isSaid, "\(name)")
            let after = Self.play(folder.file("end.txt", "100 end"), folder / name, in: folder)
            let size = TraceFrame.all(after.output).last?.numbers("image")
            #expect(size == (turns % 2 == 1 ? [40, 60] : [60, 40]), "\(name)")
        }
    }

    private static func play(
        _ script: String, _ path: String, in folder: TemporaryFolder
    ) -> ChildProcess {
        Binaries.vitrine(
            [
                "--headless", "400x300", "--set", "files.save_turns=true", "--script", script,
                "--trace", "-", path,
            ], environment: ["HOME=\(folder.path)", "LANG=C.UTF-8"])
    }

    /// An animated WebP of 60 × 40 pixels.
    private static func animation(in folder: TemporaryFolder) throws -> [UInt8] {
        _ = folder.file("0.png", TestPicture.card(60, 40).png())
        _ = folder.file("1.png", TestPicture.photograph(60, 40).png())
        let made = ChildProcess.run([
            "bash", "-ec",
            """
            cd \(folder.path)
            for n in 0 1; do cwebp -quiet -lossless $n.png -o $n.webp; done
            webpmux -frame 0.webp +100 -frame 1.webp +100 -loop 0 -o it.webp
            """,
        ])
        try #require(made.status == 0, "\(made)")
        return TestFile.read(folder / "it.webp") ?? []
    }

    /// The format has no orientation, and a new file would have one of the pictures.
    @Test func aPictureOfSeveralIsNotTurnedIntoACopy() throws {
        let folder = TemporaryFolder()
        let pictures = [TestPicture.photograph(120, 80), TestPicture.photograph(60, 40)]
        let icon = TestICO.encode(pictures.map { $0.png() })
        let path = folder.file("two.ico", icon)
        let script = folder.file("script.txt", "300 key r\n4000 end\n")
        let result = Binaries.vitrine(
            ["--headless", "400x300", "--set", "files.save_turns=true", "--script", script, path],
            environment: ["HOME=\(folder.path)", "LANG=C.UTF-8"])
        #expect(result.status == 0)
        #expect(result.errors.contains("a turned copy would have only one of its pictures"))
        #expect(TestFile.read(folder / "two (turned).png") == nil)
        #expect(TestFile.read(path) == icon)
    }

    private static let make = """
        convert photo.png -profile swapped.icc tagged.png
        cjxl -d 0 -e 3 --container=1 tagged.png it.jxl 2>/dev/null
        convert photo.png -resize 40x tiny.jpg
        exiftool -q -overwrite_original -Artist=Ada '-ThumbnailImage<=tiny.jpg' it.jxl
        """
}
