import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

/// Bad files and arguments: one line of error text, and the documented exit code.
@Suite struct BadInputTests {
    private let folder = TemporaryFolder()

    private func show(_ path: String) -> ChildProcess {
        Binaries.vitrine(["--headless", "320x200", "--trace", "-", path], seconds: 30)
    }

    private func expect(_ result: ChildProcess, _ status: Int32, _ message: String) {
        #expect(result.status == status)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.hasPrefix("vitrine: "))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test func pathsWithoutAFile() {
        expect(show(folder / "missing.jpg"), 1, "there is no such file")
        expect(show(folder.path), 1, "there is no picture in this folder")
        expect(show(folder.file("empty.jpg", "")), 1, "the file is empty")
        mkfifo(folder / "pipe.jpg", 0o600)
        expect(show(folder / "pipe.jpg"), 1, "is a pipe")
        expect(show("/dev/null"), 1, "is a device")
    }

    /// A library to which the decoder is linked is named, and nothing crashes.
    @Test func aMissingLibraryIsNamed() throws {
        _ = ChildProcess.run(["/bin/cp", Binaries.vitrine, folder.path])
        var decoder = try #require(TestFile.read(Binaries.decoder))
        // The dynamic linker looks for another library then.
        let (name, other) = (Array("libspng.so.0".utf8), Array("libspnX.so.0".utf8))
        let place = try #require(
            decoder.indices.dropLast(name.count).first {
                decoder[$0] == name[0] && decoder[$0..<$0 + name.count].elementsEqual(name)
            })
        decoder.replaceSubrange(place..<place + name.count, with: other)
        TestFile.write(decoder, to: folder / "vitrine-decode")
        chmod(folder / "vitrine-decode", 0o755)
        let picture = folder.file("a.png", TestPicture.card(16, 16).png())
        for arguments in [["--headless", "320x200", picture], ["formats"]] {
            let result = ChildProcess.run([folder / "vitrine"] + arguments)
            expect(result, 1, "the library libspnX.so.0 is missing")
        }
    }

    @Test func anInvalidScreenProfile() {
        let picture = folder.file("a.png", TestPicture.card(16, 16).png())
        func show(_ profile: String) -> ChildProcess {
            Binaries.vitrine([
                "--headless", "320x200", "--set", "decode.screen_profile=\(profile)", picture,
            ])
        }
        expect(show(folder / "missing.icc"), 1, "there is no such file")
        expect(show(picture), 1, "not a display ICC profile")
    }

    /// The test profile swaps red and blue.
    ///
    /// It applies to pictures that are decoded whole, in tiles, to the disk, and frame by frame.
    @Test(arguments: ["jpeg", "png", "apng"], [[], ["decode.parts_from_megapixels=1"]])
    func theScreenProfileAppliesToAllPictures(kind: String, settings: [String]) throws {
        let card = TestPicture.card(1600, 1200)
        let still = TestAnimation.Frame((200, 30, 30, 255), 1600, 1200, duration: 1000)
        let file =
            switch kind {
            case "jpeg": card.jpeg(quality: 95)
            case "png": card.png()
            default: TestAnimation.apng([still, still], loops: 0)
            }
        let profile = folder.file("screen.icc", TestProfile.swapped)
        let result = Binaries.vitrine(
            [
                "--headless", "320x200", "--script", folder.file("s.txt", "0 key 1\n900 end"),
                "--set", "decode.screen_profile=\(profile)", "--shot", folder / "shot.png",
            ] + settings.flatMap { ["--set", $0] } + [folder.file("picture", file)])
        #expect(result.status == 0 && result.errors == "")
        let (r, g, b) = try #require(Screenshot(folder / "shot.png")).color(20, 20)
        #expect(b > 180 && r < 70 && g < 70, "\(r) \(g) \(b)")
    }

    @Test func aFileWithoutPermission() {
        // Root may read everything, so another user runs the viewer.
        let path = folder.file("secret.jpg", TestPicture.card(16, 16).jpeg())
        chmod(path, 0)
        var command = [Binaries.vitrine, "--headless", "320x200", path]
        if getuid() == 0 {
            let tool = folder / "vitrine"
            _ = ChildProcess.run(["/bin/cp", Binaries.vitrine, Binaries.decoder, folder.path])
            command[0] = tool
            command =
                ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"] + command
        }
        expect(ChildProcess.run(command), 1, "permission denied")
    }

    @Test func filesThatAreNoPictures() {
        let text = show(folder.file("text.jpg", "just words\n"))
        expect(text, 1, "this is a text file, not a picture")
        // The message is also on the surface.
        #expect(TraceFrame.all(text.output).last?.text("message")?.contains("text file") == true)
        var huge = TestPicture.card(64, 64).png()
        // Width and height in the header, whose checksum becomes wrong.
        huge.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
        expect(show(folder.file("huge.png", huge)), 1, "60000 × 60000")
    }

    @Test func aTruncatedPictureIsShownWithAMessage() {
        let whole = TestPicture.photograph(400, 300).jpeg()
        let result = show(folder.file("cut.jpg", Array(whole.prefix(whole.count / 2))))
        expect(result, 0, "cut short")
        let frame = TraceFrame.all(result.output).first
        #expect(frame?.numbers("image") == [400, 300])
        #expect(frame?.text("message")?.contains("cut short") == true)
    }

    @Test func oneBadPictureAmongGoodOnes() {
        let good = folder.file("good.png", TestPicture.card(50, 40).png())
        let bad = folder.file("bad.png", "no")
        let script = folder.file("next.txt", "100 key Right\n200 key Right\n300 end")
        let result = Binaries.vitrine(
            ["--headless", "200x200", "--script", script, "--trace", "-", good, bad, good])
        #expect(result.status == 0)
        #expect(TraceFrame.all(result.output).last?.number("index") == 2)
        #expect(TraceFrame.all(result.output).last?.numbers("image") == [50, 40])
    }

    @Test func noCompositor() {
        let path = folder.file("card.png", TestPicture.card(8, 8).png())
        let result = Binaries.vitrine(
            [path], environment: ["XDG_RUNTIME_DIR=\(folder.path)", "PATH=/usr/bin:/bin"])
        expect(result, 1, "no Wayland compositor: No such file or directory")
    }

    /// An empty variable is none, and no descriptor of a socket.
    @Test func anEmptySocketIsNone() {
        let path = folder.file("card.png", TestPicture.card(8, 8).png())
        let result = Binaries.vitrine(
            [path],
            environment: [
                "XDG_RUNTIME_DIR=\(folder.path)", "PATH=/usr/bin:/bin", "WAYLAND_SOCKET=",
            ])
        expect(result, 1, "no Wayland compositor: No such file or directory")
    }

    /// Files and sockets of the program do not get the numbers of standard input, output and errors.
    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    func closedStandardDescriptors(closed: String) {
        let (good, bad) = (
            folder.file("card.png", TestPicture.card(8, 8).png()), folder.file("bad.png", "no")
        )
        let shot = folder / "shot.png"
        let command =
            "exec '\(Binaries.vitrine)' --headless 80x80 --shot '\(shot)' '\(good)' '\(bad)' \(closed)"
        let result = ChildProcess.run(["/bin/sh", "-c", command])
        #expect(result.status == 0, "\(result)")
        #expect(Screenshot(shot) != nil)
    }

    /// What follows two hyphens is a name.
    @Test func namesAfterTwoHyphens() throws {
        let picture = folder.file("-x.png", TestPicture.card(8, 8).png())
        let output = folder / "--help"
        let command =
            "cd '\(folder.path)' && exec '\(Binaries.thumbnailer)' -s 64 -- -x.png --help"
        let result = ChildProcess.run(["/bin/sh", "-c", command])
        #expect(result.status == 0, "\(result)")
        #expect(Screenshot(output)?.size == PixelSize(width: 8, height: 8), "\(picture)")
    }

    @Test(arguments: [
        (["--nonsense"], "unknown option --nonsense"),
        (["--headless", "12", "x"], "--headless takes"),
        (["--headless", "99999x2", "x"], "1 to 16384"), (["--script"], "needs a value"),
        (["--set", "viewer.dismiss=fly", "x"], "takes one of"),
        (["--set", "nothing=1", "x"], "is not a setting"),
        (["--fullscreen=yes", "x"], "takes no value"),
        (["--shot", "a.png", "x"], "--headless only"),
        (["--refresh", "nan", "x"], "--refresh takes"),
    ])
    func wrongArguments(_ arguments: [String], _ message: String) {
        expect(Binaries.vitrine(arguments), 2, message)
    }

    @Test func wrongScripts() {
        let path = folder.file("card.png", TestPicture.card(8, 8).png())
        let script = folder.file("bad.txt", "0 touch down 0 1 1\n5 touch dwon 0 1 1\n")
        expect(
            Binaries.vitrine(["--headless", "80x80", "--script", script, path]), 2, "line 2")
        expect(
            Binaries.vitrine(["--headless", "80x80", "--script", "/nonexistent", path]), 1,
            "there is no such file")
    }

    @Test func versionHelpAndFormats() {
        #expect(Binaries.vitrine(["--version"]).output.hasPrefix("vitrine "))
        #expect(Binaries.vitrine(["--help"]).output.contains("--headless"))
        let result = Binaries.vitrine(["formats"])
        // All libraries are installed: meson-helpers installs them for the build.
        #expect(result.status == 0 && result.errors == "")
        let formats = result.output.split(separator: "\n")
        #expect(formats.count == PictureFormat.all.count)
        #expect(formats[0].hasPrefix("JPEG\timage/jpeg\tjpg,"))
    }
}
