import Geometry
import TestKit
import Testing

/// A floating window in mutter, which draws no decorations: fingers resize it at its borders.
@Suite(.serialized) struct MutterWindowTests {
    /// Starts the player and finds the window, which mutter places at the same point each time.
    ///
    /// The recording of a first run says where a touch in the middle of the monitor has landed.
    /// `drag X0 Y0 X1 Y1` drags a finger between two points relative to that of the window.
    private static let start = """
        coproc PLAYER { ./mutter-play 2>player.txt; }
        read -r -t 60 line <&"${PLAYER[0]}" || { cat player.txt; exit 8; }
        play() { echo "play $1" >&"${PLAYER[1]}"; read -r -t 60 line <&"${PLAYER[0]}"; }
        printf '0 touch down 0 800 500\\n60 touch up 0\\n' > tap.txt
        ./vitrine --trace trace.txt --record record.txt photo.jpg & viewer=$!
        settled '"image":\\[960,640\\]'
        # mutter moves new windows for a while. The touchscreen appears with the first touch, which
        # mutter drops.
        sleep 2
        for _ in 1 2 3 4 5 6 7 8; do
            play tap.txt
            shows '"chrome":true' && break
        done
        kill $viewer
        ended $viewer
        read -r x y < <(awk '/touch down/ { print 800 - $5, 500 - $6; exit }' record.txt)
        rm trace.txt
        drag() {
            awk -v x="$x" -v y="$y" -v a="$1" -v b="$2" -v c="$3" -v d="$4" 'BEGIN {
                print 0, "touch down 0", x + a, y + b
                for (i = 1; i <= 20; i++)
                    print 300 + i * 40, "touch move 0", x + a + (c - a) * i / 20, \\
                        y + b + (d - b) * i / 20
                print 1800, "touch up 0"
            }' > drag.txt
            play drag.txt
        }
        ./vitrine --trace trace.txt photo.jpg & viewer=$!
        settled '"image":\\[960,640\\]'
        sleep 2

        """

    @Test func fingersResizeTheWindowAtAnEdgeAndACorner() throws {
        let session = CompositorSession([
            "photo.jpg": TestPicture.photograph(960, 640).jpeg(quality: 85)
        ])
        let result = session.run(
            .mutter, "1600x1000",
            Self.start + """
                drag 966 300 1066 320
                shows '"view":\\[10[5-6][0-9],640,' || tail -n 1 trace.txt
                drag -6 646 -66 686
                shows '"view":\\[11[12][0-9],6[78][0-9],' || tail -n 1 trace.txt
                kill $viewer
                ended $viewer
                cat .local/state/vitrine/window
                """)
        let lines = result.output.split(separator: "\n")
        #expect(lines.prefix(2) == ["code 0", "code 0"], "\(result)")
        // The size follows the finger; touches may be merged, so the last one counts.
        let views = session.trace.compactMap { $0.numbers("view") }
        #expect(views.first == [960, 640, 1])
        #expect(views.last == [1120, 680, 1], "\(result)")
        // No frame has seen the fingers, which were on the border.
        #expect(session.trace.allSatisfy { $0.phase != "touching" && $0.gesture == "none" })
        #expect(lines.suffix(2) == ["size 1120x680", "maximized no"], "\(result)")
    }
}
