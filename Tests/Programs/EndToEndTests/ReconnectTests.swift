import TestKit
import Testing

/// `--reconnect`: a compositor that ends and comes back.
@Suite(.serialized) struct ReconnectTests {
    /// A second weston, which the test ends and starts again, inside the session of the first one.
    @Test func theSamePictureComesBackInTheSamePlace() throws {
        let session = CompositorSession([
            "a.png": TestPicture.card(640, 480).png(), "b.png": TestPicture.card(800, 600).png(),
        ])
        let result = session.run(
            .weston, "1280x800",
            """
            compositor() {
                weston --backend=headless-backend.so --socket=again --width=1280 --height=800 \\
                    --idle-time=0 >weston.txt 2>&1 & weston=$!
            }
            compositor
            # The viewer waits for a compositor from the start.
            WAYLAND_DISPLAY=again ./vitrine --reconnect --socket "$PWD/control" --trace trace.txt \\
                a.png b.png 2>errors.txt & viewer=$!
            settled '"image":\\[640,480\\]'
            ./vitrine msg --socket "$PWD/control" next
            settled '"image":\\[800,600\\]'
            ./vitrine msg --socket "$PWD/control" zoom 2
            settled '"zoom":2'
            kill -9 $weston
            wait $weston
            sleep 1
            # Messages are answered without a compositor.
            ./vitrine msg --socket "$PWD/control" state > state.txt
            wc -l < trace.txt > before.txt
            compositor
            more() { [ "$(wc -l < trace.txt)" -gt "$(cat before.txt)" ]; }
            until_true more
            settled '"zoom":2'
            tail -n 1 trace.txt > after.txt
            kill $viewer
            ended $viewer > outcome.txt
            kill $weston
            """)
        func text(_ name: String) -> String { TestFile.text(session.folder / name) ?? "" }
        #expect(text("outcome.txt") == "code 0\n", "\(result)")
        #expect(text("state.txt").contains("\"image\":[800,600]"))
        #expect(text("after.txt").contains("\"image\":[800,600]"))
        #expect(text("after.txt").contains("\"zoom\":2"))
        #expect(text("errors.txt").contains("the compositor is back"))
    }

    /// Without the option the exit code says why the program ends.
    @Test func withoutTheOptionTheSupervisorStartsItAgain() throws {
        let session = CompositorSession(["a.png": TestPicture.card(640, 480).png()])
        let result = session.run(
            .weston, "640x480",
            """
            weston --backend=headless-backend.so --socket=again >weston.txt 2>&1 & weston=$!
            until_true [ -S "$XDG_RUNTIME_DIR/again" ]
            WAYLAND_DISPLAY=again ./vitrine --trace trace.txt a.png & viewer=$!
            settled '"image"'
            kill -9 $weston
            ended $viewer > outcome.txt
            """)
        #expect(TestFile.text(session.folder / "outcome.txt") == "code 3\n", "\(result)")
    }
}
