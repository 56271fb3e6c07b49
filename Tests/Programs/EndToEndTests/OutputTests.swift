import Geometry
import TestKit
import Testing

/// A kiosk on outputs that come and go.
@Suite(.serialized) struct OutputTests {
    /// Two folders of two pictures each, which are told apart by their widths.
    static func session() -> CompositorSession {
        let session = CompositorSession([:])
        for (name, width) in [("left", 300), ("right", 400)] {
            session.folder.folder(name)
            for number in 0..<2 {
                let picture = TestPicture.card(width + 20 * number, 200).png()
                _ = session.folder.file("\(name)/\(name)-\(number).png", picture)
            }
        }
        return session
    }

    /// Starts a Sway in windows of the headless one, since Sway 1.7 cannot remove a headless output: its
    /// outputs WL-1, WL-2 and so on end with their windows.
    ///
    /// - `shown OUTPUT WIDTH` waits until the picture of that width is at rest on an output.
    /// - `unplug OUTPUT` removes an output, and waits until the viewer knows.
    static let helpers = """
        msg() { ./vitrine msg --socket "$PWD/control" "$@"; }
        is() { msg --output "$1" state 2>&1 | grep -q "\\"image\\":\\[$2,200\\].*\\"phase\\":\\"idle\\""; }
        shown() { until_true is "$1" "$2"; sleep 0.3; }
        gone() { ! msg outputs | grep -q "$1"; }
        unplug() {
            SWAYSOCK=$outer swaymsg "[title=\\"wlroots - $1\\"] kill" >>sway.txt
            until_true gone "$1"
            sleep 0.3
        }
        outer=$SWAYSOCK
        other=$WAYLAND_DISPLAY
        printf 'default_border none\\nexec touch %s/inner\\n' "$PWD" >inner.conf
        WLR_BACKENDS=wayland sway -c inner.conf >inner.log 2>&1 & inner=$!
        until_true [ -e inner ]
        export SWAYSOCK=$(ls "$PWD"/run/sway-ipc.*.$inner.sock)
        export WAYLAND_DISPLAY=$(ls run | grep '^wayland-[0-9]*$' | grep -v "^$other\\$")
        swaymsg create_output >>sway.txt

        """

    /// The width of the picture, which is in the middle of a black screen.
    private static func width(_ name: String, in session: CompositorSession) throws -> Int {
        let screen = try #require(Screenshot(session.folder / name))
        let lit = (0..<screen.size.width).filter {
            let color = screen.color($0, screen.size.height / 2)
            return color.r + color.g + color.b > 30
        }
        return (lit.last ?? 0) - (lit.first ?? 0) + 1
    }

    @Test func outputsComeAndGo() throws {
        let session = Self.session()
        let result = session.run(
            .sway, "1280x720",
            Self.helpers + """
                swaymsg output WL-2 scale 2 >>sway.txt
                outputs="WL-1 $PWD/left; WL-2 $PWD/right; WL-3 $PWD/left; WL-4 $PWD/right"
                ./vitrine --kiosk --viewer --socket "$PWD/control" \\
                    --set "kiosk.outputs=$outputs" 2>errors.txt & viewer=$!
                shown WL-1 300
                shown WL-2 400
                grim -o WL-1 1-left.png
                grim -o WL-2 1-right.png
                msg --output WL-2 next
                shown WL-2 420
                grim -o WL-1 2-left.png
                grim -o WL-2 2-right.png
                # One goes: the other one goes on. Then that goes, too.
                unplug WL-2
                grim -o WL-1 3-left.png
                unplug WL-1
                msg next
                swaymsg create_output >>sway.txt
                shown WL-3 300
                swaymsg create_output >>sway.txt
                shown WL-4 400
                grim -o WL-3 4-left.png
                grim -o WL-4 4-right.png
                kill $viewer
                ended $viewer
                kill $inner
                """)
        #expect(result.output.hasSuffix("code 143\n"), "\(result)")
        for (name, width) in [
            ("1-left", 300), ("1-right", 400), ("2-left", 300), ("2-right", 420),
            ("3-left", 300), ("4-left", 300), ("4-right", 400),
        ] {
            #expect(try Self.width("\(name).png", in: session) == width, "\(name)")
        }
        let errors = TestFile.text(session.folder / "errors.txt") ?? ""
        #expect(errors.contains("there is no output WL-3; there are WL-1, WL-2"))
    }
}
