import TestKit
import Testing

/// In Sway, on a session bus of the test: the desktop's settings and its file chooser.
@Suite(.serialized) struct PortalTests {
    /// Functions for scripts: `press KEYS…` types into the focused window, whose keyboard is new, so
    /// that its first key may be lost; `window TITLE` finds a window.
    private static let helpers = """
        press() { wtype -s 500 -k Shift_L -s 300 "$@" -s 300; }
        window() { swaymsg -t get_tree | grep -q "\\"name\\": \\"$1\\""; }
        no_window() { ! window "$1"; }
        setting() { grep -q "settings: .*$1" errors.txt; }
        bus

        """

    private func session() -> CompositorSession {
        let session = CompositorSession(["first.png": TestPicture.card(320, 200).png()])
        session.folder.folder("album")
        for (name, width) in [("second one", 500), ("third", 400)] {
            _ = session.folder.file("album/\(name).png", TestPicture.card(width, 300).png())
        }
        return session
    }

    /// The real portal, with the backend of GTK.
    @Test func theRealPortal() {
        let result = session().run(
            .sway, "1280x800",
            Self.helpers + """
                gsettings set org.gnome.desktop.interface text-scaling-factor 1.25
                ./vitrine --verbose --trace trace.txt first.png 2>errors.txt & viewer=$!
                await '"image":\\[320,200\\]'
                until_true setting 'texts × 1.25'
                gsettings set org.gnome.desktop.interface cursor-size 48
                until_true setting 'cursor of 48 pixels'
                gsettings set org.gnome.desktop.interface enable-animations false
                until_true setting 'no animations'
                # A zoom takes one frame now.
                press 2
                until_true grep -q '"zoom":4' trace.txt
                grep -c '"phase":"animating"' trace.txt
                press -M ctrl -k o -m ctrl
                until_true window 'Open pictures'
                # A chooser that a person closes changes nothing, and the next one opens.
                swaymsg '[title="Open pictures"] kill' >/dev/null
                until_true no_window 'Open pictures'
                press -M ctrl -k o -m ctrl
                until_true window 'Open pictures'
                # The viewer may end at any time; its chooser closes.
                kill $viewer
                ended $viewer
                until_true no_window 'Open pictures'
                """)
        #expect(result.output == "0\ncode 0\n", "\(result)")
    }

    @Test func whatIsChosenReplacesTheAlbum() {
        let session = session()
        let result = session.run(
            .sway, "1280x800",
            Self.helpers + """
                python3 portal answers calls.txt "file://$PWD/album/second%20one.png" \\
                    sftp://host/a.png "file://$PWD/album" 9>ready.txt &
                until_true [ -s ready.txt ]
                ./vitrine --fullscreen --trace trace.txt first.png 2>errors.txt & viewer=$!
                settled '"image":\\[320,200\\]'
                press -M ctrl -k o -m ctrl
                settled '"count":1,.*"image":\\[500,300\\]'
                # The dialog belongs to the window.
                grep -q '^OpenFile wayland:..* Open pictures' calls.txt || cat calls.txt
                press -M ctrl -k o -m ctrl
                until_true grep -q 'sftp://host/a.png.*: not a file of this computer' errors.txt
                press -M ctrl O -m ctrl
                settled '"mode":"grid".*"count":2'
                # The message about what was refused goes on over the new album.
                grep -q '"mode":"grid".*"toast":"[^"]*not a file of this computer' trace.txt || echo lost
                sleep 0.5
                press -k Return
                settled '"mode":"viewer".*"count":2.*"image":\\[500,300\\]'
                press -k Right
                settled '"index":1.*"image":\\[400,300\\]'
                kill $viewer
                ended $viewer
                """)
        #expect(result.output == "code 0\n", "\(result) \(session.folder.path)")
    }

    /// A picture is printed as it is seen, even at once after a turn that is kept in its file.
    @Test func aPictureIsPrintedAsItWasTurned() {
        let result = session().run(
            .sway, "1280x800",
            Self.helpers + """
                python3 portal services calls.txt 9>ready.txt &
                until_true [ -s ready.txt ]
                ./vitrine --fullscreen --trace trace.txt first.png 2>errors.txt & viewer=$!
                settled '"image":\\[320,200\\]'
                wtype -s 500 -k Shift_L -s 300 -k r -M ctrl -k p -m ctrl -s 300
                prints() { [ "$(grep -c '^Print ' calls.txt)" = $1 ]; }
                until_true prints 1
                grep -o "'orientation': '[a-z]*'" calls.txt
                # Another quarter turn, after the first one was written.
                press -k r -M ctrl -k p -m ctrl
                until_true prints 2
                grep -o "'orientation': '[a-z]*'" calls.txt
                kill $viewer
                ended $viewer
                # The listing does not notice that the file changes to which a link leads.
                mkdir links
                ln -s ../first.png links/link.png
                ./vitrine --fullscreen --viewer --trace link.txt links 2>errors.txt & viewer=$!
                until_true grep -q '"image":\\[320,200\\].*"phase":"idle"' link.txt
                press -k r -M ctrl -k p -m ctrl
                until_true prints 3
                kill $viewer
                ended $viewer
                """)
        #expect(
            result.output == """
                'orientation': 'portrait'
                'orientation': 'portrait'
                'orientation': 'landscape'
                code 0
                code 0

                """, "\(result)")
    }

    /// The thread of the bus sleeps while nothing happens.
    @Test func anIdleViewerOnABusNeverWakes() {
        let result = session().run(
            .sway, "1280x800",
            Self.helpers + """
                switches() { cat /proc/$viewer/task/*/status | grep ctxt | awk '{n+=$2} END {print n}'; }
                ./vitrine --verbose --fullscreen --trace trace.txt first.png 2>errors.txt & viewer=$!
                settled '"image":\\[320,200\\]'
                until_true setting 'texts × 1'
                for _ in 1 2 3 4 5 6 7 8; do
                    before=$(switches)
                    sleep 1
                    [ "$(switches)" = "$before" ] && break
                done
                before=$(switches)
                sleep 5
                echo $(($(switches) - before))
                kill $viewer
                """)
        #expect(result.output == "0\n", "\(result)")
    }
}
