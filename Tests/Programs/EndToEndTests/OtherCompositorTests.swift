import Geometry
import TestKit
import Testing

/// Limited compositors: weston without a seat, cage without most globals.
@Suite(.serialized) struct OtherCompositorTests {
    @Test(arguments: ["weston", "cage"])
    func aPictureIsShownAndTheProgramEnds(_ name: String) throws {
        let compositor = try #require(CompositorSession.Compositor(rawValue: name))
        let session = CompositorSession(["card.png": TestPicture.card(640, 480).png()])
        let result = session.run(
            compositor, "1280x800",
            """
            ./vitrine --trace trace.txt card.png & viewer=$!
            settled '"image":\\[640,480\\]'
            sleep 0.5
            [ -n "${WAYLAND_DISPLAY:-}" ] && command -v grim >/dev/null && grim screen.png 2>/dev/null
            kill $viewer
            ended $viewer > outcome.txt
            """)
        #expect(TestFile.text(session.folder / "outcome.txt") == "code 0\n", "\(result)")
        #expect(session.trace.last?.zoom == 1)
        if name == "cage" {
            let screen = try #require(Screenshot(session.folder / "screen.png"))
            let (x, y) = (screen.size.width / 2 - 100, screen.size.height / 2 - 150)
            // One of the card's colours, whatever size cage has settled on.
            let color = screen.color(x, y)
            #expect(max(color.r, color.g, color.b) > 150)
        }
    }
}
