import CompositorKit
import CoreTestKit
import SeededRandom
import Geometry
import Glibc
import Input
import TestKit
import Testing
import WaylandServer

extension LiveTests {
    /// The program with `--kiosk`: what a visitor can do, and how the staff gets out.
    @Suite struct KioskTests {
        private static func stage(
            _ options: [String] = [], count: Int = 3, onGrid: Bool = false
        ) throws -> Stage {
            try Stage.shown(
                options: ["--kiosk"] + options,
                pictures: Array(repeating: Stage.small, count: count), onGrid: onGrid)
        }

        @Test func visitorsDoNotGetOut() throws {
            let stage = try Self.stage()
            #expect(try stage.window.isFullscreen)
            stage.untilSeen()
            #expect(stage.compositor.idleInhibitors == 1)
            #expect(stage.compositor.inhibitedSeats == [0])
            stage.press("q", "Escape", "f", "F11", "o", "question", "i", "s", "Menu")
            stage.play { $0.withControl { $0.key("q") } }
            // A throw, a long press, and the close button of the compositor.
            stage.play { hand in
                hand.touch([1: (320, 150)])
                hand.move([1: (330, 390)], in: 80)
                hand.lift(1)
                hand.rest(800)
                hand.touch([1: (320, 200)])
                hand.rest(900)
                hand.lift(1)
            }
            try stage.window.close()
            stage.untilSeen()
            #expect(stage.exitCode == nil)
            #expect(try stage.window.isFullscreen)
            let last = try stage.last
            #expect(last.numbers("image").count == 2 && last.phase == "idle")
            #expect(!last.line.contains("\"menu\":true") && !last.line.contains("\"help\":true"))
            // Looking at pictures is allowed.
            stage.press("space")
            #expect(try stage.last.index == 1)
            stage.playExitGesture()
            #expect(stage.untilEnded() == 0)
            #expect(stage.compositor.violations == [])
        }

        @Test func theGridIsNotLeft() throws {
            let stage = try Self.stage(onGrid: true)
            stage.press("Escape", "q")
            stage.play { $0.tap(60, 60) }
            #expect(try !stage.last.showsGrid)
            stage.press("Escape", "Escape")
            #expect(try stage.last.showsGrid)
            // A long press selects nothing.
            stage.play { hand in
                hand.touch([1: (60, 60)])
                hand.rest(900)
                hand.lift(1)
            }
            #expect(try stage.last.line.contains("\"selection\":0"))
            #expect(stage.exitCode == nil)
            stage.playExitGesture()
            #expect(stage.untilEnded() == 0)
        }

        @Test func theCodeIsTypedByTouch() throws {
            let stage = try Self.stage(["--set", "kiosk.pin=13"])
            stage.playExitGesture()
            #expect(stage.exitCode == nil)
            let size = try #require(try stage.window.configures.last?.size)
            // The keys are squares of up to 72 logical pixels with 8 between them, below two rows.
            let step = min(72, (size.height - 112) / 4 - 8) + 8
            let keys = ["1": (-1.0, 0.0), "3": (1, 0), "OK": (1, 3)]
            func tap(_ name: String) {
                let (column, line) = keys[name] ?? (0, 0)
                let top = (size.height - 96 - 4 * step) / 2 + 96
                stage.play { hand in
                    hand.tap(size.width / 2 + column * step, top + (line + 0.5) * step)
                    hand.rest(200)
                }
            }
            for name in ["1", "OK"] { tap(name) }
            #expect(stage.exitCode == nil)
            for name in ["1", "3", "OK"] { tap(name) }
            #expect(stage.untilEnded() == 0)
        }

        @Test func attractPlaysAndATouchEndsIt() throws {
            let stage = try Self.stage(
                [
                    "--set", "kiosk.attract=5", "--set", "slideshow.interval=2",
                    "--set", "kiosk.restart=40",
                ])
            stage.compositor.run(seconds: 6)
            stage.until { $0.line.contains("\"slideshow\":{\"on\":true") }
            stage.until { $0.index == 2 }
            stage.play { $0.tap(320, 200) }
            #expect(try !stage.last.line.contains("\"slideshow\""))
            stage.playExitGesture()
            #expect(stage.untilEnded() == 0)
        }

        private static let plays = "\"slideshow\":{\"on\":true"

        /// Expects that a slideshow plays and goes on, and ends the program by the exit gesture.
        private static func expectSlidesUntilTheExit(_ stage: Stage) throws {
            #expect(try stage.last.line.contains(plays) && !stage.last.showsGrid)
            let index = try stage.last.index
            stage.until { $0.index != index }
            stage.playExitGesture()
            #expect(stage.untilEnded() == 0)
        }

        /// The start screen is the grid, which comes back while the slideshow plays.
        @Test func attractGoesOnAfterTheRestart() throws {
            let stage = try Self.stage(
                [
                    "--set", "kiosk.attract=5", "--set", "kiosk.restart=12",
                    "--set", "slideshow.interval=2", "--set", "slideshow.transition=cut",
                ], onGrid: true)
            stage.play { $0.tap(60, 60) }
            stage.compositor.run(seconds: 6)
            #expect(try stage.last.line.contains(Self.plays))
            // Well after the restart.
            stage.compositor.run(seconds: 12)
            try Self.expectSlidesUntilTheExit(stage)
        }

        /// The start screen shows pictures that are decoded already.
        @Test func theStartScreenComesBackWithItsPicture() throws {
            let stage = try Self.stage(["--set", "kiosk.restart=5"])
            stage.press("space")
            #expect(try stage.last.index == 1)
            stage.until { $0.index == 0 && $0.numbers("image").count == 2 }
            stage.press("space")
            stage.until { $0.index == 1 && $0.numbers("image").count == 2 }
            stage.playExitGesture()
            #expect(stage.untilEnded() == 0)
        }

        @Test func theSlideshowComesBackFromTheGrid() throws {
            let stage = try Self.stage(["--slideshow", "2", "--set", "slideshow.resume=5"])
            stage.until { $0.index == 1 }
            stage.press("g")
            stage.untilSeen()
            #expect(try stage.last.showsGrid)
            // Somebody looks at a picture of the grid, too.
            stage.compositor.run(seconds: 3)
            stage.press("Right", "Return")
            stage.compositor.run(seconds: 3)
            #expect(try !stage.last.line.contains(Self.plays) && !stage.last.showsGrid)
            stage.press("g")
            stage.compositor.run(seconds: 2)
            #expect(try stage.last.showsGrid)
            stage.compositor.run(seconds: 5)
            try Self.expectSlidesUntilTheExit(stage)
        }

        /// A supervisor tells a signal from the exit gesture.
        @Test func aSignalIsNoExitOfTheStaff() throws {
            let stage = try Stage.shown(in: .program, options: ["--kiosk"])
            try stage.program.terminate()
            #expect(stage.untilEnded() == 128 + SIGTERM)
            #expect(stage.compositor.violations == [])
        }

        @Test func nothingPlaysUnderADarkScreen() throws {
            let stage = try Stage(
                options: [
                    "--kiosk", "--slideshow", "1", "--set", "slideshow.transition=cut",
                    "--set", "kiosk.dark=00:00-24:00", "--set", "kiosk.wake=5",
                    "--set", "kiosk.restart=20",
                ], pictures: Array(repeating: Stage.small, count: 3))
            stage.compositor.run(seconds: 5)
            #expect(try !stage.last.line.contains(Self.plays) && stage.last.index == 0)
            stage.play { $0.tap(320, 200) }
            stage.until { $0.line.contains(Self.plays) && $0.index == 2 }
            // The screen goes off, and later the start screen comes back.
            stage.compositor.run(seconds: 30)
            #expect(try !stage.last.line.contains(Self.plays))
            stage.play { $0.tap(320, 200) }
            stage.until { $0.line.contains(Self.plays) && $0.index == 1 }
            stage.playExitGesture()
            #expect(stage.untilEnded() == 0)
        }

        @Test func aMessageSwitchesTheScreenUntilATouch() throws {
            let stage = try Stage.shown(
                in: .program, options: ["--kiosk"], pictures: [Stage.small, Stage.small])
            // A screen that a program before had left off comes on.
            let output = try #require(stage.compositor.outputs.first?.resources.first)
            try stage.surface.resource.enter(output: output)
            stage.compositor.run(seconds: 10) { stage.compositor.screenSwitches != [] }
            #expect(stage.compositor.screenSwitches == [true])
            let peer = try MessagePeer(stage)
            peer.send(#"{"command":"watch"}"#)
            let first = peer.line() ?? ""
            #expect(first.contains(#""screen":true,"touched":null"#), "\(first)")
            stage.expectDone("screen", "off")
            #expect(stage.compositor.screenSwitches == [true, false])
            #expect(stage.compositor.idleInhibitors == 0)
            #expect(peer.line()?.contains(#""screen":false"#) == true)
            // As in Sway, the surface leaves an output that is off.
            try stage.surface.resource.leave(output: output)
            stage.play { $0.tap(320, 200) }
            stage.untilSeen()
            #expect(stage.compositor.screenSwitches == [true, false, true])
            try stage.surface.resource.enter(output: output)
            #expect(try stage.last.index == 0)
            #expect(stage.compositor.idleInhibitors == 1)
            // The screen is not left off.
            stage.expectDone("screen", "off")
            stage.expectDone("quit")
            #expect(stage.untilEnded() == 0)
            #expect(stage.compositor.screenSwitches == [true, false, true, false, true])
            #expect(stage.compositor.violations == [])
        }

        /// The compositor asks for no more frames once the screen is off.
        @Test func watchersHearOfAScreenThatGoesOffInMotion() throws {
            let stage = try Stage.shown(
                in: .program, options: ["--kiosk"], pictures: [Stage.small, Stage.small])
            let peer = try MessagePeer(stage)
            peer.send(#"{"command":"watch"}"#)
            #expect(peer.line()?.contains(#""screen":true"#) == true)
            try stage.compositor.play(
                "0 touch down 1 300 200\n0 touch frame\n8 touch move 1 330 200\n8 touch frame\n9 end"
            )
            stage.compositor.setup.frames = .never
            #expect(stage.message("screen", "off").status == 0)
            var line = peer.line()
            while let other = line, !other.contains(#""screen":false"#) { line = peer.line() }
            #expect(line != nil)
            stage.compositor.setup.frames = .paced(hertz: 60)
            try stage.surface.finishFrame()
            try stage.compositor.play("0 touch up 1\n0 touch frame\n500 end")
            stage.playExitGesture()
            #expect(stage.untilEnded() == 0)
        }

        /// A stick with a picture, one in a subfolder, and links to pictures of the user.
        @Test(.enabled(if: geteuid() == 0, "only root can mount a medium"))
        func aMediumIsShownUntilItIsPulled() throws {
            let folder = TemporaryFolder()
            for name in ["media", "media/STICK"] { folder.folder(name) }
            let secret = folder.file("secret.png", Stage.large)
            let stage = try Stage.shown(
                in: .program, options: ["--kiosk", "--set", "kiosk.media=\(folder / "media")"],
                pictures: [Stage.small, Stage.small], environment: ["XDG_STATE_HOME=\(folder.path)"]
            )
            let stick = folder / "media/STICK"
            try #require(
                ChildProcess.run(["mount", "-t", "tmpfs", "vitrine", stick]).status == 0)
            defer { _ = ChildProcess.run(["umount", "-l", stick]) }
            let isOffered = (0..<20).contains { _ in
                stage.compositor.run(seconds: 0.1)
                return stage.message("ui").output.contains("Show the pictures")
            }
            #expect(isOffered)
            folder.folder("media/STICK/DCIM")
            TestFile.write(Stage.large, to: stick + "/DCIM/0.png")
            TestFile.write(Stage.large, to: stick + "/1.png")
            // Small pictures and new files have no thumbnails in the cache in any case.
            _ = ChildProcess.run(
                ["touch", "-d", "2020-01-01", stick + "/DCIM/0.png", stick + "/1.png"])
            symlink(secret, stick + "/2.png")
            symlink(folder.path, stick + "/all")
            stage.press("Return")
            stage.until { $0.showsGrid && $0.line.contains("\"count\":2,") }
            stage.compositor.run(seconds: 1)
            #expect(try stage.last.line.contains("\"count\":2,"))
            // Nothing is written: neither to the stick nor thumbnails of its pictures.
            let names = ChildProcess.run(["find", stick, "-type", "f"]).output
            #expect(names.split(separator: "\n").count == 2)
            let cached = ChildProcess.run(["find", stage.folder / "cache", "-name", "*.png"]).output
            #expect(cached == "")
            // Nor is the place of a slideshow remembered.
            stage.expectDone("slideshow", "1")
            stage.until { !$0.showsGrid && $0.line.contains("\"slideshow\"") && $0.index == 1 }
            stage.expectDone("slideshow", "off")
            let places = ChildProcess.run(["find", folder / "vitrine/slideshow", "-type", "f"])
            #expect(places.output == "")
            _ = ChildProcess.run(["umount", "-l", stick])
            stage.until { $0.index == 0 && !$0.showsGrid && $0.numbers("image").first == 320 }
            stage.expectDone("quit")
            #expect(stage.untilEnded() == 0)
        }

        /// Units start a kiosk again unless it ends with 0.
        @Test func aKioskThatNeverShowedAPictureIsLeftForGood() throws {
            let stage = try Stage(
                in: .program, options: ["--kiosk"], pictures: [Array("not a picture".utf8)])
            stage.until { $0.line.contains("\"image\":null") }
            stage.expectDone("quit")
            #expect(stage.untilEnded() == 0)
        }

        /// Otherwise a folder whose files come and go would fill the disk.
        @Test(arguments: [true, false])
        func thumbnailsOfFilesThatAreGoneAreRemovedFromTheDiskOfAKiosk(_ isKiosk: Bool) throws {
            let folder = TemporaryFolder()
            let names = (0..<2).map { folder.file("\($0).png", Stage.large) }
            _ = ChildProcess.run(["touch", "-d", "2020-01-01"] + names)
            let stage = try Stage(
                in: .program, options: (isKiosk ? ["--kiosk"] : []) + [folder.path], pictures: [])
            func cached() -> Int {
                let found = ChildProcess.run(["find", stage.folder / "cache", "-name", "*.png"])
                return found.output.split(separator: "\n").count
            }
            func untilCached(_ count: Int) {
                let isReached = (0..<100).contains { _ in
                    stage.compositor.run(seconds: 0.1)
                    return cached() == count
                }
                #expect(isReached, "\(cached())")
            }
            untilCached(2)
            unlink(names[0])
            stage.until { $0.line.contains("\"count\":1,") }
            if isKiosk { untilCached(1) } else { stage.compositor.run(seconds: 0.5) }
            #expect(cached() == (isKiosk ? 1 : 2))
            stage.expectDone("quit")
            #expect(stage.untilEnded() == 0)
        }

        private static func number(_ name: String) -> Int? {
            getenv(name).flatMap { Int(String(cString: $0)) }
        }

        /// The most events for one viewer: the test keeps all its frames.
        private static let most = 50_000

        /// A few thousand random events; `VITRINE_MONKEY` is another number, for `meson-helpers/check/monkey`.
        @Test(arguments: [false, true])
        func noRandomEventLeadsOut(onGrid: Bool) throws {
            var rest = (Self.number("VITRINE_MONKEY") ?? 4000) / 2
            var seed: UInt64 = onGrid ? 1 : 0
            var (events, frames) = (0, 0)
            while rest > 0 {
                let stage = try Self.play(seed, min(rest, Self.most), onGrid: onGrid)
                (seed, frames) = (seed + 2, frames + stage.trace.count)
                let count = min(rest, Self.most)
                (events, rest) = (events + count, rest - count)
            }
            print("\(events) events \(onGrid ? "from the grid on" : ""), \(frames) frames")
        }

        /// The names, sizes and times of the pictures.
        private static func pictures(_ stage: Stage) -> String {
            let pictures = [stage.folder.path, "-name", "*.png", "-not", "-path", "*/cache/*"]
            return ChildProcess.run(["find"] + pictures + ["-printf", "%P %s %T@\n"]).output
        }

        /// Plays at least `count` events to a viewer, which is where it should be at the end.
        private static func play(_ seed: UInt64, _ count: Int, onGrid: Bool) throws -> Stage {
            var setup = Setup()
            setup.checksPixels = false
            let stage = try Stage.shown(
                setup,
                options: ["--kiosk", "--set", "kiosk.pin=271828", "--set", "kiosk.attract=20"],
                pictures: Array(repeating: Stage.small, count: 9), onGrid: onGrid)
            let files = pictures(stage)
            let size = try #require(try stage.window.configures.last?.size)
            var hand = RandomHand(SeededGenerator(seed: seed), on: size)
            var played = 0
            while played < count, stage.exitCode == nil {
                let script = hand.script(of: 500)
                stage.compositor.play(script)
                played += script.entries.count
                let window = try stage.window
                try #require(window.isFullscreen && !window.isMinimized && !window.isMaximized)
                try #require(window.moves == 0 && window.menus == [] && window.resizes == [])
            }
            try #require(stage.exitCode == nil, "seed \(seed)")
            // No file was written, moved or removed, and nothing was copied.
            try #require(pictures(stage) == files, "seed \(seed)")
            try #require(stage.compositor.data.requests == [])
            for frame in stage.trace {
                let line = frame.line
                let shown = ["menu", "help", "info", "settings"].first {
                    line.contains("\"\($0)\":true")
                }
                try #require(shown == nil, "seed \(seed): \(line)")
                let selects =
                    line.contains("\"selection\":") && !line.contains("\"selection\":0")
                try #require(!selects, "seed \(seed): \(line)")
            }
            try #require(stage.compositor.violations == [])
            return stage
        }
    }
}

extension Stage {
    /// Plays the gesture that leads out of a kiosk: four taps in a corner, and a fifth that is held.
    func playExitGesture() {
        play { hand in
            for _ in 0..<4 {
                hand.tap(10, 10)
                hand.rest(150)
            }
            hand.touch([1: (10, 10)])
            hand.rest(2200)
            hand.lift(1)
        }
    }
}
