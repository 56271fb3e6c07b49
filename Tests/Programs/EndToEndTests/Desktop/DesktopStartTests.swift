import TestKit
import Testing

/// In Sway, started by the session bus as the installed desktop entry and service file say.
@Suite(.serialized) struct DesktopStartTests {
    private static let id = "io.github.vitrine_viewer.Vitrine"

    private static let helpers = """
        id=\(id)
        mkdir -p data/applications data/dbus-1/services
        grep -v '^TryExec' '\(Binaries.package)/Sources/Distribution/'$id.desktop \\
            >data/applications/$id.desktop
        sed "s|@bindir@|$PWD|; s|--dbus-service|& --trace $PWD/trace.txt|" \\
            '\(Binaries.package)/Sources/Distribution/'$id.service.in >data/dbus-1/services/$id.service
        export XDG_DATA_DIRS=$PWD/data:/usr/share HOME=$PWD PATH=$PWD:$PATH
        bus
        gio mime image/png $id.desktop >/dev/null
        # The process that the desktop calls.
        instance() {
            gdbus call --session --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \\
                --method org.freedesktop.DBus.GetConnectionUnixProcessID $id 2>/dev/null
        }
        free() { ! instance >/dev/null; }

        """

    private func session() -> CompositorSession {
        let session = CompositorSession([
            "a b.png": TestPicture.card(400, 200).png(),
            "two.png": TestPicture.card(500, 200).png(),
        ])
        session.folder.folder("Pictures")
        _ = session.folder.file("Pictures/three.png", TestPicture.card(300, 200).png())
        return session
    }

    /// A file manager opens two pictures one after the other, then the actions of the desktop entry.
    @Test func oneInstanceOpensWhatTheDesktopWants() {
        let result = session().run(
            .sway, "1280x800",
            Self.helpers + """
                gio open 'a b.png'
                settled '"mode":"viewer".*"image":\\[400,200\\]'
                first=$(instance)
                gio open two.png
                settled '"mode":"viewer".*"image":\\[500,200\\]'
                swaymsg -t get_tree | grep -o "\\"app_id\\": \\"$id\\"" | sort -u
                gapplication action $id grid
                await '"mode":"grid"'
                gapplication action $id slideshow
                settled '"mode":"viewer".*"image":\\[300,200\\]'
                until_true sh -c 'swaymsg -t get_tree | grep -q "\\"fullscreen_mode\\": 1"'
                [ "$first" = "$(instance)" ] && echo 'the same instance'
                gdbus call --session --dest $id --object-path /io/github/vitrine_viewer/Vitrine \\
                    --method org.freedesktop.Application.Open "['sftp://host/x.png']" '{}'
                await '"message":"[^"]*not a file of this computer"'
                pkill -f "$PWD/vitrine --dbus-service"
                until_true free
                rm trace.txt
                gapplication launch $id
                await '"mode":"grid"'
                [ "$first" = "$(instance)" ] || echo 'another instance'
                """)
        #expect(
            result.output == """
                "app_id": "\(Self.id)"
                the same instance
                ()
                another instance

                """, "\(result)")
    }

    /// Two calls are there before the program is: the later one counts, as for a viewer that runs.
    @Test func theLaterOfTwoCallsAtOnceIsAnswered() {
        let result = session().run(
            .sway, "1280x800",
            Self.helpers + """
                cat >calls.py <<'END'
                import sys
                from gi.repository import Gio, GLib
                bus, loop = Gio.bus_get_sync(Gio.BusType.SESSION), GLib.MainLoop()
                for name in sys.argv[2:]:
                    files = [Gio.File.new_for_path(name).get_uri()]
                    bus.call(sys.argv[1], '/io/github/vitrine_viewer/Vitrine',
                             'org.freedesktop.Application', 'Open',
                             GLib.Variant('(asa{sv})', (files, {})), None, 0, -1, None,
                             lambda *_, name=name: name == sys.argv[-1] and loop.quit())
                loop.run()
                END
                python3 calls.py $id 'a b.png' two.png
                settled '"mode":"viewer".*"image":\\[500,200\\]'
                """)
        #expect(result.output == "", "\(result)")
    }

    /// A second process gives way, and one without a bus or a call says nothing and ends.
    @Test func aSecondInstanceGivesWay() {
        let result = session().run(
            .sway, "1280x800",
            Self.helpers + """
                gio open two.png
                settled '"mode":"viewer"'
                first=$(instance)
                ./vitrine --dbus-service; echo "code $?"
                DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent ./vitrine --dbus-service
                echo "code $?"
                ./vitrine --dbus-service --kiosk; echo "code $?"
                [ "$first" = "$(instance)" ] && echo 'the same instance'
                """)
        #expect(result.output == "code 0\ncode 0\ncode 2\nthe same instance\n", "\(result)")
    }
}
