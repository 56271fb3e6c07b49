import Geometry
import TestKit
import Testing

/// In Sway: the picture on the screen, keys, exit and idle behaviour.
@Suite(.serialized) struct SwayTests {
    @Test func theScreenShowsThePixelsOfAHeadlessRun() throws {
        let session = CompositorSession([
            "photo.jpg": TestPicture.photograph(3000, 2000).jpeg(quality: 90)
        ])
        let result = session.run(
            .sway, "3840x2160",
            """
            ./vitrine --headless 3840x2160 --shot headless.png photo.jpg
            ./vitrine --fullscreen --trace trace.txt photo.jpg & viewer=$!
            settled '"image":\\[3000,2000\\]'
            sleep 0.5
            grim screen.png
            kill $viewer
            ended $viewer
            """)
        #expect(result.output.contains("code 0"), "\(result)")
        let screen = try #require(Screenshot(session.folder / "screen.png"))
        let headless = try #require(Screenshot(session.folder / "headless.png"))
        #expect(screen.size == PixelSize(width: 3840, height: 2160))
        #expect(screen.difference(from: headless, tolerance: 1) < 0.001)
        // The photograph is shown, and not a black picture in both.
        #expect(screen.color(1920, 1080) != screen.color(5, 5))
    }

    @Test func keysZoomAndLeave() throws {
        let session = CompositorSession(["card.png": TestPicture.card(1200, 900).png()])
        let result = session.run(
            .sway, "1280x800",
            """
            ./vitrine --fullscreen --trace trace.txt card.png & viewer=$!
            await '"image":\\[1200,900\\].*"phase":"idle"'
            # One call for all keys: each call makes a keyboard, whose first key may be lost. Between
            # two keys a zoom comes to rest, which takes half a second on an idle machine.
            wtype -s 800 1 -s 1500 -k plus -s 1500 0 -s 1500 -k Escape &
            await '"zoom":1,.*"phase":"idle"'
            await '"zoom":1.5,.*"phase":"idle"'
            ended $viewer
            """)
        #expect(result.output == "code 0\n", "\(result)")
        // Between them 0 went back to fit.
        let zooms = session.trace.filter { $0.text("phase") == "idle" }.map(\.zoom)
        #expect(zooms.contains(1.5) && zooms.last == 0.88888889)
    }

    /// `r` with Caps Lock turns the picture to the right, as without.
    @Test func capsLockChoosesNoOtherCommand() throws {
        let session = CompositorSession(["card.png": TestPicture.card(1200, 900).png()])
        let result = session.run(
            .sway, "1280x800",
            """
            ./vitrine --fullscreen --trace trace.txt card.png & viewer=$!
            await '"image":\\[1200,900\\].*"phase":"idle"'
            # The first key of wtype's new keyboard may be lost.
            wtype -s 800 1 -s 1500 -M capslock r -m capslock -s 1500 -k Escape &
            ended $viewer
            """)
        #expect(result.output == "code 0\n", "\(result)")
        let rotations = session.trace.map(\.rotation)
        #expect(rotations.contains(90) && rotations.allSatisfy { (0...90).contains($0) })
    }

    @Test func aKilledCompositorEndsTheProgramWithItsCode() {
        let session = CompositorSession(["card.png": TestPicture.card(64, 64).png()])
        let result = session.run(
            .sway, "640x480",
            """
            ./vitrine --trace trace.txt card.png 2>errors.txt & viewer=$!
            await '"image":\\[64,64\\]'
            # The socket's name ends in Sway's process id.
            sway=${SWAYSOCK%.sock}
            kill -KILL "${sway##*.}"
            ended $viewer > outcome.txt
            """)
        _ = result
        #expect(TestFile.text(session.folder / "outcome.txt") == "code 3\n")
        let errors = TestFile.text(session.folder / "errors.txt") ?? "none"
        #expect(SandboxSupport.withoutNotice(errors) == "vitrine: the compositor went away\n")
    }

    /// One picture, and a grid with a watched folder.
    @Test(arguments: [
        ("album/card.png", #""image":\[640,480\]"#), ("album", #""mode":"grid""#),
    ])
    func anIdleViewerNeverWakes(path: String, isUp: String) throws {
        let session = CompositorSession([:])
        session.folder.folder("album")
        _ = session.folder.file("album/card.png", TestPicture.card(640, 480).png())
        let result = session.run(
            .sway, "1280x800",
            """
            switches() { cat /proc/$viewer/task/*/status | grep ctxt | awk '{n+=$2} END {print n}'; }
            ./vitrine --fullscreen --trace trace.txt \(path) & viewer=$!
            settled '\(isUp)'
            # Startup is over when a second passes without a switch.
            for _ in 1 2 3 4 5; do
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

    /// The same picture in a window of another viewer, which goes on when the first one has ended.
    @Test func anotherWindowShowsTheSame() {
        let session = CompositorSession(["a b.png": TestPicture.card(400, 200).png()])
        let result = session.run(
            .sway, "1280x800",
            """
            ./vitrine --trace trace.txt "a b.png" & viewer=$!
            settled '"image":\\[400,200\\]'
            windows() { [ "$(swaymsg -t get_tree | grep -c '"name": "a b.png')" = $1 ]; }
            wtype -s 800 -k F5 -s 300 -M ctrl n -m ctrl
            until_true windows 2
            kill $viewer
            ended $viewer >ended.txt
            windows 1 && echo 'one is left'
            pkill -f "$PWD/vitrine -- $PWD/a b.png"
            until_true windows 0
            """)
        #expect(result.output == "one is left\n", "\(result)")
    }
}
