import Geometry
import TestKit
import Testing

/// In mutter, GNOME's compositor, with real touches through its RemoteDesktop interface.
@Suite(.serialized) struct MutterTests {
    /// Starts the player and the viewer; the first touch, which makes the touchscreen appear, is
    /// lost by the compositor's way of doing things.
    private static let start = """
        coproc PLAYER { ./mutter-play 2>player.txt; }
        read -r -t 20 line <&"${PLAYER[0]}" || { cat player.txt; exit 8; }
        play() { echo "play $1" >&"${PLAYER[1]}"; read -r -t 20 line <&"${PLAYER[0]}"; }
        printf '0 touch down 9 3 3\\n30 touch up 9\\n' > first.txt
        ./vitrine --fullscreen --trace trace.txt --record record.txt photo.jpg & viewer=$!
        await '"image":\\[2400,1600\\].*"phase":"idle"'
        play first.txt
        sleep 0.4

        """

    private func session(_ scripts: [String: String]) -> CompositorSession {
        let session = CompositorSession([
            "photo.jpg": TestPicture.photograph(2400, 1600).jpeg(quality: 85)
        ])
        for (name, script) in scripts { _ = session.folder.file(name, script) }
        return session
    }

    private func pinch() -> String {
        var lines = ["0 touch down 0 700 500", "0 touch down 1 900 500"]
        for step in 1...25 {
            lines += [
                "\(step * 12) touch move 0 \(700 - step * 6) \(500 - step)",
                "\(step * 12) touch move 1 \(900 + step * 10) \(500 + step * 2)",
            ]
        }
        lines += ["450 touch up 0", "450 touch up 1"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// A finger that goes down and lifts at once, or after a rest.
    ///
    /// Events carry the time at which mutter gets to them: only a rest far longer than it is ever
    /// late is sure to be one.
    private func flick(rest: Int) -> String {
        var lines = ["0 touch down 0 960 300"]
        for step in 1...10 { lines.append("\(step * 10) touch move 0 960 \(300 + step * 26)") }
        return (lines + ["\(106 + rest) touch up 0"]).joined(separator: "\n") + "\n"
    }

    @Test func aPinchZoomsAboutTheFingers() throws {
        let session = session(["pinch.txt": pinch()])
        let result = session.run(
            .mutter, "1920x1080",
            Self.start + """
                play pinch.txt
                sleep 0.7
                kill $viewer
                ended $viewer
                """)
        #expect(result.output == "code 0\n", "\(result)")
        let frames = session.trace.filter { $0.text("gesture") == "pinch" }
        let first = try #require(frames.first?.rect)
        let last = try #require(frames.last?.rect)
        #expect(last.width > 2 * first.width)
        // The picture point that was under the first midpoint is under the last one.
        let fit = try #require(session.trace.first { $0.rect != nil }?.rect)
        let point = ((800 - fit.x) / fit.width, (500 - fit.y) / fit.height)
        #expect(abs(last.x + point.0 * last.width - 850) < 12)
        #expect(abs(last.y + point.1 * last.height - 512.5) < 12)
        // What was recorded can be played again, and ends alike.
        let replay = Binaries.vitrine([
            "--headless", "1920x1080", "--script", session.folder / "record.txt", "--trace", "-",
            session.folder / "photo.jpg",
        ])
        let end = try #require(TraceFrame.all(replay.output).last?.rect)
        let live = try #require(session.trace.last?.rect)
        #expect(abs(end.width - live.width) < 0.02 * live.width)
        #expect(abs(end.x - live.x) < 0.02 * live.width)
    }

    @Test func aFlickEndsTheProgramAndAStopDoesNot() throws {
        let session = session(["stop.txt": flick(rest: 1500), "flick.txt": flick(rest: 0)])
        let result = session.run(
            .mutter, "1920x1080",
            Self.start + """
                play stop.txt
                sleep 0.8
                kill -0 $viewer && echo lives
                await '"gesture":"dismiss"'
                # Without a GPU mutter may be too busy to take a flick's events in time; a person
                # would flick again.
                for _ in 1 2 3 4 5; do
                    play flick.txt
                    sleep 0.8
                    kill -0 $viewer 2>/dev/null || break
                done
                ended $viewer
                """)
        #expect(result.output == "lives\ncode 0\n", "\(result)")
        #expect(session.trace.filter(\.isDismissed).count == 1)
    }

    @Test func doubleTapsAndTwoFingerTapsGoUpAndDownTheLadder() throws {
        let session = session([
            "up.txt": """
            0 touch down 0 960 500
            50 touch up 0
            150 touch down 0 960 500
            200 touch up 0

            """,
            "down.txt": """
            0 touch down 0 900 500
            20 touch down 1 1020 500
            90 touch up 0
            140 touch up 1

            """,
        ])
        let result = session.run(
            .mutter, "1920x1080",
            Self.start + """
                play up.txt
                await '"zoom":1.35,.*"phase":"idle"'
                play down.txt
                sleep 0.8
                kill $viewer
                ended $viewer
                """)
        #expect(result.output == "code 0\n", "\(result)")
        #expect(session.trace.last?.zoom == 0.675)
    }

    @Test func aDoubleClickAndADragDoWhatAFingerDoes() throws {
        var drag = ["0 pointer move 960 500", "200 pointer button left down"]
        for step in 1...10 { drag.append("\(200 + step * 20) pointer move \(960 - step * 10) 500") }
        drag.append("700 pointer button left up")
        let session = session([
            "click.txt": """
            0 pointer move 960 500
            300 pointer button left down
            340 pointer button left up
            440 pointer button left down
            480 pointer button left up

            """, "drag.txt": drag.joined(separator: "\n") + "\n",
        ])
        let result = session.run(
            .mutter, "1920x1080",
            Self.start + """
                play click.txt
                await '"zoom":1.35,.*"phase":"idle"'
                play drag.txt
                await '"gesture":"pan"'
                sleep 0.5
                kill $viewer
                ended $viewer
                """)
        #expect(result.output == "code 0\n", "\(result)")
        let rects = session.trace.compactMap(\.rect).filter { $0.width == 3240 }
        // 100 px, of which the slop takes 10.
        let moved = (rects.map(\.x).max() ?? 0) - (rects.map(\.x).min() ?? 0)
        #expect(abs(moved - 90) < 2, "\(moved)")
    }
}
