import CLinux
import CompositorKit
import Geometry
import Glibc
import Motion
import TestKit
import Testing

extension LiveTests {
    /// `vitrine msg`, and the control socket of the program.
    @Suite struct MessageTests {
        private static func stage(_ options: String..., count: Int = 3) throws -> Stage {
            try Stage.shown(
                in: .program, options: options,
                pictures: Array(repeating: Stage.small, count: count))
        }

        @Test func aNewOrderBeginsAtItsTop() throws {
            let stage = try Stage.shown(
                in: .program, pictures: Array(repeating: Stage.small, count: 60), onGrid: true)
            stage.play { $0.key("End") }
            stage.until { $0.scroll.y > 100 && $0.phase == "idle" }
            stage.expectDone("set", "collection.descending", "true")
            stage.until { $0.scroll.y == 0 }
            try stage.expectGoodEnd()
        }

        @Test func messagesDoWhatTheySay() throws {
            let stage = try Self.stage()
            let state = stage.message("state")
            #expect(state.status == 0)
            #expect(state.output.hasSuffix(",\"fullscreen\":false,\"locked\":false}\n"))
            stage.expectDone("next")
            #expect(try stage.last.index == 1)
            stage.expectDone("goto", "3")
            stage.until { $0.index == 2 && $0.phase == "idle" }
            stage.expectDone("goto", "-3")
            stage.until { $0.index == 0 && $0.phase == "idle" }
            stage.expectDone("zoom", "1.5")
            stage.until { $0.number("zoom") == 1.5 && $0.phase == "idle" }
            stage.expectDone("zoom", "fit")
            stage.expectDone("rotate", "-90")
            stage.until { $0.number("rotation") == 270 && $0.phase == "idle" }
            stage.expectDone("grid")
            stage.until { $0.showsGrid && $0.phase == "idle" }
            stage.expectDone("next")
            stage.expectDone("viewer")
            stage.until { !$0.showsGrid && $0.index == 1 && $0.phase == "idle" }
            stage.expectDone("do", "information")
            stage.expectDone("do", "information")
            stage.expectDone("fullscreen", "on")
            #expect(stage.message("state").output.contains("\"fullscreen\":true"))
            stage.expectDone("fullscreen", "off")
            stage.expectDone("set", "viewer.enlarge", "true")
            stage.until { ($0.number("zoom") ?? 0) > 1 && $0.phase == "idle" }
            stage.expectDone("reload")
            stage.expectDone("slideshow", "0.5")
            #expect(stage.message("state").output.contains("\"slideshow\":{\"on\":true"))
            stage.until { $0.index == 2 }
            stage.expectDone("slideshow", "off")
            #expect(!stage.message("state").output.contains("slideshow"))
            stage.expectDone("open", stage.pictures[2])
            stage.until { $0.line.contains("card-3.png") && $0.phase == "idle" }
            stage.expectDone("quit")
            #expect(stage.untilEnded() == 0)
            #expect(stage.errors == "")
            #expect(stage.compositor.violations == [])
        }

        /// The viewer has other descriptors than the program that sends the message.
        @Test func messagesNameFilesOfThisComputer() throws {
            let stage = try Self.stage()
            stage.expectDone("open", "file://localhost\(stage.pictures[1])")
            stage.until { $0.line.contains("card-2.png") && $0.phase == "idle" }
            for argument in ["file://other.invalid/a.png", "https://example.org/a.png"] {
                let result = stage.message("open", argument)
                #expect(result.status == 2 && result.output == "")
                #expect(result.errors == "vitrine: \(argument): not a file of this computer\n")
            }
            let shot = stage.message("screenshot", "/dev/fd/3")
            #expect(shot.status == 2 && shot.output == "")
            let script = stage.folder.file("script.txt", "0 key End\n400 end\n")
            let arguments = [
                "/bin/sh", "-c", "\"$0\" msg --socket \"$1\" play /dev/stdin < \"$2\"",
                Binaries.vitrine, try stage.socket, script,
            ]
            let run = ThreadedRun.start { ChildProcess.run(arguments) }
            stage.compositor.run(seconds: 30) { run.isDone }
            #expect(run.value?.status == 0, "\(run.value?.errors ?? "")")
            try stage.expectGoodEnd()
        }

        @Test func aMissingFileIsNoFolder() throws {
            let stage = try Self.stage()
            let path = stage.folder / "missing.png"
            stage.expectDone("open", path)
            let reason = "\(path): there is no such file"
            var text = ""
            for _ in 0..<100 where !text.contains("there is no such file") {
                text = stage.message("ui").output
            }
            #expect(text.contains("there is no such file") && text.contains("No pictures here"))
            #expect(!text.contains("The folder cannot be read"))
            #expect(try stage.close() == 0)
            #expect(stage.errors == "vitrine: \(reason)\n")
        }

        @Test func errorsHaveExitCode1AndTheViewerGoesOn() throws {
            let stage = try Self.stage()
            for arguments in [
                ["dance"], ["goto"], ["goto", "9"], ["slideshow", "0"], ["do", "x"],
            ] {
                let result = stage.message(arguments)
                #expect(result.status == 1)
                #expect(result.output.hasPrefix("{\"error\":\""))
            }
            #expect(stage.message("hello").status == 0)
            try stage.expectGoodEnd()
            let gone = stage.message("state")
            #expect(gone.status == 1 && gone.output == "")
            #expect(
                gone.errors
                    == "vitrine: no viewer runs; start vitrine, or name its socket with --socket FILE\n"
            )
            #expect(Binaries.vitrine(["msg"]).status == 2)
        }

        /// A folder for sockets that is too deep, or is not there: viewer and `vitrine msg` say why.
        @Test(arguments: [true, false])
        func aSocketThatCannotBeMadeIsNoSecret(isDeep: Bool) throws {
            let folder = TemporaryFolder()
            let runtime = folder / (isDeep ? String(repeating: "d", count: 100) : "none")
            if isDeep { mkdir(runtime, 0o700) }
            let environment = ["XDG_RUNTIME_DIR=\(runtime)", "LANG=C.UTF-8"]
            let stage = try Stage.shown(in: .program, environment: environment)
            let result = Binaries.vitrine(["msg", "state"], environment: environment)
            #expect(result.status == 1 && result.output == "")
            let reason =
                isDeep ? "the path of a socket has at most 107 bytes" : "there is no such file"
            #expect(result.errors.contains(reason) && result.errors.contains(runtime))
            let number = "\(try stage.program.number)"
            let named = Binaries.vitrine(
                ["msg", "--pid", number, "state"], environment: environment)
            #expect(named.status == 1 && named.errors.contains("vitrine-\(number).sock"))
            _ = try stage.close()
            #expect(stage.errors.contains("vitrine msg cannot reach this viewer: \(runtime)"))
        }

        @Test func severalViewersHaveToBeChosenFrom() throws {
            let stage = try Self.stage()
            let other = stage.folder / "vitrine-1.sock"
            let listening = other.withCString { clinux_listen($0, 8) }
            defer { close(listening) }
            let result = stage.message("state")
            #expect(result.status == 1 && result.errors.contains(other))
            let number = "\(try stage.program.number)"
            #expect(stage.message("--pid", number, "hello").status == 0)
            #expect(stage.message("--socket", try stage.socket, "hello").status == 0)
        }

        @Test func theSocketIsPrivateAndRemoved() throws {
            let stage = try Self.stage()
            var status = stat()
            let path = try stage.socket
            #expect(lstat(path, &status) == 0 && status.st_mode == S_IFSOCK | 0o600)
            try stage.expectGoodEnd()
            #expect(lstat(path, &status) != 0)
        }

        @Test func theSocketIsWhereTheOptionSays() throws {
            let folder = TemporaryFolder()
            let path = folder / "here.sock"
            let stage = try Self.stage("--socket", path)
            #expect(stage.message("--socket", path, "hello").status == 0)
            #expect(access(try stage.socket, F_OK) != 0)
            try stage.expectGoodEnd()
            let none = try Self.stage("--no-socket")
            #expect(access(try none.socket, F_OK) != 0)
            try none.expectGoodEnd()
        }

        @Test func noFileOfAPersonIsTakenForASocket() throws {
            let folder = TemporaryFolder()
            let path = folder / "letter"
            TestFile.write(Array("x".utf8), to: path)
            let stage = try Stage(in: .program, options: ["--socket", path])
            #expect(stage.untilEnded() == 1)
            #expect(
                stage.errors
                    == "vitrine: \(path): it is not a socket of yours; choose another --socket\n")
            #expect(TestFile.text(path) == "x")
        }

        @Test func aScreenshotIsTheFrame() throws {
            let stage = try Self.stage()
            let path = stage.folder / "shot.png"
            TestFile.write(Array("old".utf8), to: path)
            stage.expectDone("screenshot", path)
            let picture = try #require(Screenshot(path))
            #expect(picture.size == PixelSize(width: 640, height: 400))
            let result = stage.message("screenshot", stage.folder / "no/shot.png")
            #expect(result.status == 1)
        }

        /// As any program writes: links are followed, the mode stays, a new file has that of the umask, and a
        /// pipe gets the bytes.
        @Test func aScreenshotIsWrittenAsAnyFile() throws {
            let stage = try Self.stage()
            func mode(_ path: String) -> mode_t {
                var status = stat()
                return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
            }
            let (file, link, new) = (
                stage.folder / "shot.png", stage.folder / "link.png", stage.folder / "new.png"
            )
            TestFile.write(Array("old".utf8), to: file)
            chmod(file, 0o664)
            symlink("shot.png", link)
            stage.expectDone("screenshot", link)
            var status = stat()
            #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
            #expect(Screenshot(file) != nil && mode(file) == 0o664)
            let mask = umask(0o022)
            umask(mask)
            stage.expectDone("screenshot", "--", new)
            #expect(Screenshot(new) != nil && mode(new) == 0o666 & ~mask)
            // A link to a file that is not there yet.
            let (dangling, later) = (stage.folder / "dangling.png", stage.folder / "later.png")
            symlink("later.png", dangling)
            stage.expectDone("screenshot", dangling)
            #expect(Screenshot(later) != nil)
            #expect(lstat(dangling, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
            let folder = stage.message("screenshot", stage.folder.path)
            #expect(folder.status == 1 && "\(folder)".contains("directory"), "\(folder)")
            let pipe = stage.folder / "pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            // Without a reader there is an error, and the next screenshot is made.
            #expect(stage.message("screenshot", pipe).status == 1)
            let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            defer { close(reader) }
            // Room for the whole picture, since nobody reads before the answer: F_SETPIPE_SZ.
            #expect(fcntl(reader, 1031, 1 << 20) > 0)
            stage.expectDone("screenshot", pipe)
            var start = [UInt8](repeating: 0, count: 4)
            #expect(
                read(reader, &start, 4) == 4
                    && start == Array("\u{89}PNG".unicodeScalars.map { UInt8($0.value) }))
            #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        }

        @Test func aScriptIsPlayedInRealTime() throws {
            let stage = try Self.stage()
            let script = stage.folder / "swipe.txt"
            let text =
                "0 touch down 1 500 200\n0 touch frame\n"
                + (1...10).map {
                    "\($0 * 20) touch move 1 \(500 - $0 * 30) 200\n\($0 * 20) touch frame\n"
                }
                .joined() + "210 touch up 1\n210 touch frame\n600 end\n"
            TestFile.write(Array(text.utf8), to: script)
            let start = stage.compositor.now
            stage.expectDone("play", script)
            #expect(stage.compositor.now.seconds(since: start) >= 0.6)
            stage.until { $0.index == 1 && $0.phase == "idle" }
            // A finger of a peer that goes away does not stay.
            var peer: MessagePeer? = try MessagePeer(stage)
            peer?.send(
                #"{"command":"play","arguments":["0 touch down 1 500 200\n0 touch frame\n50 touch move 1 300 200\n50 touch frame\n60000 end"]}"#
            )
            stage.until { $0.phase == "touching" }
            peer = nil
            stage.until { $0.phase == "idle" }
            try stage.expectGoodEnd()
        }

        @Test func aLockedViewerIgnoresInput() throws {
            let stage = try Self.stage()
            stage.expectDone("lock", "on")
            stage.press("space")
            stage.play { hand in
                hand.touch([1: (500, 200)])
                hand.move([1: (200, 200)], in: 150)
                hand.lift(1)
            }
            #expect(try stage.last.index == 0)
            #expect(stage.message("state").output.contains("\"locked\":true"))
            stage.expectDone("next")
            #expect(try stage.last.index == 1)
            stage.expectDone("lock", "off")
            stage.press("space")
            stage.until { $0.index == 2 && $0.phase == "idle" }
            try stage.expectGoodEnd()
        }

        @Test func watchersHearOfChanges() throws {
            let stage = try Self.stage()
            let peer = try MessagePeer(stage)
            let first = try #require(peer.ask(#"{"command":"watch"}"#))
            #expect(first.contains("\"index\":0") && first.contains("\"zoom\":1,"))
            stage.press("space")
            // The time of the input may change between the lines.
            func hears(_ text: String) -> Bool {
                (0..<4).contains { _ in peer.line()?.contains(text) ?? false }
            }
            #expect(hears("\"index\":1,\"count\":3,\"zoom\":1,"))
            stage.expectDone("lock", "on")
            #expect(hears("\"locked\":true"))
            stage.expectDone("quit")
            #expect(!hears("\"locked\":false"))
        }

        /// Messages without pause cost no frame and no input its time.
        @Test func aFloodDelaysNothing() throws {
            let stage = try Self.stage()
            let peers = try (0..<8).map { _ in try MessagePeer(stage) }
            let flood = String(repeating: #"{"command":"state"}"# + "\n", count: 100)
            stage.expectAnswers(seconds: 1) {
                let end = stage.compositor.now.advanced(byMilliseconds: 900)
                stage.compositor.repeat(hertz: 100) {
                    for peer in peers { peer.send(flood) }
                    return stage.compositor.now < end
                }
            }
            stage.press("space")
            stage.until { $0.index == 1 }
            try stage.expectGoodEnd()
        }

        @Test func connectionsLeaveNoDescriptors() throws {
            let stage = try Self.stage()
            func count() throws -> Int {
                ChildProcess.run(["ls", "/proc/\(try stage.program.number)/fd"]).output
                    .split(separator: "\n").count
            }
            _ = stage.message("hello")
            stage.compositor.run(seconds: 1)
            let before = try count()
            let path = try stage.socket
            var made = 0
            for _ in 0..<20 {
                // The system refuses connections while too many wait to be accepted.
                let peers = (0..<50).map { _ in path.withCString { clinux_connect($0) } }
                    .filter { $0 >= 0 }
                made += peers.count
                stage.compositor.run(seconds: 0.02)
                for peer in peers { close(peer) }
            }
            #expect(made > 200)
            #expect(stage.message("hello").status == 0)
            // Fewer than before if something was still being started then.
            #expect(
                stage.compositor.run(seconds: 5) { (try? count()).map { $0 <= before } ?? false })
            try stage.expectGoodEnd()
        }
    }
}
