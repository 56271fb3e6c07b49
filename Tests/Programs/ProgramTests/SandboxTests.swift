import Glibc
import TestKit
import Testing

/// The release build with a decoder that pictures can take over.
@Suite(.enabled(if: SandboxSupport.isWhole, "\(SandboxSupport.obstacle)"))
struct SandboxTests {
    private let folder = TemporaryFolder()

    /// Shows a picture that takes the decoder over, and then another one.
    @Test(arguments: [
        ("opens /etc/passwd", "the file is damaged: error \(ENOENT)"),
        ("opens-for-writing /tmp/vitrine-was-here", "the file is damaged: error \(EACCES)"),
        ("allocates", "the file is damaged: error \(ENOMEM)"),
        ("connects", "the decoder crashed"), ("forks", "the decoder crashed"),
        ("kills", "the decoder crashed"),
        ("talks-for-ever", "the decoder sent an invalid reply"),
        ("execs", "the decoder crashed"), ("spins", "the decoder made no progress"),
        ("writes-into-the-header 57 8 4096", "the decoder sent an invalid reply"),
    ])
    func aPictureThatTakesTheDecoderOverIsAnError(_ attack: String, _ message: String) throws {
        _ = ChildProcess.run(["/bin/cp", Binaries.vitrine, folder.path])
        _ = Binaries.hostileDecoder("vitrine-decode", in: folder)
        let hostile = folder.file("hostile.jpg", "HOSTILE \(attack)")
        let good = folder.file("good.png", TestPicture.card(50, 40).png())
        let script = folder.file("next.txt", "100 key Right\n1000 end")
        let shot = folder / "shot.png"
        let result = ChildProcess.run([
            folder / "vitrine", "--headless", "200x200", "--script", script, "--trace", "-",
            "--shot", shot, hostile, good,
        ])
        #expect(result.status == 0)
        #expect(result.errors.contains("hostile.jpg: \(message)"), "\(result.errors)")
        let frames = TraceFrame.all(result.output)
        #expect(frames.first?.text("message")?.contains(message) == true)
        let last = try #require(frames.last)
        #expect(last.number("index") == 1)
        #expect(last.numbers("image") == [50, 40])
        let pixels = try #require(Screenshot(shot))
        #expect(pixels.color(80, 85) != pixels.color(2, 2))
        #expect(access("/tmp/vitrine-was-here", F_OK) != 0)
    }

    /// A picture from a pipe is in memory of the viewer, which the decoder gets sealed and for reading.
    @Test func aPictureFromAPipeCannotBeWritten() {
        _ = ChildProcess.run(["/bin/cp", Binaries.vitrine, folder.path])
        _ = Binaries.hostileDecoder("vitrine-decode", in: folder)
        for (attack, code) in [("writes-into-the-picture", EBADF), ("maps-the-picture", EACCES)] {
            let result = ChildProcess.run(
                [folder / "vitrine", "--headless", "80x80", "-"],
                input: Array("HOSTILE \(attack)".utf8))
            #expect(
                result.errors.contains("the file is damaged: error \(code)"), "\(result.errors)")
        }
    }

    /// The decoder crashes before the finer tiles of a drawing, or between two frames.
    ///
    /// The pixels so far stay, a message reports missing detail, and the next picture is shown.
    @Test(arguments: [
        ("parts", ["hostile.jpg: no finer detail: the decoder crashed on this file"], 0x80),
        // The second frame.
        ("moves 2", [], 0x60),
    ])
    func aDecoderThatCrashesLaterLeavesItsPixels(
        _ attack: String, _ reported: [String], _ grey: Int
    ) throws {
        _ = ChildProcess.run(["/bin/cp", Binaries.vitrine, folder.path])
        _ = Binaries.hostileDecoder("vitrine-decode", in: folder)
        let hostile = folder.file("hostile.jpg", "HOSTILE \(attack)")
        let good = folder.file("good.png", TestPicture.card(50, 40).png())
        let result = ChildProcess.run([
            folder / "vitrine", "--headless", "400x400", "--script",
            folder.file(
                "next.txt", "0 key plus\n100 key plus\n200 key plus\n2000 key space\n3000 end"),
            "--trace", "-",
            "--shot-at", "1900:" + folder / "hostile.png", "--shot", folder / "good-shot.png",
            hostile, good,
        ])
        #expect(result.status == 0)
        let errors = result.errors.split(separator: "\n")
        #expect(errors.count == reported.count, "\(errors)")
        for (line, message) in zip(errors, reported) {
            #expect(line.hasSuffix(message), "\(errors)")
        }
        let shown = try #require(Screenshot(folder / "hostile.png"))
        #expect(shown.color(200, 200) == (grey, grey, grey))
        let last = try #require(TraceFrame.all(result.output).last)
        #expect(last.number("index") == 1 && last.numbers("image") == [50, 40])
        let pixels = try #require(Screenshot(folder / "good-shot.png"))
        #expect(pixels.color(185, 185) != pixels.color(2, 2))
    }

    @Test func theVersionListsTheSandboxMeasuresAndTheReader() {
        let plain = Binaries.vitrine(["--version"])
        #expect(plain.output.split(separator: "\n").count == 1)
        let lines = Binaries.vitrine(["--version", "--verbose"]).output.split(separator: "\n")
        #expect(lines.first.map { $0 + "\n" } == Substring(plain.output))
        let names = [
            "limits", "no new privileges", "namespaces", "PID namespace", "empty root",
            "no capabilities", "no dumps", "Landlock", "seccomp", "fast JPEG reader",
        ]
        #expect(lines.count == 1 + names.count)
        for (line, name) in zip(lines.dropFirst(), names) {
            #expect(
                line.hasPrefix("decoder: \(name): yes") || line.hasPrefix("decoder: \(name): no ("))
        }
    }

    /// One line for all decoders of a run; `decode.sandbox = required` shows no picture instead.
    @Test func aMissingMeasureIsReportedOnce() {
        _ = ChildProcess.run(["/bin/cp", Binaries.vitrine, folder.path])
        let decoder = Binaries.hostileDecoder("without-calls", in: folder)
        let script = folder.file("decoder", "#!/bin/sh\nexec \(decoder)\n")
        chmod(script, 0o755)
        rename(script, folder / "vitrine-decode")
        let good = folder.file("good.png", TestPicture.card(50, 40).png())
        func lines(_ options: [String]) -> [Substring] {
            ChildProcess.run([folder / "vitrine"] + options + ["--headless", "80x80", good, good])
                .errors.split(separator: "\n")
        }
        #expect(
            lines([]) == [
                "vitrine: pictures are decoded without a part of the sandbox (seccomp: no)"
            ])
        #expect(lines(["--log-level", "error"]) == [])
        // Nobody reads a warning of a kiosk.
        for options in [["--set", "decode.sandbox=required"], ["--kiosk"]] {
            let refused = lines(options)
            #expect(
                refused.first?.hasSuffix(
                    "good.png: the decoder has no seccomp, which decode.sandbox requires") == true,
                "\(refused)")
        }
        #expect(lines(["--kiosk", "--set", "decode.sandbox=wanted"]).count == 1)
    }
}
