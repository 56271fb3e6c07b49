import CompositorKit
import Glibc
import TestKit
import Testing

extension LiveTests {
    /// The slideshow as a media player of the desktop (MPRIS), on a bus of the test.
    @Suite struct MediaTests {
        private static let bare = "org.mpris.MediaPlayer2.vitrine"

        /// A bus whose daemon ends with it.
        private final class SessionBus {
            let address: String
            private let daemon: RunningProcess

            init(in folder: TemporaryFolder) {
                let socket = folder / "bus"
                address = "unix:path=" + socket
                daemon = RunningProcess(
                    [
                        "/usr/bin/dbus-daemon", "--session", "--nofork", "--nosyslog",
                        "--address=" + address,
                    ], environment: ["PATH=/usr/bin:/bin"], errors: folder / "bus.errors",
                    passing: 2)
                var attempts = 0
                while access(socket, F_OK) != 0, attempts < 1000 {
                    attempts += 1
                    usleep(10_000)
                }
            }
        }

        /// The viewer, the bus, and what is run on it.
        private struct Scene {
            let folder = TemporaryFolder()
            let bus: SessionBus
            let stage: Stage

            init(_ options: String...) throws {
                bus = SessionBus(in: folder)
                stage = try Stage.shown(
                    in: .program, options: options,
                    pictures: Array(repeating: Stage.small, count: 3),
                    environment: ["DBUS_SESSION_BUS_ADDRESS=" + bus.address])
            }

            /// Runs a program on the bus while the viewer goes on.
            func run(_ arguments: [String]) -> ChildProcess {
                let environment = ["DBUS_SESSION_BUS_ADDRESS=" + bus.address, "PATH=/usr/bin:/bin"]
                let run = ThreadedRun.start {
                    ChildProcess.run(arguments, environment: environment)
                }
                stage.compositor.run(seconds: 60) { run.isDone }
                return run.value ?? ChildProcess.run(["false"])
            }

            func control(_ arguments: String...) -> String {
                let result = run(["playerctl"] + arguments)
                return String(
                    result.output.drop { $0.isNewline }.reversed().drop { $0.isNewline }.reversed())
            }

            func gdbus(_ arguments: String...) -> ChildProcess {
                run(
                    [
                        "gdbus", "call", "--session", "--dest", MediaTests.bare, "--object-path",
                        "/org/mpris/MediaPlayer2", "--method",
                    ] + arguments)
            }

            /// Waits until a program says what is expected.
            func until(
                _ arguments: String..., says text: String,
                sourceLocation: SourceLocation = #_sourceLocation
            ) {
                var last = ""
                for _ in 0..<100 {
                    last = run(["playerctl"] + arguments).output
                    if last.contains(text) { return }
                }
                #expect(last == text, sourceLocation: sourceLocation)
            }
        }

        @Test func thePlayerAppearsWithTheFirstSlideshow() throws {
            let scene = try Scene()
            #expect(scene.run(["playerctl", "-l"]).output == "")
            scene.stage.expectDone("slideshow", "30")
            scene.until("-l", says: "vitrine")
            #expect(scene.control("status") == "Playing")
            scene.stage.expectDone("slideshow", "off")
            scene.until("status", says: "Paused")
            scene.stage.expectDone("grid")
            scene.until("status", says: "Stopped")
            try scene.stage.expectGoodEnd()
        }

        @Test func playerctlControlsTheSlideshow() throws {
            let scene = try Scene("--slideshow", "60")
            let stage = scene.stage
            scene.until("status", says: "Playing")
            // The second picture has a thumbnail, and the first one has none.
            let uri = "file://" + stage.pictures[1]
            let digest = ChildProcess.run(["md5sum"], input: Array(uri.utf8)).output.prefix(32)
            for name in ["cache", "cache/thumbnails", "cache/thumbnails/large"] {
                stage.folder.folder(name)
            }
            let thumbnail = stage.folder.file("cache/thumbnails/large/\(digest).png", "x")
            #expect(scene.control("metadata", "mpris:artUrl") == "")
            _ = scene.control("next")
            stage.until { $0.index == 1 && $0.phase == "idle" }
            scene.until("metadata", "xesam:title", says: "card-2.png")
            #expect(
                scene.control("metadata", "xesam:url") == "file://" + stage.pictures[1])
            #expect(scene.control("metadata", "mpris:artUrl") == "file://" + thumbnail)
            #expect(scene.control("metadata", "mpris:length") == "60000000")
            _ = scene.control("previous")
            stage.until { $0.index == 0 && $0.phase == "idle" }
            _ = scene.control("pause")
            scene.until("status", says: "Paused")
            #expect(!stage.message("state").output.contains("slideshow"))
            _ = scene.control("play")
            scene.until("status", says: "Playing")
            _ = scene.control("play-pause")
            scene.until("status", says: "Paused")
            _ = scene.control("play")
            scene.until("status", says: "Playing")
            _ = scene.control("stop")
            scene.until("status", says: "Paused")
            #expect(scene.control("shuffle") == "Off")
            _ = scene.control("shuffle", "On")
            scene.until("shuffle", says: "On")
            #expect(
                stage.message("settings").output.contains(
                    "\"slideshow.order\",\"value\":\"shuffle\""))
            #expect(scene.gdbus("org.mpris.MediaPlayer2.Quit").status == 0)
            #expect(stage.untilEnded() == 0)
        }

        @Test func changesAreSignalled() throws {
            let scene = try Scene("--slideshow", "60")
            scene.until("status", says: "Playing")
            let follower = RunningProcess(
                [
                    "/bin/sh", "-c", "exec playerctl --follow metadata xesam:title >\"$0\"",
                    scene.folder / "titles",
                ], environment: ["DBUS_SESSION_BUS_ADDRESS=" + scene.bus.address],
                errors: scene.folder / "errors", passing: 2)
            defer { _ = follower }
            let titles = { TestFile.text(scene.folder / "titles") ?? "" }
            scene.stage.compositor.run(seconds: 30) { titles().contains("card.png") }
            scene.stage.expectDone("next")
            scene.stage.compositor.run(seconds: 30) { titles().contains("card-2.png") }
            #expect(titles() == "card.png\ncard-2.png\n")
        }

        @Test func twoViewersHaveNamesOfTheirOwn() throws {
            let scene = try Scene("--slideshow", "60")
            scene.until("-l", says: "vitrine")
            let other = try Stage.shown(
                in: .program, options: ["--slideshow", "60"], pictures: [Stage.small, Stage.small],
                environment: ["DBUS_SESSION_BUS_ADDRESS=" + scene.bus.address])
            var names = ""
            for _ in 0..<100 where names.split(separator: "\n").count < 2 {
                names = scene.run(["playerctl", "-l"]).output
                other.compositor.run(seconds: 0.05)
            }
            #expect(names.contains("vitrine.instance\(try other.program.number)"))
        }

        @Test func theSettingTurnsThePlayerOff() throws {
            let scene = try Scene("--slideshow", "60", "--set", "control.mpris=false")
            scene.stage.expectDone("next")
            #expect(scene.run(["playerctl", "-l"]).output == "")
            #expect(scene.gdbus("org.mpris.MediaPlayer2.Player.Next").status != 0)
        }

        // MARK: Kiosk

        @Test func mediaKeysMayDoWhatVisitorsMayDo() throws {
            let scene = try Scene("--kiosk", "--slideshow", "60")
            scene.until("status", says: "Playing")
            for call in ["Player.Pause", "Player.Stop", "Player.PlayPause"] {
                #expect(scene.gdbus("org.mpris.MediaPlayer2." + call).status == 0)
            }
            #expect(scene.gdbus("org.mpris.MediaPlayer2.Quit").status == 0)
            _ = scene.control("next")
            scene.stage.until { $0.index == 1 }
            #expect(scene.control("status") == "Playing")
            let all = scene.gdbus(
                "org.freedesktop.DBus.Properties.GetAll", "org.mpris.MediaPlayer2.Player"
            ).output
            #expect(all.contains("'CanPause': <false>") && all.contains("'CanGoNext': <true>"))
            // What the staff locks is locked for media keys, too.
            scene.stage.expectDone("lock", "on")
            _ = scene.control("next")
            scene.stage.expectDone("lock", "off")
            #expect(try scene.stage.last.index == 1)
            #expect(scene.stage.exitCode == nil)
        }

        // MARK: Hostile callers

        @Test func wrongTypesAreRefused() throws {
            let scene = try Scene("--slideshow", "60")
            scene.until("status", says: "Playing")
            let set = "org.freedesktop.DBus.Properties.Set"
            let player = "org.mpris.MediaPlayer2.Player"
            for arguments in [
                [player + ".Next", "1"], [player + ".Dance"], [player + ".Seek", "'x'"],
                [set, player, "Shuffle", "<'x'>"], [set, player, "Metadata", "<1>"],
                [set, player, "PlaybackStatus", "<'Stopped'>"], [set, "x.y", "z", "<1>"],
                ["org.freedesktop.DBus.Properties.Get", player, "Nothing"],
            ] {
                let result = scene.run(
                    [
                        "gdbus", "call", "--session", "--dest", Self.bare, "--object-path",
                        "/org/mpris/MediaPlayer2", "--method",
                    ] + arguments)
                #expect(result.status != 0, "\(arguments)")
            }
            for arguments in [
                [player + ".Seek", "5"], [player + ".SetPosition", "/x", "1"],
                [player + ".OpenUri", "file:///etc/passwd"], [set, player, "Volume", "<0.0>"],
                [set, player, "Rate", "<1e308>"], ["org.mpris.MediaPlayer2.Raise"],
            ] {
                let result = scene.run(
                    [
                        "gdbus", "call", "--session", "--dest", Self.bare, "--object-path",
                        "/org/mpris/MediaPlayer2", "--method",
                    ] + arguments)
                #expect(result.status == 0, "\(arguments) \(result.errors)")
            }
            #expect(scene.control("status") == "Playing")
            #expect(try scene.stage.last.index == 0)
            #expect(scene.stage.errors == "")
        }

        /// Every property has a value of its type, as the introspection says it.
        @Test func everyPropertyIsThere() throws {
            let scene = try Scene("--slideshow", "60")
            scene.until("status", says: "Playing")
            let script = """
                from gi.repository import Gio, GLib
                bus = Gio.bus_get_sync(Gio.BusType.SESSION)
                def call(interface, method, *arguments):
                    types = "(" + "s" * len(arguments) + ")"
                    return bus.call_sync("\(Self.bare)", "/org/mpris/MediaPlayer2", interface, method,
                        GLib.Variant(types, arguments), None, 0, 5000)
                xml = call("org.freedesktop.DBus.Introspectable", "Introspect").unpack()[0]
                count = 0
                for interface in Gio.DBusNodeInfo.new_for_xml(xml).interfaces:
                    if not interface.name.startswith("org.mpris"): continue
                    for property in interface.properties:
                        value = call("org.freedesktop.DBus.Properties", "Get", interface.name, property.name)
                        got = value.get_child_value(0).get_variant().get_type_string()
                        assert got == property.signature, (property.name, got)
                        count += 1
                print(count)
                """
            let result = scene.run(["/usr/bin/python3", "-c", script])
            #expect(result.output == "21\n", "\(result.errors)")
        }

        @Test func aFloodDoesNotTurnThePages() throws {
            let scene = try Scene("--slideshow", "60")
            scene.until("status", says: "Playing")
            let script = """
                from gi.repository import Gio, GLib
                bus = Gio.bus_get_sync(Gio.BusType.SESSION)
                for i in range(20000):
                    bus.call("\(Self.bare)", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player",
                        "PlayPause", None, None, Gio.DBusCallFlags.NONE, -1)
                bus.flush_sync()
                """
            let before = try scene.stage.program.residentBytes
            let flood = scene.run(["/usr/bin/python3", "-c", script])
            #expect(flood.status == 0, "\(flood.errors)")
            // The viewer answers, and a key counts.
            scene.stage.expectDone("goto", "3")
            #expect(try scene.stage.last.index == 2)
            #expect(scene.run(["playerctl", "status"]).status == 0)
            #expect(try scene.stage.program.residentBytes < before + 64 << 20)
            #expect(scene.stage.exitCode == nil)
        }

        /// The bus goes, and the viewer does not.
        @Test func theEndOfTheBusIsNoEnd() throws {
            let folder = TemporaryFolder()
            var bus: SessionBus? = SessionBus(in: folder)
            let stage = try Stage.shown(
                in: .program, options: ["--slideshow", "60"],
                pictures: [Stage.small, Stage.small],
                environment: ["DBUS_SESSION_BUS_ADDRESS=" + (bus?.address ?? "")])
            stage.expectDone("next")
            bus = nil
            stage.expectDone("next")
            stage.expectDone("slideshow", "off")
            #expect(stage.exitCode == nil)
            try stage.expectGoodEnd()
        }
    }
}
